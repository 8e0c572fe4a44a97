import Glibc

/// A moment of CLOCK_MONOTONIC in nanoseconds, as the kernel stamps frames and samples.
public struct MonotonicTime: Comparable, Hashable, Sendable {
    /// Nanoseconds since the clock's start.
    public var nanoseconds: Int64

    /// - Parameter nanoseconds: nanoseconds since the clock's start.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The present moment.
    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The span between two moments, in nanoseconds.
    public static func - (left: MonotonicTime, right: MonotonicTime) -> Int64 {
        left.nanoseconds - right.nanoseconds
    }

    /// The moment that lies a number of nanoseconds later.
    public static func + (left: MonotonicTime, nanoseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: left.nanoseconds + nanoseconds)
    }
}
