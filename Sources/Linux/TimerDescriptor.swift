import CKernel
import Glibc

/// A timer of CLOCK_MONOTONIC that an event loop can wait for (`timerfd_create(2)`).
public struct TimerDescriptor: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// - Throws: `Errno` when no descriptor is left.
    public init() throws(Errno) {
        let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
        descriptor = FileDescriptor(owning: try Errno.check(timerfd_create(CLOCK_MONOTONIC, flags)))
    }

    /// The descriptor to wait for: readable once the timer has run out.
    public var raw: Int32 { descriptor.raw }

    /// Sets the timer to a moment, and to every `interval` nanoseconds after it when that is greater than 0.
    /// A moment that has passed runs out at once.
    public func arm(at moment: MonotonicTime, interval: Int64 = 0) throws(Errno) {
        let first = max(moment.nanoseconds, 1)
        var setting = itimerspec(
            it_interval: timespec(tv_sec: Int(interval / 1_000_000_000), tv_nsec: Int(interval % 1_000_000_000)),
            it_value: timespec(tv_sec: Int(first / 1_000_000_000), tv_nsec: Int(first % 1_000_000_000)))
        _ = try Errno.check(timerfd_settime(descriptor.raw, Int32(TFD_TIMER_ABSTIME), &setting, nil))
    }

    /// Stops the timer: it does not run out any more, and what ran out before is forgotten.
    public func disarm() throws(Errno) {
        var setting = itimerspec()
        _ = try Errno.check(timerfd_settime(descriptor.raw, 0, &setting, nil))
    }

    /// How often the timer ran out since it was last asked; 0 when it did not.
    public func expirations() -> UInt64 {
        var count: UInt64 = 0
        let size = withUnsafeMutableBytes(of: &count) { Glibc.read(descriptor.raw, $0.baseAddress, $0.count) }
        return size == 8 ? count : 0
    }
}
