import Linux

/// A descriptor to wait for in place of a device's, which is shut while the device has no pictures to give: other than
/// theirs it stays the same when the device goes and comes back. A timer stands behind the same descriptor.
struct CaptureGate: ~Copyable {
    private let epoll: Epoll
    private let timer: TimerDescriptor
    /// The device that is watched; nil while the gate is shut.
    private var watched: Int32?

    /// A shut gate.
    /// - Throws: `Errno` when no descriptor is left.
    init() throws(Errno) {
        let epoll = try Epoll()
        let timer = try TimerDescriptor()
        try epoll.add(timer.raw, for: .readable, token: 0)
        self.epoll = epoll
        self.timer = timer
        watched = nil
    }

    /// Readable while the gate is open and the device has a picture, and when the timer has run out.
    var descriptor: Int32 { epoll.raw }

    /// Opens for a device; a call while it is open costs nothing.
    mutating func open(_ raw: Int32) throws(Errno) {
        guard watched != raw else { return }
        try shut()
        try epoll.add(raw, for: .readable, token: 1)
        watched = raw
    }

    /// Shuts; a call while it is shut costs nothing.
    mutating func shut() throws(Errno) {
        guard let watched else { return }
        self.watched = nil
        try epoll.remove(watched)
    }

    /// Lets the timer run out now, and every `interval` nanoseconds from now on. None of this fails for times that are some.
    func tick(every interval: Int64) {
        try? timer.arm(at: .now, interval: interval)
    }

    /// Lets the timer run out at a moment, once.
    func ring(at moment: MonotonicTime) {
        try? timer.arm(at: moment)
    }

    /// Lets the timer run out now, once.
    func ringOnce() {
        try? timer.arm(at: .now)
    }

    /// Stops the timer.
    func silence() {
        try? timer.arm(at: MonotonicTime(nanoseconds: .max))
    }

    /// How often the timer ran out since it was last asked.
    func takeTicks() -> UInt64 { timer.expirations() }
}
