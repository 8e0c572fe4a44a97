import CKernel
import Glibc
import Linux

/// Something that a device tells of by itself (VIDIOC_DQEVENT).
public struct V4L2Event: Hashable, Sendable {
    /// V4L2_EVENT_….
    public let type: UInt32
    /// For V4L2_EVENT_SOURCE_CHANGE, V4L2_EVENT_SRC_CH_….
    public let changes: UInt32
    /// When it happened, as the kernel stamped it.
    public let time: MonotonicTime
    /// Events that wait behind it.
    public let pending: UInt32
}

extension V4L2Node {
    /// Asks for events of a type (VIDIOC_SUBSCRIBE_EVENT). The descriptor has priority readiness when one waits.
    /// - Throws: the driver's `Errno`: ENOTTY or EINVAL for a device that does not tell of such events.
    public func subscribe(_ type: UInt32) throws(Errno) {
        var subscription = v4l2_event_subscription()
        subscription.type = type
        try request(CKERNEL_VIDIOC_SUBSCRIBE_EVENT, &subscription)
    }

    /// The next event, without waiting; nil when there is none.
    public func nextEvent() throws(Errno) -> V4L2Event? {
        var event = v4l2_event()
        do {
            try request(CKERNEL_VIDIOC_DQEVENT, &event)
        } catch {
            if error.code == ENOENT || error.code == EAGAIN { return nil }
            throw error
        }
        let stamp = event.timestamp
        return V4L2Event(
            type: event.type, changes: event.u.src_change.changes,
            time: MonotonicTime(nanoseconds: Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)),
            pending: event.pending)
    }
}
