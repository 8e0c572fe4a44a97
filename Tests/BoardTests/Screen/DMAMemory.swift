import CKernel
import Glibc
import Linux
import Media

/// Memory that devices can read and processes can hand to one another, as a display engine's is (a dma-buf of the system's
/// heap), with all of its bytes in sight.
final class DMAMemory {
    let descriptor: FileDescriptor
    let bytes: UnsafeMutableRawBufferPointer

    /// include/uapi/linux/dma-heap.h
    private struct Order {
        var length: UInt64
        var descriptor: UInt32 = 0
        var descriptorFlags = UInt32(O_RDWR | O_CLOEXEC)
        var heapFlags: UInt64 = 0
    }

    /// - Parameter byteCount: is rounded up to whole pages.
    init(byteCount: Int) throws(Errno) {
        let size = (byteCount + 4095) / 4096 * 4096
        let heap = try FileDescriptor.open("/dev/dma_heap/system", O_RDONLY)
        var order = Order(length: UInt64(size))
        // DMA_HEAP_IOCTL_ALLOC: _IOWR('H', 0, 24 bytes).
        guard ckernel_ioctl(heap.raw, 0xC018_4800, &order) == 0 else { throw Errno.last }
        descriptor = FileDescriptor(owning: Int32(order.descriptor))
        guard let map = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.raw, 0), map != MAP_FAILED else {
            throw Errno.last
        }
        bytes = UnsafeMutableRawBufferPointer(start: map, count: size)
    }

    deinit {
        munmap(bytes.baseAddress, bytes.count)
    }

    /// For a view of it; the descriptor stays here.
    var shared: SharedBuffer { SharedBuffer(descriptor: descriptor.raw, byteCount: bytes.count) }
}
