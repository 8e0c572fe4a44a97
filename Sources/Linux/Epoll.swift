import CKernel
import Glibc

/// The kernel's event queue (`epoll(7)`): waits for many descriptors at once, level-triggered.
///
/// One thread waits; descriptors may be added and removed by the same thread.
public struct Epoll: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// What a descriptor is ready for.
    public struct Readiness: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Something can be read.
        public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        /// Something can be written.
        public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// An exceptional condition: a V4L2 event, for one.
        public static let priority = Readiness(rawValue: EPOLLPRI.rawValue)
        /// The descriptor reports an error.
        public static let failed = Readiness(rawValue: EPOLLERR.rawValue)
        /// The other side has gone.
        public static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue)
    }

    /// - Throws: `Errno` when no descriptor is left.
    public init() throws(Errno) {
        descriptor = FileDescriptor(owning: try Errno.check(epoll_create1(Int32(EPOLL_CLOEXEC))))
    }

    /// The queue's own descriptor, readable while any descriptor in it is ready: so a queue can stand in another.
    public var raw: Int32 { descriptor.raw }

    /// Watches a descriptor; `token` comes back with each event. A regular file gives EPERM: it is always ready.
    public func add(_ raw: Int32, for readiness: Readiness, token: UInt64) throws(Errno) {
        var event = epoll_event(events: readiness.rawValue, data: epoll_data_t(u64: token))
        _ = try Errno.check(epoll_ctl(descriptor.raw, EPOLL_CTL_ADD, raw, &event))
    }

    /// Changes what a watched descriptor is watched for.
    public func modify(_ raw: Int32, for readiness: Readiness, token: UInt64) throws(Errno) {
        var event = epoll_event(events: readiness.rawValue, data: epoll_data_t(u64: token))
        _ = try Errno.check(epoll_ctl(descriptor.raw, EPOLL_CTL_MOD, raw, &event))
    }

    /// Watches a descriptor no longer.
    public func remove(_ raw: Int32) throws(Errno) {
        var event = epoll_event()
        _ = try Errno.check(epoll_ctl(descriptor.raw, EPOLL_CTL_DEL, raw, &event))
    }

    /// Waits for events and hands each to `body`.
    /// - Parameters:
    ///   - milliseconds: the longest wait; nil for no limit.
    ///   - body: is called with token and readiness, on the calling thread.
    /// - Returns: the number of events; 0 when the time ran out or a signal interrupted the wait.
    @discardableResult
    public func wait(milliseconds: Int32?, _ body: (UInt64, Readiness) -> Void) throws(Errno) -> Int {
        var events: EventBatch = (
            epoll_event(), epoll_event(), epoll_event(), epoll_event(),
            epoll_event(), epoll_event(), epoll_event(), epoll_event()
        )
        let raw = descriptor.raw
        let count = withUnsafeMutableBytes(of: &events) { bytes -> Int32 in
            guard let first = bytes.assumingMemoryBound(to: epoll_event.self).baseAddress else { return 0 }
            return epoll_wait(raw, first, 8, milliseconds ?? -1)
        }
        if count < 0 {
            let reason = Errno.last
            if reason.code == EINTR { return 0 }
            throw reason
        }
        withUnsafeBytes(of: &events) { bytes in
            for event in bytes.assumingMemoryBound(to: epoll_event.self).prefix(Int(count)) {
                body(event.data.u64, Readiness(rawValue: event.events))
            }
        }
        return Int(count)
    }

    /// Eight events at a time, on the stack: a wait allocates nothing.
    private typealias EventBatch = (
        epoll_event, epoll_event, epoll_event, epoll_event, epoll_event, epoll_event, epoll_event, epoll_event
    )
}
