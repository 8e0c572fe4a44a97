/// Reads the entries of a table one after the other through a small window of its own.
struct TableCursor {
    private let window: FileWindow
    private let table: Table
    /// The number of the next entry, from 0.
    private(set) var index: Int64 = 0

    /// - Parameters:
    ///   - descriptor: the file; it stays open for as long as the cursor is used.
    ///   - table: where the entries lie.
    init(_ descriptor: Int32, _ table: Table) {
        window = FileWindow(descriptor, capacity: 4 << 10, readahead: 4 << 10)
        self.table = table
    }

    /// The next entry of one number of 32 bits; nil behind the last one.
    mutating func next32() throws(BoxFault) -> UInt32? {
        guard let entry = try next() else { return nil }
        return UInt32(bigEndian: entry.loadUnaligned(as: UInt32.self))
    }

    /// The next entry of two numbers of 32 bits.
    mutating func nextPair() throws(BoxFault) -> (UInt32, UInt32)? {
        guard let entry = try next() else { return nil }
        return (
            UInt32(bigEndian: entry.loadUnaligned(as: UInt32.self)),
            UInt32(bigEndian: entry.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        )
    }

    /// The next entry of three numbers of 32 bits.
    mutating func nextTriple() throws(BoxFault) -> (UInt32, UInt32, UInt32)? {
        guard let entry = try next() else { return nil }
        return (
            UInt32(bigEndian: entry.loadUnaligned(as: UInt32.self)),
            UInt32(bigEndian: entry.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
            UInt32(bigEndian: entry.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        )
    }

    /// The next entry as a place in a file, of 32 or 64 bits; one that no file reaches stays far behind any end.
    mutating func nextOffset() throws(BoxFault) -> Int64? {
        let size = table.entrySize
        guard let entry = try next() else { return nil }
        if size == 4 { return Int64(UInt32(bigEndian: entry.loadUnaligned(as: UInt32.self))) }
        return Int64(min(UInt64(bigEndian: entry.loadUnaligned(as: UInt64.self)), 1 << 61))
    }

    /// The next entry of 8, 16 or 32 bits.
    mutating func nextNumber() throws(BoxFault) -> Int64? {
        guard let entry = try next() else { return nil }
        return entry.reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    private mutating func next() throws(BoxFault) -> UnsafeRawBufferPointer? {
        guard index < table.count else { return nil }
        let place = table.first + index * Int64(table.entrySize)
        index += 1
        return try window.boxBytes(at: place, count: table.entrySize)
    }
}
