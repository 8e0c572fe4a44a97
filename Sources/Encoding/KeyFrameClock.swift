import Linux
import Media

/// Says when a key frame is due by the frames' own times: a source that gives fewer frames than it said gets its key frames
/// as often as one that gives them all.
struct KeyFrameClock {
    private let interval: Int64
    private var last: MonotonicTime?

    /// - Parameters:
    ///   - seconds: from one key frame to the next at most.
    ///   - rate: the nominal rate; half a frame early counts as in time.
    init(seconds: Int, rate: FrameRate) {
        interval = Int64(seconds) * 1_000_000_000 - rate.nanoseconds(of: 1) / 2
    }

    /// Whether the frame of this time must be a key frame.
    func isDue(at time: MonotonicTime) -> Bool {
        guard let last else { return true }
        return time - last >= interval
    }

    /// Takes note of a key frame, for whatever reason it became one. One that was noted before it came stays noted.
    mutating func note(_ time: MonotonicTime) {
        last = max(last ?? time, time)
    }
}
