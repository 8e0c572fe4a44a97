import Linux
import Media

/// Chooses pictures of a source that is faster than was asked for: the nearest one to each moment of the wanted rate.
struct FrameThinning {
    private let rate: FrameRate
    private let tolerance: Int64
    private var next: Int64 = 0

    /// Nil when the source is not faster than wanted.
    init?(from source: FrameRate, to wanted: FrameRate?) {
        guard let wanted, wanted.perSecond < source.perSecond else { return nil }
        rate = wanted
        tolerance = source.nanoseconds(of: 1) / 2
    }

    /// Whether a picture is kept; `time` is in nanoseconds from the first picture and rises from call to call.
    mutating func keeps(_ time: Int64) -> Bool {
        guard time + tolerance >= rate.nanoseconds(of: next) else { return false }
        // After a gap the moments that were missed are not made up for.
        next = max(next + 1, rate.periods(in: time + tolerance) + 1)
        return true
    }
}
