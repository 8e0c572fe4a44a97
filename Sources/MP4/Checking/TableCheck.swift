/// Checks that the sample tables of a track agree with one another (ISO/IEC 14496-12, 8.6 and 8.7). Each table is walked
/// once, entry by entry.
struct TableCheck {
    let descriptor: Int32
    let log: FaultLog
    let track: TrackLayout

    private var tables: SampleTables { track.tables }
    private var count: Int64 { tables.sizes?.count ?? 0 }

    /// - Returns: false when the samples cannot be walked.
    func check() -> Bool {
        do {
            try checkDurations()
            try checkCompositions()
            try checkSync()
            return try checkChunks()
        } catch {
            log.report(error, in: track.box)
            return false
        }
    }

    private func checkDurations() throws(BoxFault) {
        guard let table = tables.durations else { return }
        let covered = try sum(table, .timeCount)
        if covered != UInt64(count) {
            log.report(
                .timeCount,
                "\(track.title): \(table.box.name) has durations for \(covered) samples, but there are \(count)")
        }
    }

    private func checkCompositions() throws(BoxFault) {
        guard let table = tables.compositions else { return }
        let covered = try sum(table, .compositionCount)
        if covered != UInt64(count) {
            log.report(
                .compositionCount,
                "\(track.title): \(table.box.name) has offsets for \(covered) samples, but there are \(count)")
        }
    }

    /// The samples that a table of (number of samples, value) covers.
    private func sum(_ table: Table, _ code: FaultCode) throws(BoxFault) -> UInt64 {
        var cursor = TableCursor(descriptor, table)
        // Fewer than 2³² entries of numbers below 2³²: the sum cannot overflow.
        var covered: UInt64 = 0
        while let (samples, _) = try cursor.nextPair() {
            if samples == 0 {
                log.report(code, "\(track.title): entry \(cursor.index) of \(table.box.name) is for no sample")
            }
            covered += UInt64(samples)
        }
        return covered
    }

    private func checkSync() throws(BoxFault) {
        guard let table = tables.sync else { return }
        var cursor = TableCursor(descriptor, table)
        var last: UInt32 = 0
        while let number = try cursor.next32() {
            if number <= last {
                log.report(.syncTable, "\(track.title): \(table.box.name) names sample \(number) behind sample \(last)")
            } else if Int64(number) > count {
                log.report(
                    .syncTable, "\(track.title): \(table.box.name) names sample \(number), but there are \(count)")
            }
            last = max(last, number)
        }
    }

    private func checkChunks() throws(BoxFault) -> Bool {
        guard let runs = tables.chunkRuns, let offsets = tables.chunkOffsets else { return count == 0 }
        var cursor = TableCursor(descriptor, runs)
        var covered: UInt64 = 0
        var isSound = true
        var last: (first: UInt32, samples: UInt32) = (0, 0)
        while let (first, samples, description) = try cursor.nextTriple() {
            let entry = "\(track.title): entry \(cursor.index) of \(runs.box.name)"
            if cursor.index == 1 ? first != 1 : first <= last.first {
                log.report(
                    .chunkRuns,
                    cursor.index == 1
                        ? "\(entry) begins with chunk \(first) where it must be 1"
                        : "\(entry) begins with chunk \(first), behind chunk \(last.first)")
                isSound = false
            }
            if Int64(first) > offsets.count {
                log.report(.chunkRuns, "\(entry) begins with chunk \(first), but there are \(offsets.count)")
                isSound = false
            }
            if samples == 0 { log.report(.chunkEmpty, "\(entry) puts no sample into a chunk") }
            if description == 0 || Int(description) > track.entryCount {
                log.report(
                    .descriptionIndex,
                    "\(entry) refers to description \(description), but there are \(track.entryCount)")
            }
            covered += UInt64(last.samples) * UInt64(max(Int64(first) - Int64(last.first), 0))
            last = (first, samples)
        }
        guard isSound else { return false }
        covered += UInt64(last.samples) * UInt64(max(offsets.count + 1 - Int64(last.first), 0))
        if runs.count == 0, offsets.count > 0 {
            log.report(.chunkRuns, "\(track.title): \(runs.box.name) is empty, but there are \(offsets.count) chunks")
        } else if covered != UInt64(count) {
            log.report(
                .chunkCount,
                "\(track.title): \(runs.box.name) and \(offsets.box.name) place \(covered) samples, but there are \(count)"
            )
        }
        return true
    }
}
