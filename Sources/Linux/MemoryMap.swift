import CKernel
import Glibc

/// The one owner of a part of a file or device that is mapped into memory (`mmap(2)`); it is unmapped when its owner goes.
public struct MemoryMap: ~Copyable {
    /// All of the mapped bytes.
    public let bytes: UnsafeMutableRawBufferPointer

    /// Maps for reading and writing, shared with whoever else has it mapped.
    /// - Parameters:
    ///   - descriptor: is not needed any longer afterwards.
    ///   - offset: a multiple of the page size, or what a driver gave.
    ///   - count: bytes, 1 or more.
    /// - Throws: the kernel's `Errno`.
    public init(_ descriptor: Int32, offset: Int64, count: Int) throws(Errno) {
        let address = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset))
        guard address != MAP_FAILED, let address else { throw Errno.last }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: count)
    }

    deinit {
        munmap(bytes.baseAddress, bytes.count)
    }
}
