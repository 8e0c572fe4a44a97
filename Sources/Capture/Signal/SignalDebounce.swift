import Linux
import Media

/// Waits until a signal holds still: what was read counts once it was read again, the same, at least 200 ms later, and
/// nothing was told of a change in between. While a receiver locks onto a signal it shows sizes that are none.
struct SignalDebounce {
    /// Nanoseconds between two readings that have to be the same.
    static let patience: Int64 = 200_000_000
    /// What was read last, and the moment of its first reading.
    private var candidate: (state: SignalState, since: MonotonicTime)?

    /// Takes note of a change that the device told of: what was read before says nothing any more.
    mutating func disturb() {
        candidate = nil
    }

    /// Takes a reading.
    /// - Returns: whether it counts.
    mutating func settles(_ state: SignalState, at now: MonotonicTime) -> Bool {
        guard let candidate, candidate.state.isSame(as: state) else {
            self.candidate = (state, now)
            return false
        }
        return now - candidate.since >= Self.patience
    }

    /// When the signal should be read again for the reading to count; nil when nothing was read, or it counts already.
    func nextReading(after now: MonotonicTime) -> MonotonicTime? {
        guard let candidate, now - candidate.since < Self.patience else { return nil }
        return candidate.since + Self.patience
    }
}
