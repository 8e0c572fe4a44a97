import Linux
import Media

/// The `moov` of a finished file: made from the tables piece by piece, so that it never stands in memory whole.
struct FinalMovie {
    private let tables: PartTables
    private let record: SessionRecord
    private let creation: UInt64

    /// - Parameter record: names the session whose part it is.
    init(_ tables: PartTables, record: SessionRecord) {
        self.tables = tables
        self.record = record
        creation = record.session.creationTime
    }

    /// Bytes of the box.
    var byteCount: Int64 { Int64(frameByteCount + tableByteCount) }

    /// Bytes of all but the tables; it changes with `shape` alone.
    var frameByteCount: Int {
        liveTracks.reduce(8 + movieHeader.count + trailer.count + TableSeal.byteCount) { $0 + trackHeader($1).count }
    }

    /// Bytes of the tables.
    var tableByteCount: Int { liveTracks.reduce(0) { $0 + tableByteCount(tables.tracks[$1]) } }

    /// Which tracks have a sample, which durations need 64 bits, and how many chapters there are to show.
    var shape: UInt64 {
        tables.tracks.reduce(UInt64(tables.chapters.shownCount(before: Int64(clamping: duration)))) { shape, track in
            let isLong = track.duration > Int64(UInt32.max)
            let isLongMovie = movieDuration(track) > UInt64(UInt32.max)
            return shape << 3 | (track.sampleCount > 0 ? 4 : 0) | (isLong ? 2 : 0) | (isLongMovie ? 1 : 0)
        }
    }

    /// Writes the box.
    func write(to stream: PieceStream) throws(Errno) {
        var writer = ByteWriter(reserving: 16)
        writer.put32(UInt32(clamping: byteCount))
        writer.put32(BoxType("moov").code)
        try stream.put(writer.bytes)
        try stream.put(movieHeader)
        for number in liveTracks {
            try stream.put(trackHeader(number))
            try writeTables(of: tables.tracks[number], to: stream)
        }
        try stream.put(trailer)
        let seal = TableSeal(session: record.session.identifier, part: record.part, checksum: stream.checksum)
        try stream.put(seal.bytes)
    }

    /// The tracks that have a sample: a track without one would only confuse players.
    private var liveTracks: LazyFilterSequence<Range<Int>> {
        let tracks = tables.tracks
        return tracks.indices.lazy.filter { tracks[$0].sampleCount > 0 }
    }

    /// Milliseconds of the longest track.
    private var duration: UInt64 { tables.tracks.reduce(0) { max($0, movieDuration($1)) } }

    private var chapters: [ChapterTable.Entry] { tables.chapters.shown(before: Int64(clamping: duration)) }

    /// The chapters that players will show.
    var shownChapters: [Chapter] { chapters.map(\.chapter) }

    private var movieHeader: [UInt8] {
        var writer = ByteWriter(reserving: 128)
        MovieBoxes.putMovieHeader(
            creation: creation, duration: duration, trackCount: tables.tracks.count + (chapters.isEmpty ? 0 : 1),
            into: &writer)
        return writer.bytes
    }

    /// What stands behind the tracks of picture and sound: the chapters, and what people say.
    private var trailer: [UInt8] {
        let chapters = self.chapters
        var writer = ByteWriter(reserving: 1024)
        if !chapters.isEmpty {
            ChapterBoxes.putTrack(
                chapters, number: tables.tracks.count, creation: creation, duration: duration, into: &writer)
        }
        writer.put(MetadataBoxes.userData(tables.metadata, creation: creation, chapters: chapters))
        return writer.bytes
    }

    private func trackHeader(_ number: Int) -> [UInt8] {
        let (track, description) = (tables.tracks[number], tables.descriptions[number])
        var writer = ByteWriter(reserving: 1024)
        let entry = description.sampleEntry(
            largestSample: track.largestSample, peak: track.peakRate, average: track.averageBitRate)
        MovieBoxes.putTrack(
            description, number: number, isEnabled: tables.descriptions.isFirstOfItsKind(number), creation: creation,
            movieDuration: movieDuration(track), mediaDuration: UInt64(track.duration), sampleEntry: entry,
            tables: tableByteCount(track),
            chapters: description.isVideo && !chapters.isEmpty ? UInt32(tables.tracks.count + 1) : nil, into: &writer)
        return writer.bytes
    }

    /// The duration in the movie's timescale, rounded up so that no player cuts the last picture short.
    private func movieDuration(_ track: TrackTable) -> UInt64 {
        UInt64(-rescale(-track.duration, by: MovieBoxes.timescale, over: track.timescale))
    }

    private func tableByteCount(_ track: TrackTable) -> Int {
        16 + 8 * track.durations.runCount(appending: track.lastDuration)
            + (track.isVideo ? 16 + 4 * track.syncNumbers.count : 0)
            + 16 + 12 * track.chunkLengths.runCount
            + 20 + 4 * track.sampleCount
            + 16 + (isLong(track) ? 8 : 4) * track.chunkOffsets.count
    }

    /// Whether chunk offsets need 64 bits.
    private func isLong(_ track: TrackTable) -> Bool { (track.chunkOffsets.last ?? 0) > Int64(UInt32.max) }

    private func writeTables(of track: TrackTable, to stream: PieceStream) throws(Errno) {
        try writeDurations(of: track, to: stream)
        if track.isVideo {
            try stream.putTableHeader("stss", byteCount: 16 + 4 * track.syncNumbers.count)
            try stream.put32(UInt32(track.syncNumbers.count))
            try track.syncNumbers.forEachRun { run throws(Errno) in
                for number in run { try stream.put32(number) }
            }
        }
        try writeChunkLengths(of: track, to: stream)
        try stream.putTableHeader("stsz", byteCount: 20 + 4 * track.sampleCount)
        try stream.put32(0)
        try stream.put32(UInt32(track.sampleCount))
        try track.sizes.forEach { size throws(Errno) in try stream.put32(size) }
        try writeChunkOffsets(of: track, to: stream)
    }

    private func writeDurations(of track: TrackTable, to stream: PieceStream) throws(Errno) {
        let rows = track.durations.runCount(appending: track.lastDuration)
        try stream.putTableHeader("stts", byteCount: 16 + 8 * rows)
        try stream.put32(UInt32(rows))
        var left = track.durations.runCount
        let last = track.lastDuration
        var isLastPut = false
        try track.durations.forEach { run throws(Errno) in
            left -= 1
            isLastPut = left == 0 && run.value == last
            try stream.put32(isLastPut ? run.length + 1 : run.length)
            try stream.put32(run.value)
        }
        if !isLastPut {
            try stream.put32(1)
            try stream.put32(last)
        }
    }

    private func writeChunkLengths(of track: TrackTable, to stream: PieceStream) throws(Errno) {
        try stream.putTableHeader("stsc", byteCount: 16 + 12 * track.chunkLengths.runCount)
        try stream.put32(UInt32(track.chunkLengths.runCount))
        var firstChunk: UInt32 = 1
        try track.chunkLengths.forEach { run throws(Errno) in
            try stream.put32(firstChunk)
            try stream.put32(run.value)
            try stream.put32(1)
            firstChunk += run.length
        }
    }

    private func writeChunkOffsets(of track: TrackTable, to stream: PieceStream) throws(Errno) {
        let isLong = isLong(track)
        let count = track.chunkOffsets.count
        try stream.putTableHeader(isLong ? "co64" : "stco", byteCount: 16 + (isLong ? 8 : 4) * count)
        try stream.put32(UInt32(count))
        try track.chunkOffsets.forEachRun { run throws(Errno) in
            for offset in run {
                if isLong { try stream.put32(UInt32(truncatingIfNeeded: offset >> 32)) }
                try stream.put32(UInt32(truncatingIfNeeded: offset))
            }
        }
    }
}
