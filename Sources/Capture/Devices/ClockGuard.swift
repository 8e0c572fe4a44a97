import Linux
import Media

/// Checks the times that a driver gives. Drivers err: from the first time that cannot be, the moment of arrival counts.
struct ClockGuard {
    private static let tooOld: Int64 = 10_000_000_000
    /// How far times that follow one another closely are believed without a look at the clock.
    private static let credit: Int64 = 1_000_000_000
    private let period: Int64
    private var last: MonotonicTime?
    /// The driver's time that was held against the clock last.
    private var checked: MonotonicTime?
    /// False from the first impossible time on.
    private(set) var isTrusted = true

    /// - Parameter rate: the pictures' rate. A time may lie a period ahead: some drivers name the moment at which the
    ///   picture they deliver will have ended.
    init(rate: FrameRate) {
        period = rate.nanoseconds(of: 1)
    }

    /// Begins anew with the next picture: pictures were stopped, so that the next one's time does not follow the last.
    mutating func resume() {
        checked = nil
    }

    /// The time of a picture; later than the one before.
    ///
    /// The clock is looked at once a second of pictures, and for a picture that comes out of turn: a look costs as much as
    /// a request to the device.
    /// - Parameters:
    ///   - stamp: the driver's time.
    ///   - isMonotonic: whether the driver says that it is of CLOCK_MONOTONIC.
    ///   - now: the present moment, asked for when it is needed.
    mutating func time(
        _ stamp: MonotonicTime, isMonotonic: Bool, now: @autoclosure () -> MonotonicTime
    ) -> MonotonicTime {
        var arrival: MonotonicTime?
        if isTrusted && !follows(stamp, isMonotonic) {
            let present = now()
            arrival = present
            let isBackwards = last.map { stamp <= $0 } ?? false
            let isPossible = stamp - present <= period && present - stamp <= Self.tooOld
            isTrusted = isMonotonic && isPossible && !isBackwards
            checked = stamp
        }
        var time = isTrusted ? stamp : arrival ?? now()
        if let last, time <= last { time = last + 1 }
        last = time
        return time
    }

    /// Whether a time follows the one before as pictures do, and the clock was looked at not long ago.
    private func follows(_ stamp: MonotonicTime, _ isMonotonic: Bool) -> Bool {
        guard isMonotonic, let last, let checked else { return false }
        let step = stamp - last
        return step > 0 && step <= 2 * period && stamp - checked < Self.credit
    }
}
