import Linux
import Media

/// Decides which numbers a live synthetic source shows, as a camera with a fixed number of buffers would: a frame that
/// comes due while no buffer is free is lost and its number skipped.
struct FramePacer {
    private let rate: FrameRate
    private let count: Int64?
    /// The time of frame 0.
    let origin: MonotonicTime
    /// Numbers that came due while a buffer was free, and were not taken yet: oldest first. Runs without a gap.
    private var due: [Range<Int64>] = []
    private var reserved = 0
    /// The first number that has not come due yet, as far as is known.
    private(set) var next: Int64 = 0
    /// Frames that came due while no buffer was free.
    private(set) var lost: UInt64 = 0

    /// - Parameters:
    ///   - origin: the time of frame 0.
    ///   - count: frames in all; nil for no end.
    ///   - buffers: the number of buffers that there are.
    init(rate: FrameRate, origin: MonotonicTime, count: Int64?, buffers: Int) {
        self.rate = rate
        self.count = count
        self.origin = origin
        due.reserveCapacity(buffers)
    }

    /// Numbers that can be taken.
    var waiting: Int { reserved }

    /// Whether every number has come due.
    var isExhausted: Bool { count.map { next >= $0 } ?? false }

    /// The time of a number.
    func time(of number: Int64) -> MonotonicTime { origin + rate.nanoseconds(of: number) }

    /// Takes note of what has come due.
    /// - Parameter free: buffers that are free, those for numbers that wait included. Call before this number changes.
    mutating func advance(to now: MonotonicTime, free: Int) {
        guard !isExhausted, now >= time(of: next) else { return }
        var end = rate.periods(in: now - origin) + 1
        // Times are rounded down, so the number before or after may be the true one.
        while time(of: end) <= now { end += 1 }
        while end > next && time(of: end - 1) > now { end -= 1 }
        if let count { end = min(end, count) }
        let taken = min(Int64(max(free - reserved, 0)), end - next)
        if taken > 0 { reserve(next..<(next + taken)) }
        lost += UInt64(end - next - taken)
        next = end
    }

    /// Lets the next number come due when a buffer is free for it: the pace of a source that waits for its reader.
    mutating func advanceByOne(free: Int) {
        guard !isExhausted, free > reserved else { return }
        reserve(next..<(next + 1))
        next += 1
    }

    /// The oldest number that waits.
    mutating func take() -> Int64? {
        guard let first = due.first else { return nil }
        reserved -= 1
        if first.count == 1 {
            due.removeFirst()
        } else {
            due[0] = (first.lowerBound + 1)..<first.upperBound
        }
        return first.lowerBound
    }

    private mutating func reserve(_ numbers: Range<Int64>) {
        reserved += numbers.count
        if let last = due.last, last.upperBound == numbers.lowerBound {
            due[due.count - 1] = last.lowerBound..<numbers.upperBound
        } else {
            due.append(numbers)
        }
    }
}
