import CKernel
import Glibc
import Linux
import Media

/// A fence that is signalled when a test says so (the kernel's sw_sync), as a graphics processor's that still draws.
final class SoftwareFence {
    private let timeline: FileDescriptor

    /// SW_SYNC_IOC_CREATE_FENCE, SW_SYNC_IOC_INC (drivers/dma-buf/sw_sync.c) and DMA_BUF_IOCTL_IMPORT_SYNC_FILE.
    private static let create: UInt = 0xC028_5700
    private static let increase: UInt = 0x4004_5701
    private static let attach: UInt = 0x4008_6203

    init() throws {
        timeline = try FileDescriptor.open("/sys/kernel/debug/sync/sw_sync", O_RDWR)
    }

    /// Puts a fence on a buffer.
    /// - Parameter isWriting: whether somebody writes until then, or only reads.
    func hold(_ buffer: SharedBuffer, isWriting: Bool = true) throws {
        // A value, a name of 32 bytes, and the descriptor that comes back.
        var request = [UInt32](repeating: 0, count: 10)
        request[0] = 1
        guard ckernel_ioctl(timeline.raw, Self.create, &request) == 0 else { throw Errno.last }
        let fence = FileDescriptor(owning: Int32(bitPattern: request[9]))
        let access = isWriting ? UInt32(DMA_BUF_SYNC_WRITE) : UInt32(DMA_BUF_SYNC_READ)
        var attached = (flags: access, descriptor: fence.raw)
        guard ckernel_ioctl(buffer.descriptor, Self.attach, &attached) == 0 else { throw Errno.last }
    }

    /// Signals it.
    func signal() throws {
        var steps: UInt32 = 1
        guard ckernel_ioctl(timeline.raw, Self.increase, &steps) == 0 else { throw Errno.last }
    }
}
