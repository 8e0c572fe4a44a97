import CKernel
import Linux
import Synchronization

/// A STREAMOFF on a thread of its own, since it may take as long as a device likes. Until it has ended the device must be
/// left alone: other requests would wait behind it.
public final class V4L2Stop: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let done: EventDescriptor

    /// - Parameters:
    ///   - descriptor: the device's.
    ///   - type: the queue.
    init(_ descriptor: Int32, _ type: V4L2BufferType) throws(Errno) {
        done = try EventDescriptor()
        // A descriptor of its own, so that the device stays open for as long as it is being stopped.
        let device = try FileDescriptor.duplicate(of: descriptor).release()
        let type = type.rawValue
        do {
            try Thread("stream-off") { [self] in
                var type = Int32(type)
                // Whether it fails makes no difference: the device is given up, or the next start says so.
                _ = ckernel_ioctl(device, CKERNEL_VIDIOC_STREAMOFF, &type)
                _ = FileDescriptor(owning: device)
                isOver.store(true, ordering: .releasing)
                done.signal()
            }.detach()
        } catch {
            _ = FileDescriptor(owning: device)
            throw error
        }
    }

    /// Whether the device has stopped.
    public var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    /// Waits until the device has stopped, or the time runs out.
    /// - Returns: whether it has stopped.
    public func wait(milliseconds: Int32) -> Bool {
        hasEnded || done.wait(milliseconds: milliseconds) || hasEnded
    }
}
