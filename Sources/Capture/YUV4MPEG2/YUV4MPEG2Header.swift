import Media

/// The first line of a YUV4MPEG2 stream (yuv4mpeg(5) of mjpegtools): sizes, rate and sample layout of all its frames.
public struct YUV4MPEG2Header: Hashable, Sendable {
    /// How the colour difference planes relate to luma.
    public enum Chroma: String, Sendable, CaseIterable {
        /// Half the columns and half the lines. Where between the luma samples they lie does not matter here.
        case quarter = "420"
        /// Half the columns.
        case half = "422"
        /// As many as luma.
        case full = "444"
    }

    /// Pixels a line, even, 16…16384.
    public var width: Int
    /// Lines, even, 16…16384.
    public var height: Int
    /// Nil where the stream says that it does not know (F0:0).
    public var rate: FrameRate?
    /// Planes are luma, Cb, Cr, 8 bits a sample.
    public var chroma: Chroma
    /// From XCOLORRANGE and the picture's size.
    public var color: ColorDescription

    /// The longest line that is read: far beyond what any tool writes.
    static let longestLine = 1024

    public init(width: Int, height: Int, rate: FrameRate?, chroma: Chroma, color: ColorDescription) {
        self.width = width
        self.height = height
        self.rate = rate
        self.chroma = chroma
        self.color = color
    }

    /// Reads a stream's first line. The sample aspect ratio and comments are passed over.
    /// - Parameter line: without the newline.
    /// - Throws: `Failure` of kind noSource that says what cannot be recorded and why.
    public init(line: String) throws(Failure) {
        let words = line.split(separator: " ")
        guard words.first == "YUV4MPEG2" else {
            throw Self.refusal("it does not begin with YUV4MPEG2", mend: "Send it with ffmpeg … -f yuv4mpegpipe.")
        }
        var sizes: (width: Int?, height: Int?) = (nil, nil)
        var (hasRate, isFullRange) = (false, false)
        rate = nil
        chroma = .quarter
        for word in words.dropFirst() {
            let value = word.dropFirst()
            switch word.first {
            case "W": sizes.width = Int(value)
            case "H": sizes.height = Int(value)
            case "F":
                rate = try Self.rate(value)
                hasRate = true
            case "I": try Self.checkInterlacing(value)
            case "C": chroma = try Self.chroma(value)
            case "X" where word == "XCOLORRANGE=FULL": isFullRange = true
            default: break
            }
        }
        guard let width = sizes.width, let height = sizes.height else {
            throw Self.refusal("its first line names no width or no height")
        }
        guard (16...16384).contains(width), (16...16384).contains(height), width % 2 == 0, height % 2 == 0 else {
            throw Self.refusal(
                "its pictures are \(width)x\(height)", mend: "Send even sizes from 16x16 to 16384x16384.")
        }
        guard hasRate else { throw Self.refusal("its first line names no rate") }
        self.width = width
        self.height = height
        color = .standard(width: width, height: height)
        color.isFullRange = isFullRange
    }

    /// The stream's first line, with its newline.
    public var line: String {
        let ratio = rate.map { "\($0.numerator):\($0.denominator)" } ?? "0:0"
        let layout = chroma == .quarter ? "420mpeg2" : chroma.rawValue
        let range = color.isFullRange ? "FULL" : "LIMITED"
        return "YUV4MPEG2 W\(width) H\(height) F\(ratio) Ip A1:1 C\(layout) XCOLORRANGE=\(range)\n"
    }

    /// Bytes of a frame's samples.
    public var frameBytes: Int {
        switch chroma {
        case .quarter: width * height * 3 / 2
        case .half: width * height * 2
        case .full: width * height * 3
        }
    }

    static func refusal(_ cause: String, mend: String = "") -> Failure {
        Failure(.noSource, "cannot record the YUV4MPEG2 stream", because: cause, mend: mend)
    }

    private static func rate(_ value: Substring) throws(Failure) -> FrameRate? {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let numerator = Int64(parts[0]), let denominator = Int64(parts[1]) else {
            throw refusal("its rate F\(value.prefix(40)) is no ratio")
        }
        if numerator == 0 && denominator == 0 { return nil }
        guard let rate = FrameRate(numerator, denominator) else {
            throw refusal("its rate F\(value.prefix(40)) cannot be")
        }
        guard rate.perSecond >= 0.1 else {
            throw refusal(
                "its rate F\(value.prefix(40)) is too low", mend: "Send a picture every ten seconds at least.")
        }
        return rate
    }

    private static func checkInterlacing(_ value: Substring) throws(Failure) {
        guard value == "p" || value == "?" else {
            throw refusal(
                "it is interlaced", mend: "Deinterlace it, for example with ffmpeg … -vf yadif -f yuv4mpegpipe.")
        }
    }

    private static func chroma(_ value: Substring) throws(Failure) -> Chroma {
        switch value {
        case "420", "420jpeg", "420mpeg2", "420paldv": return .quarter
        case "422": return .half
        case "444": return .full
        default:
            throw refusal(
                "its sample layout C\(value.prefix(40)) is not known here",
                mend: "Send 8 bits in 4:2:0, for example with ffmpeg … -pix_fmt yuv420p -f yuv4mpegpipe.")
        }
    }
}
