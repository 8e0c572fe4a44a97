import CKernel
import Glibc

/// The one owner of a part of a file or device that is mapped into memory (`mmap(2)`); it is unmapped when its owner goes.
public struct MemoryMap: ~Copyable {
    /// All of the mapped bytes.
    public let bytes: UnsafeMutableRawBufferPointer

    /// Maps for reading, and for writing where that is wanted, shared with whoever else has it mapped.
    /// - Parameters:
    ///   - descriptor: is not needed any longer afterwards.
    ///   - offset: a multiple of the page size, or what a driver gave.
    ///   - count: bytes, 1 or more.
    ///   - isWritable: false for memory that may only be read; whoever writes into it then gets SIGSEGV.
    /// - Throws: the kernel's `Errno`.
    public init(_ descriptor: Int32, offset: Int64, count: Int, isWritable: Bool = true) throws(Errno) {
        let access = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
        let address = mmap(nil, count, access, MAP_SHARED, descriptor, off_t(offset))
        guard address != MAP_FAILED, let address else { throw Errno.last }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: count)
    }

    deinit {
        munmap(bytes.baseAddress, bytes.count)
    }
}
