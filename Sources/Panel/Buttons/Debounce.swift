import Linux

/// Waits until a contact has come to rest, where neither driver nor kernel does: a level counts once it has stayed for a
/// whole period. A value without clock or device.
struct Debounce: Equatable, Sendable {
    /// A level that has come to rest.
    struct Change: Equatable, Sendable {
        var isClosed: Bool
        /// When the contact went there and stayed.
        var time: MonotonicTime
        var isExact: Bool
    }

    private let period: Int64
    private var settled: Bool
    private var waiting: Change?

    /// - Parameters:
    ///   - period: nanoseconds; 0 lets everything through at once.
    ///   - isClosed: how the contact is now.
    init(period: Int64, isClosed: Bool) {
        self.period = period
        settled = isClosed
    }

    /// When the waiting level has stayed long enough; nil while none waits.
    var deadline: MonotonicTime? { waiting.map { $0.time + period } }

    /// An edge as it came.
    /// - Returns: the level before it, where that had stayed long enough, and with no period the edge itself.
    mutating func edge(_ change: Change) -> [Change] {
        guard period > 0 else {
            settled = change.isClosed
            return [change]
        }
        let before = rest(until: change.time)
        waiting = change.isClosed == settled ? nil : change
        return before.map { [$0] } ?? []
    }

    /// Time has gone on to `time`.
    /// - Returns: the level that has come to rest by then.
    mutating func rest(until time: MonotonicTime) -> Change? {
        guard let deadline, deadline <= time, let change = waiting else { return nil }
        waiting = nil
        settled = change.isClosed
        return change
    }
}
