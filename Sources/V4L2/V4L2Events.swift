import CKernel
import Glibc
import Linux

/// Something that a device tells of by itself (VIDIOC_DQEVENT).
public struct V4L2Event: Hashable, Sendable {
    /// V4L2_EVENT_….
    public let type: UInt32
    /// For V4L2_EVENT_SOURCE_CHANGE, V4L2_EVENT_SRC_CH_….
    public let changes: UInt32
    /// Events that wait behind it.
    public let pending: UInt32
}

extension V4L2Device {
    /// Asks for events of a type (VIDIOC_SUBSCRIBE_EVENT). The descriptor has priority readiness when one waits.
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
        return V4L2Event(type: event.type, changes: event.u.src_change.changes, pending: event.pending)
    }
}
