import Linux
import Media

/// How much a picture may cost that comes later than the nominal rate says: x264 counts pictures, and one of a still screen
/// a second would get a sixtieth of a second's bits, which is too little for its key frames. A value without side effects.
struct PictureSpan {
    private let period: Int64
    private let most: Int
    private var last: MonotonicTime?
    private var present = 1

    /// The share of a second that one picture may use up: x264 spends whatever it is given of a whole one, needed or not.
    private static let longest: Int64 = 250_000_000

    /// - Parameter rate: the nominal rate.
    init(rate: FrameRate) {
        period = rate.nanoseconds(of: 1)
        most = max(Int(Self.longest / max(period, 1)), 1)
    }

    /// Takes in when a picture was captured.
    /// - Returns: how many pictures' bits may be spent from it on; nil for as many as before.
    mutating func note(_ time: MonotonicTime) -> Int? {
        defer { last = time }
        guard let last else { return nil }
        let count = min(max(Int((time - last + period / 2) / max(period, 1)), 1), most)
        guard count != present else { return nil }
        present = count
        return count
    }
}
