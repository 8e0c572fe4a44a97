import Linux

/// One encoded picture, ready for a file. Encoders make a few and reuse them: whoever took one gives it back
/// (`VideoEncoder.recycle`). It is used by one thread at a time.
public final class EncodedPacket: @unchecked Sendable {
    // Unchecked because packets travel through queues: whoever took the packet from the queue is its only user.

    /// When the picture was captured.
    public var time = MonotonicTime(nanoseconds: 0)
    /// True when the picture is an IDR picture, found in its NAL units.
    public var isKeyFrame = false
    /// Not nil on the first packet and on each packet from which other parameter sets hold.
    public var parameterSets: ParameterSets?
    private var storage: UnsafeMutableRawBufferPointer
    private var used = 0

    /// - Parameter capacity: bytes to start with; it grows with what is put in.
    public init(capacity: Int = 64 << 10) {
        storage = .allocate(byteCount: max(capacity, 1), alignment: 16)
    }

    deinit {
        storage.deallocate()
    }

    /// The picture's NAL units, each behind its length in four bytes, most significant first; without parameter sets
    /// and access unit delimiters (ISO/IEC 14496-15, 5.3.4.2).
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<used]) }

    /// Forgets the bytes and keeps their memory.
    public func reset() {
        used = 0
        isKeyFrame = false
        parameterSets = nil
    }

    /// Puts bytes behind those that are there.
    public func append(_ bytes: UnsafeRawBufferPointer) {
        if used + bytes.count > storage.count { grow(to: used + bytes.count) }
        UnsafeMutableRawBufferPointer(rebasing: storage[used...]).copyMemory(from: bytes)
        used += bytes.count
    }

    private func grow(to size: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size + size / 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<used]))
        storage.deallocate()
        storage = larger
    }
}
