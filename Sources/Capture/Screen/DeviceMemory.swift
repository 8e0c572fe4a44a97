import CKernel
import Glibc
import Linux
import Media

/// Makes memory that devices can read and the processor can write: dma-bufs of the kernel's heaps ("DMA-BUF Heaps" in its
/// documentation), those first whose memory lies in one piece, as most encoders need it; else of ordinary memory (udmabuf).
struct DeviceMemory {
    /// Where memory is taken from.
    private enum Maker {
        case heap(String)
        case ordinary
    }

    private static let makers: [Maker] = [
        .heap("linux,cma"), .heap("default_cma_region"), .heap("reserved"), .heap("system"), .ordinary,
    ]

    /// Whether this process may make such memory at all.
    static var isAvailable: Bool {
        makers.contains { maker in
            switch maker {
            case .heap(let name): access(path(ofHeap: name), R_OK) == 0
            case .ordinary: access(ordinaryPath, R_OK | W_OK) == 0
            }
        }
    }

    /// Makes a piece of memory, all zero.
    /// - Parameter byteCount: 1 or more; there may be more of them than asked for.
    /// - Returns: the caller closes its descriptor.
    /// - Throws: the kernel's `Errno` for what was tried last.
    static func make(_ byteCount: Int) throws(Errno) -> SharedBuffer {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let whole = (byteCount + page - 1) / page * page
        var reason = Errno(ENODEV)
        for maker in makers {
            do throws(Errno) {
                switch maker {
                case .heap(let name): return try allocate(whole, fromHeap: name)
                case .ordinary: return try share(whole)
                }
            } catch {
                if error.code != ENOENT { reason = error }
            }
        }
        throw reason
    }

    private static func path(ofHeap name: String) -> String { "/dev/dma_heap/\(name)" }
    private static let ordinaryPath = "/dev/udmabuf"

    private static func allocate(_ byteCount: Int, fromHeap name: String) throws(Errno) -> SharedBuffer {
        let heap = try FileDescriptor.open(path(ofHeap: name), O_RDONLY)
        var request = dma_heap_allocation_data()
        request.len = UInt64(byteCount)
        request.fd_flags = UInt32(O_RDWR | O_CLOEXEC)
        guard ckernel_ioctl(heap.raw, CKERNEL_DMA_HEAP_IOCTL_ALLOC, &request) == 0 else { throw Errno.last }
        return SharedBuffer(descriptor: Int32(bitPattern: request.fd), byteCount: byteCount)
    }

    private static func share(_ byteCount: Int) throws(Errno) -> SharedBuffer {
        let device = try FileDescriptor.open(ordinaryPath, O_RDWR)
        let raw = ckernel_sealed_memory(byteCount)
        guard raw >= 0 else { throw Errno.last }
        let memory = FileDescriptor(owning: raw)
        var request = udmabuf_create()
        (request.memfd, request.flags) = (UInt32(bitPattern: memory.raw), UInt32(UDMABUF_FLAGS_CLOEXEC))
        request.size = UInt64(byteCount)
        let shared = ckernel_ioctl(device.raw, CKERNEL_UDMABUF_CREATE, &request)
        guard shared >= 0 else { throw Errno.last }
        return SharedBuffer(descriptor: shared, byteCount: byteCount)
    }
}
