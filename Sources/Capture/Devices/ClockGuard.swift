import Linux
import Media

/// Checks the times that a driver gives. Drivers err: from the first time that cannot be, the moment of arrival counts.
struct ClockGuard {
    private static let tooOld: Int64 = 10_000_000_000
    private let ahead: Int64
    private var last: MonotonicTime?
    /// False from the first impossible time on.
    private(set) var isTrusted = true

    /// - Parameter rate: the pictures' rate. A time may lie a period ahead: some drivers name the moment at which the
    ///   picture they deliver will have ended.
    init(rate: FrameRate) {
        ahead = rate.nanoseconds(of: 1)
    }

    /// The time of a picture; later than the one before.
    /// - Parameters:
    ///   - stamp: the driver's time.
    ///   - isMonotonic: whether the driver says that it is of CLOCK_MONOTONIC.
    ///   - now: the present moment.
    mutating func time(_ stamp: MonotonicTime, isMonotonic: Bool, now: MonotonicTime) -> MonotonicTime {
        let isBackwards = last.map { stamp <= $0 } ?? false
        if !isMonotonic || stamp - now > ahead || now - stamp > Self.tooOld || isBackwards { isTrusted = false }
        var time = isTrusted ? stamp : now
        if let last, time <= last { time = last + 1 }
        last = time
        return time
    }
}
