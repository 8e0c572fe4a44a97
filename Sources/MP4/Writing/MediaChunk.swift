import CKernel

/// Bytes that grow at their end, with their checksum. The memory is kept when the bytes are forgotten.
final class MediaChunk {
    private var storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Bytes so far.
    private(set) var count = 0
    /// The CRC-32C of the bytes so far, computed while they are warm in the processor's cache.
    private(set) var checksum: UInt32 = 0

    deinit {
        storage.deallocate()
    }

    /// The bytes, valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    /// Copies bytes behind those that are there.
    func append(_ more: UnsafeRawBufferPointer) {
        guard more.count > 0 else { return }
        if count + more.count > storage.count { grow(to: count + more.count) }
        UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: more)
        checksum = ckernel_crc32c(checksum, more.baseAddress, more.count)
        count += more.count
    }

    /// Forgets the bytes and keeps their memory.
    func removeAll() {
        count = 0
        checksum = 0
    }

    private func grow(to size: Int) {
        // Half as much again, so that a stream whose rate rises slowly does not copy at every fragment.
        let capacity = max(size + size / 2, 16 << 10)
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 64)
        larger.copyMemory(from: bytes)
        storage.deallocate()
        storage = larger
    }
}
