/// Entries of equal size that lie one behind the other in a box.
struct Table: Hashable {
    /// The box that holds the entries.
    var box: BoxHeader
    /// The place of the first entry.
    var first: Int64
    /// Entries that are there: never more than the box has room for.
    var count: Int64
    /// Bytes of an entry.
    var entrySize: Int
}

/// Where the tables of a track's samples lie (ISO/IEC 14496-12, 8.6 and 8.7).
struct SampleTables: Hashable {
    /// `stts`: how many samples last how long.
    var durations: Table?
    /// `ctts`: how many samples are shown how much later than they are decoded.
    var compositions: Table?
    /// True where composition offsets have a sign.
    var compositionsAreSigned = false
    /// `stss`: the numbers of sync samples; nil where all are.
    var sync: Table?
    /// `stsc`: from which chunk on how many samples are in a chunk.
    var chunkRuns: Table?
    /// `stco` or `co64`: where the chunks lie.
    var chunkOffsets: Table?
    /// `stsz` or `stz2`: the sizes of samples.
    var sizes: SampleSizes?
}

/// The sizes of samples.
enum SampleSizes: Hashable {
    /// All samples have the same size.
    case constant(size: Int64, count: Int64)
    /// Each has its own, in a table whose entries have 4, 8, 16 or 32 bits.
    case each(Table, bits: Int, count: Int64)

    /// The number of samples.
    var count: Int64 {
        switch self {
        case .constant(_, let count): count
        case .each(_, _, let count): count
        }
    }
}
