import CKernel
import Linux
import Media

/// The one owner of a dma-buf that is mapped into memory; it is unmapped when its owner goes.
///
/// Between `begin` and `end` the processor and the devices see the same bytes (DMA_BUF_IOCTL_SYNC).
public struct SharedMap: ~Copyable {
    /// All of the mapped bytes.
    public var bytes: UnsafeMutableRawBufferPointer { map.bytes }
    private let map: MemoryMap
    private let descriptor: Int32

    /// What the processor does with the bytes.
    public enum Access: Sendable {
        case reading, writing

        var flags: UInt64 { self == .reading ? UInt64(DMA_BUF_SYNC_READ) : UInt64(DMA_BUF_SYNC_WRITE) }
    }

    /// Maps for reading, or for both.
    /// - Parameters:
    ///   - buffer: stays open for as long as the map lives.
    ///   - access: what it is for; memory of a screen is often shared for reading alone.
    /// - Throws: the kernel's `Errno`; not every device's memory can be mapped.
    public init(_ buffer: SharedBuffer, for access: Access = .writing) throws(Errno) {
        map = try MemoryMap(
            buffer.descriptor, offset: 0, count: buffer.byteCount, isWritable: access == .writing)
        descriptor = buffer.descriptor
    }

    /// To be called before the processor touches the bytes.
    public func begin(_ access: Access) throws(Errno) {
        try synchronise(access.flags | UInt64(DMA_BUF_SYNC_START))
    }

    /// To be called when the processor has done with the bytes.
    public func end(_ access: Access) throws(Errno) {
        try synchronise(access.flags | UInt64(DMA_BUF_SYNC_END))
    }

    private func synchronise(_ flags: UInt64) throws(Errno) {
        var request = dma_buf_sync(flags: flags)
        guard ckernel_ioctl(descriptor, CKERNEL_DMA_BUF_IOCTL_SYNC, &request) == 0 else { throw Errno.last }
    }
}
