import Media

/// Finds where the sample tables of a track lie, and reports those whose number of entries does not fit their box.
struct TableParser {
    let window: FileWindow
    let log: FaultLog
    /// What messages call the track.
    let title: String

    /// - Parameter box: the `stbl` box.
    func read(_ box: BoxHeader) -> SampleTables {
        let boxes = box.firstChildren(
            ["stts", "ctts", "stss", "stsc", "stco", "co64", "stsz", "stz2"], window)
        var tables = SampleTables()
        tables.durations = boxes["stts"].flatMap { table($0, entrySize: 8) }
        tables.compositions = boxes["ctts"].flatMap { table($0, entrySize: 8, versions: 0...1) }
        if let box = boxes["ctts"], let full = try? window.number32(at: box.payload) {
            // QuickTime and its kin write offsets with a sign into version 0 as well.
            tables.compositionsAreSigned = full >> 24 == 1
        }
        tables.sync = boxes["stss"].flatMap { table($0, entrySize: 4) }
        tables.chunkRuns = boxes["stsc"].flatMap { table($0, entrySize: 12) }
        tables.chunkOffsets =
            boxes["stco"].flatMap { table($0, entrySize: 4) } ?? boxes["co64"].flatMap { table($0, entrySize: 8) }
        tables.sizes = boxes["stsz"].flatMap { sizes($0) } ?? boxes["stz2"].flatMap { compactSizes($0) }
        return tables
    }

    private func table(_ box: BoxHeader, entrySize: Int, versions: ClosedRange<UInt32> = 0...0) -> Table? {
        guard let fields = fields(box, count: 2, versions: versions) else { return nil }
        return entries(box, declared: Int64(fields[1]), from: box.payload + 8, bits: entrySize * 8)
    }

    private func sizes(_ box: BoxHeader) -> SampleSizes? {
        guard let fields = fields(box, count: 3) else { return nil }
        let count = Int64(fields[2])
        guard fields[1] == 0 else {
            if box.payloadSize != 12 {
                log.report(
                    .tableCount,
                    "\(title): \(box.name) gives one size for all samples and has \(box.payloadSize - 12) bytes more")
            }
            return .constant(size: Int64(fields[1]), count: count)
        }
        let table = entries(box, declared: count, from: box.payload + 12, bits: 32)
        return .each(table, bits: 32, count: table.count)
    }

    private func compactSizes(_ box: BoxHeader) -> SampleSizes? {
        guard let fields = fields(box, count: 3) else { return nil }
        let bits = Int(fields[1])
        guard bits == 4 || bits == 8 || bits == 16 else {
            log.report(.boxContent, "\(title): \(box.name) has sizes of \(bits) bits, which are not allowed")
            return nil
        }
        let table = entries(box, declared: Int64(fields[2]), from: box.payload + 12, bits: bits)
        return .each(table, bits: bits, count: bits == 4 ? min(Int64(fields[2]), table.count * 2) : table.count)
    }

    /// The first numbers of a table's box.
    private func fields(_ box: BoxHeader, count: Int, versions: ClosedRange<UInt32> = 0...0) -> [UInt32]? {
        do {
            var reader = ByteReader(try box.content(window, limit: count * 4))
            var numbers: [UInt32] = []
            for _ in 0..<count {
                guard let number = reader.take32() else {
                    log.report(.tableCount, "\(title): \(box.name) has no room for its number of entries")
                    return nil
                }
                numbers.append(number)
            }
            if !versions.contains(numbers[0] >> 24) {
                log.report(.boxContent, "\(title): \(box.name) has the unknown version \(numbers[0] >> 24)")
            }
            return numbers
        } catch {
            log.report(error, in: box)
            return nil
        }
    }

    private func entries(_ box: BoxHeader, declared: Int64, from first: Int64, bits: Int) -> Table {
        let room = max(box.end - first, 0)
        let needed = (declared * Int64(bits) + 7) / 8
        if needed != room {
            log.report(
                .tableCount,
                "\(title): \(box.name) says it has \(declared) entries, which take \(needed) bytes, but has \(room)")
        }
        let entrySize = max(bits / 8, 1)
        return Table(
            box: box, first: first, count: min((declared * Int64(bits) + 7) / 8, room) / Int64(entrySize),
            entrySize: entrySize)
    }
}
