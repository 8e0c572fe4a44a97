import CKernel

/// The samples of one track in a fragment that is being filled: their bytes one behind the other, with their checksum, and
/// an entry for each. The memory is kept when the samples are forgotten.
final class FragmentTrack {
    // Behind a pointer that never changes: what is done for each sample needs no check that nobody else is at it.
    private let state: UnsafeMutablePointer<State>

    private struct State {
        var run = SampleRun()
        var checksum: UInt32 = 0
        var storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        var lastTime: Int64 = 0
    }

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        state.pointee.storage.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// What is known of the samples.
    var run: SampleRun { state.pointee.run }

    /// Bytes of all samples together.
    var byteCount: Int { state.pointee.run.byteCount }

    /// The number of samples.
    var sampleCount: Int { state.pointee.run.entries.count }

    /// The CRC-32C of the bytes so far, computed while they are copied.
    var checksum: UInt32 { state.pointee.checksum }

    /// The bytes of all samples, valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: state.pointee.storage[..<byteCount]) }

    /// Puts a sample behind the others; the one before lasts until its time.
    /// - Parameters:
    ///   - bytes: are copied.
    ///   - time: greater than the time before.
    func append(_ bytes: UnsafeRawBufferPointer, at time: Int64, isSync: Bool) {
        let place = room(for: bytes.count)
        state.pointee.checksum = ckernel_crc32c_copy(checksum, place.baseAddress, bytes.baseAddress, bytes.count)
        enter(bytes.count, at: time, isSync: isSync)
    }

    /// The same for a sample whose bytes are put in place by `fill`.
    func append<Fault: Error>(
        byteCount: Int, at time: Int64, isSync: Bool, fill: (UnsafeMutableRawBufferPointer) throws(Fault) -> Void
    ) throws(Fault) {
        let place = room(for: byteCount)
        try fill(place)
        state.pointee.checksum = ckernel_crc32c(checksum, place.baseAddress, byteCount)
        enter(byteCount, at: time, isSync: isSync)
    }

    /// Sets at which time the last sample ends.
    func end(at time: Int64) {
        let last = sampleCount - 1
        if last >= 0 { state.pointee.run.entries[last].duration = UInt32(clamping: time - state.pointee.lastTime) }
    }

    /// Forgets the samples and keeps their memory.
    func removeAll() {
        state.pointee.run.removeAll()
        state.pointee.checksum = 0
    }

    private func enter(_ byteCount: Int, at time: Int64, isSync: Bool) {
        if sampleCount == 0 { state.pointee.run.baseTime = time } else { end(at: time) }
        state.pointee.run.entries.append(SampleEntry(size: byteCount, isSync: isSync, duration: 1))
        state.pointee.run.byteCount += byteCount
        state.pointee.lastTime = time
    }

    /// The place behind the last sample.
    private func room(for more: Int) -> UnsafeMutableRawBufferPointer {
        let end = byteCount + more
        if end > state.pointee.storage.count { grow(to: end) }
        return UnsafeMutableRawBufferPointer(rebasing: state.pointee.storage[byteCount..<end])
    }

    private func grow(to size: Int) {
        // Half as much again, so that a stream whose rate rises slowly does not copy at every fragment.
        let capacity = max(size + size / 2, 16 << 10)
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 64)
        larger.copyMemory(from: bytes)
        state.pointee.storage.deallocate()
        state.pointee.storage = larger
    }
}
