/// One sample of a fragment in eight bytes: how long it is, how long it lasts, and whether a player can start there.
struct SampleEntry: Hashable, Sendable {
    private var sizeAndSync: UInt32
    /// Ticks until the next sample, 1 or more.
    var duration: UInt32

    /// The most bytes that a sample can have.
    static let largestSize = Int(Int32.max)

    /// - Parameter size: bytes, at most `largestSize`.
    init(size: Int, isSync: Bool, duration: UInt32) {
        sizeAndSync = UInt32(truncatingIfNeeded: size) & 0x7FFF_FFFF | (isSync ? 0x8000_0000 : 0)
        self.duration = duration
    }

    /// Bytes of the sample.
    var size: Int { Int(sizeAndSync & 0x7FFF_FFFF) }
    /// True when a player can start with the sample.
    var isSync: Bool { sizeAndSync & 0x8000_0000 != 0 }
}

/// The samples of one track in one fragment: a chunk of the file.
struct SampleRun: Sendable {
    /// The time of the first sample in ticks from the start of the part.
    var baseTime: Int64 = 0
    /// The samples in the order of their bytes.
    var entries: [SampleEntry] = []
    /// The bytes of all samples together.
    var byteCount = 0

    /// Forgets the samples and keeps their memory.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        byteCount = 0
    }
}
