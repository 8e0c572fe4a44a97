import Glibc
import Linux

/// A descriptor to wait for in place of another, which can be shut while nothing must be read. A regular file, for which
/// the kernel knows no waiting, is always ready while the gate is open.
struct ReadGate: ~Copyable {
    private let raw: Int32
    private let epoll: Epoll
    /// Not nil for a regular file: what is watched in its place.
    private let standIn: EventDescriptor?
    private var isOpen = false

    /// A shut gate.
    init(for raw: Int32) throws(Errno) {
        let epoll = try Epoll()
        var standIn: EventDescriptor?
        do {
            try epoll.add(raw, for: .readable, token: 0)
            try epoll.remove(raw)
        } catch {
            guard error.code == EPERM else { throw error }
            let event = try EventDescriptor()
            event.signal()
            standIn = event
        }
        self.raw = raw
        self.epoll = epoll
        self.standIn = standIn
    }

    /// Readable while the gate is open and the other descriptor has something or has ended.
    var descriptor: Int32 { epoll.raw }

    /// Opens or shuts; a call for the state that is costs nothing.
    mutating func set(open: Bool) throws(Errno) {
        guard open != isOpen else { return }
        let watched = standIn?.raw ?? raw
        if open {
            try epoll.add(watched, for: .readable, token: 0)
        } else {
            try epoll.remove(watched)
        }
        isOpen = open
    }
}
