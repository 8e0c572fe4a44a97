import Linux

/// The pictures that went into an encoder and did not come out yet, by their capture times, oldest first. It has room for
/// a fixed number and allocates nothing later.
struct PendingPictures {
    /// How many there are.
    private(set) var count = 0
    private var times = Array(repeating: MonotonicTime(nanoseconds: 0), count: capacity)
    private var head = 0

    /// More than any encoder holds.
    static let capacity = 128

    /// When the one was captured that went in first; nil where there is none.
    var oldest: MonotonicTime? { count > 0 ? times[head] : nil }

    /// Puts a picture behind the others.
    /// - Returns: pictures that can no longer be expected, since there are too many.
    mutating func add(_ time: MonotonicTime) -> Int64 {
        let lost = count == Self.capacity
        if lost { removeFirst() }
        times[(head + count) % Self.capacity] = time
        count += 1
        return lost ? 1 : 0
    }

    /// Takes away the picture that came out.
    /// - Returns: pictures in front of it, which the encoder left out: it keeps their order.
    mutating func remove(_ time: MonotonicTime) -> Int64 {
        var skipped: Int64 = 0
        while count > 0, times[head] <= time {
            if times[head] < time { skipped += 1 }
            removeFirst()
        }
        return skipped
    }

    /// Takes all away.
    /// - Returns: how many there were.
    mutating func removeAll() -> Int64 {
        defer { count = 0 }
        return Int64(count)
    }

    private mutating func removeFirst() {
        head = (head + 1) % Self.capacity
        count -= 1
    }
}
