/// The sizes of samples in two bytes each, as nearly all of them fit; the others stand in a second list.
struct SizeList: ~Copyable {
    private var sizes = BlockList<UInt16>()
    private var large = BlockList<UInt32>()
    /// Stands for the next one of the large sizes.
    private static let escape = UInt16.max

    /// The number of sizes.
    var count: Int { sizes.count }

    /// Bytes of memory in use.
    var memoryByteCount: Int { sizes.memoryByteCount + large.memoryByteCount }

    /// Puts a size at the end.
    mutating func append(_ size: UInt32) {
        if size < UInt32(Self.escape) {
            sizes.append(UInt16(size))
        } else {
            sizes.append(Self.escape)
            large.append(size)
        }
    }

    /// Takes the last size away.
    /// - Returns: the size, nil when there is none.
    mutating func removeLast() -> UInt32? {
        guard let last = sizes.last else { return nil }
        sizes.shorten(to: sizes.count - 1)
        guard last == Self.escape, let size = large.last else { return UInt32(last) }
        large.shorten(to: large.count - 1)
        return size
    }

    /// Hands out all sizes in turn.
    func forEach<Fault: Error>(_ body: (UInt32) throws(Fault) -> Void) throws(Fault) {
        var nextLarge = 0
        try sizes.forEachRun { run throws(Fault) in
            for size in run {
                if size == Self.escape {
                    try body(large[nextLarge])
                    nextLarge += 1
                } else {
                    try body(UInt32(size))
                }
            }
        }
    }
}
