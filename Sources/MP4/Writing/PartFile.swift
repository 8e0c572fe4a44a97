import CKernel
import Linux
import Media

/// One file of a recording while it is written. It plays at any moment, whatever was cut off its end, and becomes an
/// ordinary MP4 when it is finished, without a media byte being copied (`docs/file-format.md`).
///
/// It is used by one thread at a time: the writer thread of its medium. After a failure of kind mediumFailed or
/// mediumReadOnly every later call fails in the same way, and the file is left to recovery.
public final class PartFile: @unchecked Sendable {
    // Unchecked because a part travels to the writer thread in a job: whoever took the job is its only user.

    private let output: any PartOutput
    private let path: String
    private let record: SessionRecord
    private var tables: PartTables?
    private var movie: [UInt8] = []
    private var movieChecksum: UInt32 = 0
    private var headers = FragmentHeaders()
    /// What is written at once; kept for its memory.
    private var pieces: [OutputPiece] = []
    /// Bytes of the final movie but for its tables, and for which shape of it that is so.
    private var frame: (shape: UInt64, byteCount: Int)?
    private var end: Int64
    private var failure: Failure?

    /// Bytes that are known to be on the medium.
    public private(set) var durableByteCount: Int64

    /// Creates a part's file under its final name and locks it. When this returns, file and name are on the medium.
    /// - Parameters:
    ///   - path: a file that must not exist yet in a folder that does.
    ///   - session: the recording that the part belongs to.
    ///   - part: its number in the session, from 1.
    /// - Throws: `Failure` of kind fileExists, noMedium, mediumReadOnly, mediumFull, mediumFailed, invalidName or
    ///   internalFault; nothing is left behind then.
    public static func create(at path: String, session: Session, part: Int) throws(Failure) -> PartFile {
        let output = try FileOutput.create(at: path)
        do {
            return try started(on: output, path: path, session: session, part: part)
        } catch {
            // The first failure is the one to tell.
            try? output.remove()
            throw error
        }
    }

    private static func started(
        on output: FileOutput, path: String, session: Session, part: Int
    ) throws(Failure) -> PartFile {
        let file = try PartFile(output: output, path: path, session: session, part: part)
        do {
            try output.synchroniseName()
        } catch {
            throw .flush(error, "cannot create \(path)")
        }
        return file
    }

    /// Starts a part on an output that is empty, and flushes it.
    /// - Throws: `Failure` of kind mediumReadOnly, mediumFull or mediumFailed.
    package init(output: any PartOutput, path: String, session: Session, part: Int) throws(Failure) {
        self.output = output
        self.path = path
        record = SessionRecord(session: session, part: UInt32(clamping: part))
        let start = FileHeader.fragmented + record.bytes
        end = Int64(start.count)
        durableByteCount = end
        let thing = "cannot create \(path)"
        do {
            try output.write(bytes: start, at: 0)
        } catch {
            throw .medium(error, thing)
        }
        do {
            try output.synchronise()
        } catch {
            throw .flush(error, thing)
        }
    }

    /// Says what the tracks are. Called once, before the first `append`, when the encoder has given its parameter sets.
    /// Nothing is written: the description goes into the file together with the first fragment.
    /// - Parameters:
    ///   - tracks: the picture, then the sound tracks.
    ///   - metadata: what people say of the recording.
    /// - Throws: `Failure` of kind encoderFailed when the parameter sets cannot be read, or the failure that ended the part.
    public func begin(
        tracks: [Track], metadata: RecordingMetadata = RecordingMetadata()
    ) throws(Failure) {
        if let failure { throw failure }
        var descriptions: [TrackDescription] = []
        for track in tracks { descriptions.append(try TrackDescription(track)) }
        movie = FragmentedMovie.bytes(
            tracks: descriptions, creation: record.session.creationTime, metadata: metadata)
        movieChecksum = movie.withUnsafeBytes { ckernel_crc32c(0, $0.baseAddress, $0.count) }
        tables = PartTables(
            descriptions: descriptions, start: end + Int64(movie.count), metadata: metadata)
    }

    /// Writes fragments in one call of the kernel. They are safe after the next `flush` only.
    /// - Throws: `Failure` of kind mediumFull when there is no room: the whole fragments that fit were written, nothing
    ///   else was, and the part can be finalised. Kinds mediumFailed and mediumReadOnly end the part.
    public func append(_ fragments: [Fragment]) throws(Failure) {
        if let failure { throw failure }
        guard let tables else { throw internalFault("fragments came before the tracks were known") }
        // The kernel takes 1024 pieces at once.
        let groupLength = 1024 / (1 + tables.tracks.count)
        var start = 0
        while start < fragments.count {
            let group = fragments[start..<min(start + groupLength, fragments.count)]
            start += group.count
            do {
                try write(group, tables)
            } catch  where Failure.isFull(error) {
                try takeBack(after: error)
                if group.count > 1 { try appendOneByOne(group, tables) }
                throw .medium(error, thing)
            } catch {
                throw end(with: .medium(error, thing))
            }
        }
    }

    /// Brings all that was written onto the medium.
    /// - Throws: `Failure` of kind mediumFailed, which ends the part.
    public func flush() throws(Failure) {
        if let failure { throw failure }
        guard durableByteCount < end else { return }
        do {
            try output.synchronise()
        } catch {
            throw end(with: .flush(error, thing))
        }
        durableByteCount = end
        output.forget(before: end)
    }

    /// Makes the part an ordinary MP4: its tables are appended and flushed, then the header is rewritten and flushed. On
    /// a medium without room for the tables the last fragments are given up, as the summary says.
    /// - Throws: `Failure` of kind mediumFull, mediumFailed or mediumReadOnly; the part can be recovered then. Kind
    ///   internalFault for a part without a frame, which is to be removed.
    public func finalise() throws(Failure) -> PartSummary {
        if let failure { throw failure }
        guard let tables, hasFrame else { throw internalFault("the part has no frame") }
        let finish = PartFinish(output: output, tables: tables, record: record, path: path, mayShorten: true)
        let result: (byteCount: Int64, loss: PartFinish.Loss)
        do {
            result = try finish.run()
        } catch {
            throw end(with: error)
        }
        failure = internalFault("the part is finished")
        end = result.byteCount
        durableByteCount = end
        output.forget(before: end)
        return PartSummary(
            path: path, byteCount: end,
            tracks: tables.tracks.map {
                .init(isVideo: $0.isVideo, sampleCount: $0.sampleCount, nanoseconds: $0.nanoseconds)
            },
            chapters: FinalMovie(tables, record: record).shownChapters, fragmentsGivenUp: result.loss.fragments,
            nanosecondsGivenUp: result.loss.nanoseconds)
    }

    /// Removes the file of a part that never got a frame.
    /// - Throws: `Failure` of kind mediumFailed or mediumReadOnly when the name could not be taken away; kind
    ///   internalFault, and nothing is removed, when the part has a frame.
    public func remove() throws(Failure) {
        guard !hasFrame else { throw internalFault("a part with frames is never removed") }
        do {
            try output.remove()
        } catch {
            throw .medium(error, "cannot remove \(path)")
        }
        failure = internalFault("the part was removed")
    }

    /// Bytes written so far.
    public var byteCount: Int64 { end }

    /// The exact size that the file would have if it were finalised now.
    public var finalByteCount: Int64 {
        guard let tables, hasFrame else { return end }
        let final = FinalMovie(tables, record: record)
        let shape = final.shape
        if frame?.shape != shape { frame = (shape, final.frameByteCount) }
        return end + Int64((frame?.byteCount ?? 0) + final.tableByteCount)
    }

    /// True once a fragment was written.
    public var hasFrame: Bool { (tables?.fragmentCount ?? 0) > 0 }

    /// Bytes of memory that the sample tables take.
    public var tableMemoryByteCount: Int { tables?.memoryByteCount ?? 0 }
}

extension PartFile {
    private var thing: String { "cannot write to \(path)" }

    private func internalFault(_ cause: String) -> Failure { Failure(.internalFault, thing, because: cause) }

    private func end(with failure: Failure) -> Failure {
        self.failure = failure
        return failure
    }

    private func appendOneByOne(_ group: ArraySlice<Fragment>, _ tables: PartTables) throws(Failure) {
        for fragment in group {
            do {
                try write([fragment], tables)
            } catch  where Failure.isFull(error) {
                return try takeBack(after: error)
            } catch {
                throw end(with: .medium(error, thing))
            }
        }
    }

    /// Cuts off what a write that failed may have left.
    private func takeBack(after reason: Errno) throws(Failure) {
        do {
            try output.truncate(to: end)
        } catch {
            throw end(with: .medium(error, thing))
        }
    }

    /// Writes fragments and enters them in the tables.
    /// - Throws: `Errno`; nothing was entered then.
    private func write(_ fragments: ArraySlice<Fragment>, _ tables: PartTables) throws(Errno) {
        let isFirst = tables.fragmentCount == 0
        headers.removeAll()
        if isFirst { headers.put(movie) }
        for (index, fragment) in fragments.enumerated() {
            let fragmentRecord = FragmentRecord(
                session: record.session.identifier, part: record.part,
                sequence: UInt32(tables.fragmentCount + index + 1), headerLength: 0, mediaLength: 0,
                durableEnd: durableByteCount, movieChecksum: movieChecksum, mediaChecksum: 0)
            headers.append(fragment, record: fragmentRecord)
        }
        try writePieces(fragments)
        for (index, fragment) in fragments.enumerated() {
            let movieLength = isFirst && index == 0 ? movie.count : 0
            tables.append(
                fragment.runs, fragment.chapters, headerLength: Int64(headers[index].count - movieLength))
        }
        end = tables.end
    }

    private func writePieces(_ fragments: ArraySlice<Fragment>) throws(Errno) {
        let fault = headers.bytes.withUnsafeBytes { bytes -> Errno? in
            pieces.removeAll(keepingCapacity: true)
            for (index, fragment) in fragments.enumerated() {
                let header = UnsafeRawBufferPointer(rebasing: bytes[headers[index]])
                pieces.append(OutputPiece(bytes: header, isMedia: false))
                for track in fragment.tracks where track.byteCount > 0 {
                    pieces.append(OutputPiece(bytes: track.bytes, isMedia: true))
                }
            }
            do throws(Errno) {
                try output.write(pieces, at: end)
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
    }
}
