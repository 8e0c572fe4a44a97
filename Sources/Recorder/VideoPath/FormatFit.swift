import Media
import V4L2

/// How the buffers of one device, the giver, fit another one that reads them, the taker: found by asking both drivers
/// (VIDIOC_TRY_FMT), since neither tells its rules.
struct FormatFit: Hashable {
    /// What the giver's capture queue is to be set to.
    let given: V4L2Format
    /// What the taker's output queue is to be set to; the lines are as long as the giver's.
    let taken: V4L2Format
    /// Whether the giver had to be asked for longer lines or larger pieces than it has by itself.
    let isPadded: Bool

    /// What a driver makes of a format; nil when it refuses.
    typealias Trial = (V4L2Format) -> V4L2Format?

    /// Why the buffers do not fit.
    enum Misfit: Error, Hashable {
        /// The taker refuses the size, or can only do smaller pictures.
        case size
        /// R'G'B' in 16 to 235: devices that make Y'CbCr of it take it for 0 to 255, and cannot be told.
        case range
        /// Bytes of a line.
        case lines(given: Int, wanted: Int)
        /// Lines in front of the colour planes.
        case height(given: Int, wanted: Int)
        /// Bytes of a piece of memory.
        case pieces(given: Int, wanted: Int)
    }

    /// - Parameters:
    ///   - offer: as the giver has it by itself.
    ///   - giver: the giver's driver.
    ///   - code: the taker's four-character code for the offer's layout.
    ///   - taker: the taker's driver.
    init(_ offer: V4L2Format, _ giver: Trial, as code: UInt32, _ taker: Trial) throws(Misfit) {
        if Self.isNarrowRGB(offer) { throw .range }
        let first = try Self.answer(of: taker, to: offer, code)
        let obstacle = Self.misfit(offer, first)
        let asItComes = FormatFit(given: offer, taken: first, isPadded: false)
        if obstacle == nil && asItComes.isShareable {
            self = asItComes
            return
        }
        do throws(Misfit) {
            self = try Self.padded(offer, giver, first, code, taker)
        } catch {
            // Told as a person finds it: with what the giver has by itself.
            if let obstacle { throw obstacle }
            self = asItComes
        }
    }

    /// The fit with lines and pieces as long as the taker wants them, if the giver can have such.
    private static func padded(
        _ offer: V4L2Format, _ giver: Trial, _ first: V4L2Format, _ code: UInt32, _ taker: Trial
    ) throws(Misfit) -> FormatFit {
        var wish = offer
        for (index, plane) in first.planes.enumerated() {
            wish.planes[index].bytesPerLine = max(plane.bytesPerLine, wish.planes[index].bytesPerLine)
            wish.planes[index].byteCount = max(plane.byteCount, wish.planes[index].byteCount)
        }
        guard let given = giver(wish), given.width == offer.width, given.height == offer.height,
            given.fourcc == offer.fourcc, given.planes.count == offer.planes.count
        else { throw .size }
        let taken = try answer(of: taker, to: given, code)
        if let misfit = misfit(given, taken) { throw misfit }
        return FormatFit(given: given, taken: taken, isPadded: given.planes != offer.planes)
    }

    private init(given: V4L2Format, taken: V4L2Format, isPadded: Bool) {
        self.given = given
        self.taken = taken
        self.isPadded = isPadded
    }

    /// Whether samples are R'G'B' that keeps to 16 to 235.
    static func isNarrowRGB(_ format: V4L2Format) -> Bool {
        guard let layout = V4L2Layout.of(format.fourcc)?.pixelFormat, layout.isRGB else { return false }
        return !format.color.description(layout, width: format.width, height: format.height).isFullRange
    }

    /// Whether the giver's own buffers are large enough for the taker: a dma-buf that is smaller than the format's pieces
    /// is refused (VIDIOC_QBUF).
    var isShareable: Bool { zip(given.planes, taken.planes).allSatisfy { $0.byteCount >= $1.byteCount } }

    /// Whether the taker's own buffers are large enough for the giver.
    var isLendable: Bool { zip(given.planes, taken.planes).allSatisfy { $0.byteCount <= $1.byteCount } }

    private static func answer(of taker: Trial, to given: V4L2Format, _ code: UInt32) throws(Misfit) -> V4L2Format {
        var wish = given
        wish.fourcc = code
        guard let answer = taker(wish), answer.fourcc == code, answer.planes.count == given.planes.count,
            answer.width >= given.width, answer.height >= given.height
        else { throw .size }
        return answer
    }

    /// What keeps the taker from reading the giver's buffers, or the giver from writing the taker's; nil when nothing does.
    private static func misfit(_ given: V4L2Format, _ taken: V4L2Format) -> Misfit? {
        for (mine, theirs) in zip(given.planes, taken.planes) where mine.bytesPerLine != theirs.bytesPerLine {
            return .lines(given: mine.bytesPerLine, wanted: theirs.bytesPerLine)
        }
        // In one piece the colour planes begin where luma's lines end: after as many as the format says.
        let isOnePiece = given.planes.count == 1
        let planes = V4L2Layout.of(given.fourcc)?.pixelFormat.planes(width: given.width, height: given.height).count
        if isOnePiece && planes != 1 && taken.height != given.height {
            return .height(given: given.height, wanted: taken.height)
        }
        let fit = FormatFit(given: given, taken: taken, isPadded: false)
        return fit.isShareable || fit.isLendable ? nil : fit.shortage
    }

    /// The first piece whose sizes differ.
    var shortage: Misfit {
        let pair = zip(given.planes, taken.planes).first { $0.byteCount != $1.byteCount }
        return .pieces(given: pair?.0.byteCount ?? 0, wanted: pair?.1.byteCount ?? 0)
    }
}

extension FormatFit.Misfit {
    /// "lines of 1366 bytes, the encoder wants 1408".
    /// - Parameters:
    ///   - taker: "the encoder".
    ///   - format: what was offered.
    func words(_ taker: String, _ format: V4L2Format) -> String {
        switch self {
        case .size:
            "\(taker) takes no \(V4L2Layout.name(format.fourcc)) \(format.width)x\(format.height)"
        case .range:
            "\(V4L2Layout.name(format.fourcc)) with values from 16 to 235, which \(taker) would take for 0 to 255"
        case .lines(let given, let wanted): "lines of \(given) bytes, \(taker) wants \(wanted)"
        case .height(let given, let wanted): "colour behind \(given) lines, \(taker) wants it behind \(wanted)"
        case .pieces(let given, let wanted): "buffers of \(given) bytes, \(taker) wants \(wanted)"
        }
    }
}
