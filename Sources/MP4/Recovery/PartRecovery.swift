import Linux
import Media

/// Brings one part from whatever state a cut left it in to an ordinary MP4. A cut at any moment of this leaves a file that
/// the next recovery finishes.
struct PartRecovery {
    /// The file, for reading.
    let window: FileWindow
    /// The same file, for writing; nil when it must not be written.
    let output: (any PartOutput)?
    /// Its name for messages.
    let path: String
    /// The size that the file claims to have: to say what was lost, never to find what is there.
    let claimedByteCount: Int64
    /// Whether the media of all fragments are held against their checksums, or those alone that were not known to be on
    /// the medium.
    let isThorough: Bool

    /// Recovers the part.
    /// - Throws: as `Recovery.recover`.
    func run() throws(Failure) -> RecoveryResult {
        guard let (record, isFlipped) = readHeader() else {
            throw Failure(.notARecording, path, because: "it is no recording of Kinebox")
        }
        if isFlipped, isFinal(record) { return .alreadyFinal }
        guard let output else {
            throw Failure(
                .mediumReadOnly, "cannot finish \(path)", because: "the recording is unfinished and may not be written",
                mend: "Mount the medium for writing, or have the right to write given.")
        }
        let start = SessionRecord.offset + Int64(SessionRecord.byteCount)
        guard let movie = (try? MovieDescription.read(window, at: start)) ?? nil,
            case let tables = collect(movie, record), tables.fragmentCount > 0
        else {
            return try removeEmpty(record, isFlipped: isFlipped, output)
        }
        return try finish(tables, record, isFlipped: isFlipped, output)
    }

    /// Reads what stands in front of the tracks' description.
    /// - Returns: nil when the file is none of ours.
    private func readHeader() -> (record: SessionRecord, isFlipped: Bool)? {
        let length = FileHeader.byteCount + SessionRecord.byteCount
        guard let bytes = try? window.bytes(at: 0, count: length), bytes.count == length,
            let record = SessionRecord(UnsafeRawBufferPointer(rebasing: bytes[FileHeader.byteCount...]))
        else { return nil }
        let switchBytes = bytes[Int(FileHeader.switchOffset)..<FileHeader.byteCount]
        if switchBytes.elementsEqual(FileHeader.fragmented[Int(FileHeader.switchOffset)...]) { return (record, false) }
        let type = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 36, as: UInt32.self))
        return type == BoxType("mdat").code ? (record, true) : nil
    }

    /// Whether a file whose header says that it is finished has its tables, and nothing behind them.
    private func isFinal(_ record: SessionRecord) -> Bool {
        guard let media = try? BoxHeader.read(window, at: FileHeader.switchOffset, limit: .max),
            let end = TableSeal.endOfSealedMovie(window, at: media.end, of: record),
            let behind = try? window.bytes(at: end, count: 1)
        else { return false }
        return behind.count == 0
    }

    /// Enters all whole fragments in tables.
    private func collect(_ movie: MovieDescription, _ record: SessionRecord) -> PartTables {
        var walk = RecordWalk(window, session: record, movie: movie)
        let (tables, durableEnd) = tables(of: movie, &walk, limit: .max)
        // What was known to be on the medium is there; what came later may be missing in parts, in any order.
        for index in (isThorough ? 0 : tables.firstFragment(endingBehind: durableEnd))..<tables.fragmentCount {
            let offset = tables.start(ofFragment: index)
            guard let fragment = walk.fragment(at: offset, sequence: UInt32(index + 1)),
                walk.isMediaWhole(fragment, at: offset)
            else { return self.tables(of: movie, &walk, limit: index).tables }
        }
        return tables
    }

    /// Enters the fragments whose records and headers are whole in tables.
    /// - Parameter limit: the number of fragments after which it stops.
    /// - Returns: the tables, and up to where the fragments say that all was on the medium.
    private func tables(
        of movie: MovieDescription, _ walk: inout RecordWalk, limit: Int
    ) -> (tables: PartTables, durableEnd: Int64) {
        let tables = PartTables(descriptions: movie.tracks, start: movie.end, metadata: movie.metadata)
        var durableEnd: Int64 = 0
        while tables.fragmentCount < limit,
            let fragment = walk.fragment(at: tables.end, sequence: UInt32(tables.fragmentCount + 1)),
            tables.accepts(walk.runs, walk.chapters)
        {
            durableEnd = max(durableEnd, fragment.durableEnd)
            tables.append(
                walk.runs, walk.chapters,
                headerLength: Int64(FragmentRecord.byteCount) + Int64(fragment.headerLength))
        }
        return (tables, durableEnd)
    }

    private func finish(
        _ tables: PartTables, _ record: SessionRecord, isFlipped: Bool, _ output: any PartOutput
    ) throws(Failure) -> RecoveryResult {
        // Tables that were written before the cut were not a part of the recording and are none of its losses.
        let wholeEnd = tables.end
        let sealedEnd = TableSeal.endOfSealedMovie(window, at: wholeEnd, of: record)
        do {
            if isFlipped {
                // The tables that the header leads to are not there: until they are, the fragments can be played.
                try output.write(bytes: FileHeader.fragmented, at: 0)
                try output.synchronise()
            }
            try output.truncate(to: wholeEnd)
        } catch {
            throw .medium(error, "cannot finish \(path)")
        }
        let finish = PartFinish(output: output, tables: tables, record: record, path: path, mayShorten: false)
        _ = try finish.run()
        let frames = tables.tracks.reduce(0) { $0 + ($1.isVideo ? $1.sampleCount : 0) }
        let lost = max(claimedByteCount - (sealedEnd ?? wholeEnd), 0)
        return .finished(nanoseconds: tables.nanoseconds, frames: frames, lostBytes: lost)
    }
}
