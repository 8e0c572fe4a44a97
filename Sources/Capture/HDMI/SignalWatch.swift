import Linux
import Media
import V4L2

/// Watches a device's signal: by what the device tells of itself, and by asking it from time to time besides, since not
/// every driver tells. Used by one thread.
final class SignalWatch {
    /// Nanoseconds between two looks where the device tells of changes itself.
    static let calm: Int64 = 1_000_000_000
    /// Nanoseconds between two looks where it does not.
    static let alert: Int64 = 250_000_000

    /// What a look found.
    struct Finding {
        /// What comes in now, settled or not.
        var reading: V4L2Receiver.Reading
        /// Whether the reading counts: it was the same 200 ms ago, and nothing happened in between.
        var isSettled: Bool
        /// When the device told of a change since the last look.
        var change: MonotonicTime?
        /// The moment of the look.
        var time: MonotonicTime
    }

    private let epoll: Epoll
    private let timer: TimerDescriptor
    /// Nil while the device is gone.
    private var receiver: V4L2Receiver?
    private var isHearing = false
    private var debounce = SignalDebounce()

    /// - Throws: `Errno` when no descriptor is left.
    init() throws(Errno) {
        epoll = try Epoll()
        timer = try TimerDescriptor()
        try epoll.add(timer.raw, for: .readable, token: 0)
    }

    /// Readable when `look` should be called.
    var descriptor: Int32 { epoll.raw }

    /// Watches a device from now on.
    func attach(_ receiver: V4L2Receiver) throws(Errno) {
        detach()
        self.receiver = receiver
        try listen()
        look(after: 0)
    }

    /// Watches no device; the timer goes on.
    func detach() {
        pause()
        receiver = nil
        debounce.disturb()
    }

    /// Does not listen to the device for a while; the timer goes on.
    func pause() {
        if let receiver, isHearing { try? epoll.remove(receiver.descriptor) }
        isHearing = false
    }

    /// Listens to the device again.
    func listen() throws(Errno) {
        guard let receiver, !isHearing else { return }
        // The device's descriptor has to be watched for nothing but priority: while it does not stream it reports errors
        // to whoever waits for pictures.
        try epoll.add(receiver.descriptor, for: .priority, token: 1)
        isHearing = true
    }

    /// Reads the signal, and sets the time of the next look.
    /// - Returns: `unplugged` when the device is gone or none is watched.
    func look() -> Finding {
        takeTick()
        guard let receiver else {
            look(after: Self.calm)
            return Finding(reading: V4L2Receiver.Reading(state: .unplugged), isSettled: true, time: .now)
        }
        var change: MonotonicTime?
        var isGone = false
        do {
            while let time = try receiver.nextChange() { change = change ?? time }
        } catch {
            isGone = true
        }
        if change != nil { debounce.disturb() }
        let reading = isGone ? V4L2Receiver.Reading(state: .unplugged) : receiver.read()
        let now = MonotonicTime.now
        let isSettled = debounce.settles(reading.state, at: now)
        let usual = receiver.tellsOfChanges ? Self.calm : Self.alert
        set(timerAt: debounce.nextReading(after: now) ?? now + usual)
        return Finding(reading: reading, isSettled: isSettled, change: change, time: now)
    }

    /// Sets the next look to so many nanoseconds from now.
    func look(after nanoseconds: Int64) {
        set(timerAt: .now + nanoseconds)
    }

    /// Takes note that the timer has run out, where nothing is looked at.
    func takeTick() {
        _ = timer.expirations()
    }

    /// Waits until a look is due, a second at most: for the time before pictures come.
    func wait() {
        _ = try? epoll.wait(milliseconds: 1000) { _, _ in }
    }

    private func set(timerAt moment: MonotonicTime) {
        // It fails only for times that are none.
        try? timer.arm(at: moment)
    }
}
