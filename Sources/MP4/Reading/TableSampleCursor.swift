/// Steps over the samples that a track's tables describe, in decode order. Where the tables do not agree, it ends with the
/// shortest one that it cannot do without; saying so is for the checker.
struct TableSampleCursor {
    private var durations: TableCursor?
    private var compositions: TableCursor?
    private let compositionsAreSigned: Bool
    private var sync: TableCursor?
    private var chunkRuns: TableCursor?
    private var chunkOffsets: TableCursor?
    private var sizes: TableCursor?
    private let sizeBits: Int
    private let constantSize: Int64
    private let count: Int64

    private var index: Int64 = 0
    private var time: Int64 = 0
    private var duration: (left: UInt32, ticks: UInt32) = (0, 0)
    private var composition: (left: UInt32, ticks: Int64) = (0, 0)
    private var nextSync: UInt32?
    private var halfByte: Int64?
    private var chunk: Int64 = -1
    private var chunkLeft: UInt32 = 0
    private var offset: Int64 = 0
    private var run: (samples: UInt32, description: UInt32) = (0, 1)
    private var nextRun: (first: UInt32, samples: UInt32, description: UInt32)?

    /// - Parameter descriptor: the file; it stays open for as long as the cursor is used.
    init(_ descriptor: Int32, _ tables: SampleTables) throws(BoxFault) {
        func cursor(_ table: Table?) -> TableCursor? { table.map { TableCursor(descriptor, $0) } }
        durations = cursor(tables.durations)
        compositions = cursor(tables.compositions)
        compositionsAreSigned = tables.compositionsAreSigned
        sync = cursor(tables.sync)
        chunkRuns = cursor(tables.chunkRuns)
        chunkOffsets = cursor(tables.chunkOffsets)
        count = tables.sizes?.count ?? 0
        switch tables.sizes {
        case .each(let table, let bits, _):
            (sizes, sizeBits, constantSize) = (cursor(table), bits, 0)
        case .constant(let size, _):
            (sizes, sizeBits, constantSize) = (nil, 0, size)
        case nil:
            (sizes, sizeBits, constantSize) = (nil, 0, 0)
        }
        nextSync = try sync?.next32()
        nextRun = try chunkRuns?.nextTriple()
    }

    /// The next sample; nil behind the last one.
    mutating func next() throws(BoxFault) -> Sample? {
        guard index < count, try enterChunk(), let size = try nextSize() else { return nil }
        let ticks = try nextDuration()
        let sample = Sample(
            index: index, offset: offset, size: size, time: time, duration: ticks,
            compositionOffset: try nextComposition(), isSync: try nextIsSync(), chunk: chunk,
            descriptionIndex: run.description)
        index += 1
        time = min(time + ticks, 1 << 61)
        chunkLeft -= 1
        // Times and places that no file reaches are held there, so that no sum overflows.
        offset = min(offset + size, 1 << 61)
        return sample
    }

    /// Goes to the next chunk where the present one is used up.
    private mutating func enterChunk() throws(BoxFault) -> Bool {
        while chunkLeft == 0 {
            guard let place = try chunkOffsets?.nextOffset() else { return false }
            chunk += 1
            if let next = nextRun, Int64(next.first) <= chunk + 1 {
                run = (next.samples, next.description)
                nextRun = try chunkRuns?.nextTriple()
            }
            chunkLeft = run.samples
            offset = place
        }
        return true
    }

    private mutating func nextSize() throws(BoxFault) -> Int64? {
        guard sizes != nil else { return constantSize }
        guard sizeBits == 4 else { return try sizes?.nextNumber() }
        if let low = halfByte {
            halfByte = nil
            return low
        }
        guard let pair = try sizes?.nextNumber() else { return nil }
        halfByte = pair & 15
        return pair >> 4
    }

    private mutating func nextDuration() throws(BoxFault) -> Int64 {
        while duration.left == 0 {
            guard let entry = try durations?.nextPair() else { return 0 }
            duration = entry
        }
        duration.left -= 1
        return Int64(duration.ticks)
    }

    private mutating func nextComposition() throws(BoxFault) -> Int64 {
        while composition.left == 0 {
            guard let entry = try compositions?.nextPair() else { return 0 }
            composition = (entry.0, compositionsAreSigned ? Int64(Int32(bitPattern: entry.1)) : Int64(entry.1))
        }
        composition.left -= 1
        return composition.ticks
    }

    private mutating func nextIsSync() throws(BoxFault) -> Bool {
        guard sync != nil else { return true }
        while let number = nextSync, Int64(number) <= index {
            nextSync = try sync?.next32()
        }
        return nextSync.map { Int64($0) == index + 1 } ?? false
    }
}
