import Glibc
import Media

extension SoftwareEncoder {
    /// What a software encoder is asked to do.
    public struct Configuration: Sendable {
        /// The frames' shape: NV12 or YUV420, even sides of 16…16384 pixels.
        public var format: VideoFormat
        /// Bits a second, 10 000…800 000 000.
        public var bitrate: Int
        /// How much work is put into each frame.
        public var preset: Preset = .automatic
        /// Threads that share a frame, 0…64; 0 chooses by the machine and the size.
        public var threads = 0
        /// A key frame comes at least this often, 1…600 seconds.
        public var keyFrameSeconds = 2
        /// False for a source that waits for the encoder: there is no need to keep up then, and the effort stays as it is.
        public var isLive = true

        /// - Parameters:
        ///   - format: the frames' shape.
        ///   - bitrate: bits a second; nil chooses by size and rate.
        public init(format: VideoFormat, bitrate: Int? = nil) {
            self.format = format
            self.bitrate = bitrate ?? Self.usualBitrate(width: format.width, height: format.height, rate: format.rate)
        }

        /// A bit rate that looks good on ordinary pictures: 6 Mb/s for 1920x1080 at 30 a second. With twice as many pixels
        /// a second it is not twice as much but 1.7 times, since they resemble one another more.
        /// - Returns: bits a second, a multiple of 50 000, at least 100 000: 3.3 Mb/s for 1280x720 at 30 a second, 10.1 for
        ///   1920x1080 at 60, 17 for 3840x2160 at 30.
        public static func usualBitrate(width: Int, height: Int, rate: FrameRate) -> Int {
            let pixels = Double(width) * Double(height) * rate.perSecond
            let bits = 6_000_000 * pow(pixels / (1920 * 1080 * 30), 0.75)
            return min(max(Int((bits / 50_000).rounded()) * 50_000, 100_000), 800_000_000)
        }

        /// - Throws: `Failure` of kind invalidValue that names the value and what it may be.
        func validate() throws(Failure) {
            func require(_ holds: Bool, _ thing: String, _ cause: String, _ mend: String) throws(Failure) {
                if !holds { throw Failure(.invalidValue, "cannot encode \(thing)", because: cause, mend: mend) }
            }
            let (width, height) = (format.width, format.height)
            try require(
                format.pixelFormat == .nv12 || format.pixelFormat == .yuv420, format.pixelFormat.rawValue,
                "the encoder takes 4:2:0 pictures only", "Convert to NV12 first.")
            try require(
                (16...16384).contains(width) && (16...16384).contains(height), "\(width)x\(height)",
                "a side is outside 16 to 16384 pixels", "Choose another size.")
            try require(
                width % 2 == 0 && height % 2 == 0, "\(width)x\(height)", "4:2:0 pictures have no odd sides",
                "Choose an even width and height.")
            try require(
                format.rate.numerator <= Int64(Int32.max) && format.rate.denominator <= Int64(Int32.max),
                "at \(format.rate.numerator)/\(format.rate.denominator) pictures a second",
                "the numbers do not fit in an H.264 header", "Give the rate with smaller numbers.")
            try require(
                (10_000...800_000_000).contains(bitrate), "at \(bitrate) bits a second",
                "that is outside 10000 to 800000000", "Choose another bit rate.")
            try require(
                (0...64).contains(threads), "with \(threads) threads", "that is outside 0 to 64",
                "Use 0 to let the encoder choose.")
            try require(
                (1...600).contains(keyFrameSeconds), "with a key frame every \(keyFrameSeconds) seconds",
                "that is outside 1 to 600", "Use 2.")
        }
    }

    /// How much work is put into each frame.
    public enum Preset: Hashable, Sendable {
        /// What the machine can do in real time; it follows the load while recording.
        case automatic
        /// Always the same.
        case fixed(Effort)

        /// - Parameter name: "automatic", or an x264 preset from "ultrafast" to "slower".
        public init?(name: String) {
            if name == "automatic" {
                self = .automatic
            } else if let effort = Effort(rawValue: name) {
                self = .fixed(effort)
            } else {
                return nil
            }
        }
    }

    /// x264's presets that make sense for recording, the least effort first. Above superfast, pictures encoded without delay
    /// hardly become better, at two to six times the work.
    public enum Effort: String, Sendable, CaseIterable {
        case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower
    }
}
