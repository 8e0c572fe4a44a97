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
