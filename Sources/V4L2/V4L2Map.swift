import CV4L
import Glibc
import Linux

/// The one owner of a device's buffer that is mapped into memory; it is unmapped when its owner goes.
struct V4L2Map: ~Copyable {
    /// All of the mapped bytes.
    let bytes: UnsafeMutableRawBufferPointer
    private let isOfLibrary: Bool

    init(_ descriptor: Int32, offset: Int64, count: Int, byLibrary isByLibrary: Bool) throws(Errno) {
        let address =
            isByLibrary
            ? v4l2_mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset)
            : mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset))
        guard address != MAP_FAILED, let address else { throw Errno.last }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: count)
        isOfLibrary = isByLibrary
    }

    deinit {
        if isOfLibrary {
            v4l2_munmap(bytes.baseAddress, bytes.count)
        } else {
            munmap(bytes.baseAddress, bytes.count)
        }
    }
}
