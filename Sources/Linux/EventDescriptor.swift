import CKernel
import Glibc

/// A counter that one thread raises and another waits for (`eventfd(2)`). It does not block.
public final class EventDescriptor: Sendable {
    private let descriptor: FileDescriptor

    /// - Throws: `Errno` when no descriptor is left.
    public init() throws(Errno) {
        descriptor = FileDescriptor(owning: try Errno.check(eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))))
    }

    /// The descriptor to wait for: readable after a signal until it is cleared.
    public var raw: Int32 { descriptor.raw }

    /// Wakes whoever waits. From any thread.
    public func signal() {
        var one: UInt64 = 1
        // A full counter (EAGAIN) is a signal that was not taken yet, which is all that is wanted.
        _ = withUnsafeBytes(of: &one) { Glibc.write(descriptor.raw, $0.baseAddress, $0.count) }
    }

    /// Takes back all signals so far.
    public func clear() {
        var count: UInt64 = 0
        _ = withUnsafeMutableBytes(of: &count) { Glibc.read(descriptor.raw, $0.baseAddress, $0.count) }
    }

    /// Waits until a signal comes and takes it. For threads that wait for nothing else.
    public func wait() {
        var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) < 0 && errno == EINTR {}
        clear()
    }

    /// Waits until a signal comes, and takes it, or the time runs out.
    /// - Returns: false when the time ran out.
    public func wait(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return false }
        clear()
        return true
    }
}
