import Linux

/// Many alarms on one timer of the kernel, which is set for the next of them only: an idle recorder does not wake up.
///
/// It belongs to one thread.
struct TimerQueue<Key: Hashable>: ~Copyable {
    private let timer: TimerDescriptor
    private var alarms: [Key: MonotonicTime] = [:]
    private var set: MonotonicTime?

    /// - Throws: `Errno` when no descriptor is left.
    init() throws(Errno) {
        timer = try TimerDescriptor()
    }

    /// Readable when an alarm is due.
    var raw: Int32 { timer.raw }

    /// Sets an alarm, in place of the one of the same key.
    mutating func set(_ key: Key, at moment: MonotonicTime) {
        alarms[key] = moment
        arm()
    }

    /// Whether an alarm is set.
    func isSet(_ key: Key) -> Bool { alarms[key] != nil }

    /// Takes an alarm back.
    mutating func cancel(_ key: Key) {
        // The timer stays as it is: waking up once for nothing costs less than setting it each time.
        alarms[key] = nil
    }

    /// Takes those that are due, the earliest first.
    mutating func due(at now: MonotonicTime) -> [Key] {
        _ = timer.expirations()
        set = nil
        let due = alarms.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
        for key in due { alarms[key] = nil }
        arm()
        return due
    }

    private mutating func arm() {
        guard let next = alarms.values.min(), next != set else { return }
        if let set, set <= next { return }
        do throws(Errno) {
            try timer.arm(at: next)
            set = next
        } catch {
            // It fails for times that cannot be only.
        }
    }
}
