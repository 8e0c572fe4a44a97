import Media

/// Checks the records that Kinebox puts into its own files (`docs/file-format.md`), whether players look at them or not.
struct RecordCheck {
    /// What was found.
    struct Result {
        /// Whether the file is one of our own.
        var isOurs = false
        /// Whether its header says that it is finished.
        var isFinished = false
        /// Fragments whose records, headers and media are whole.
        var fragmentCount = 0
        /// True when the media bytes of all fragments agree with their checksums.
        var isMediaVerified = false
        /// Where the last whole fragment ends.
        var end: Int64 = 0
        /// The chapters that begin in its fragments.
        var chapters = ChapterTable()
        /// Where the final movie box of a finished file begins.
        var finalMovie: Int64?
    }

    private let file: MovieFile
    private let log: FaultLog
    private let window: FileWindow

    init(file: MovieFile, log: FaultLog) {
        self.file = file
        self.log = log
        window = FileWindow(file.descriptor.raw, capacity: RecordWalk.windowByteCount, readahead: 64 << 10)
    }

    /// Checks the records of a file; of one that is not ours, nothing is reported.
    func check() -> Result {
        var result = Result()
        guard let box = try? BoxHeader.read(window, at: SessionRecord.offset, limit: file.byteCount),
            box.userType == SessionRecord.userType, let isFinished = readSwitch()
        else { return result }
        result.isOurs = true
        result.isFinished = isFinished
        guard let bytes = try? window.bytes(at: SessionRecord.offset, count: SessionRecord.byteCount),
            let record = SessionRecord(bytes)
        else {
            log.report(.sessionRecord, "the session record at \(SessionRecord.offset) does not agree with its checksum")
            return result
        }
        let start = SessionRecord.offset + Int64(SessionRecord.byteCount)
        guard let movie = (try? MovieDescription.read(window, at: start)) ?? nil else {
            if isFinished {
                _ = finalMovie()
                log.report(
                    .fragmentRecord, "the description of the tracks at \(start), in front of the fragments, is damaged")
            }
            return result
        }
        let final = isFinished ? finalMovie() : nil
        result.finalMovie = final?.offset
        result.end = movie.end
        walk(record, movie, to: final?.offset, &result)
        if let final { checkSeal(final, record) }
        return result
    }

    /// - Returns: whether the header is that of a finished file; nil when it is neither of the two.
    private func readSwitch() -> Bool? {
        guard let box = try? BoxHeader.read(window, at: FileHeader.switchOffset, limit: .max) else { return nil }
        switch box.type {
        case "free" where box.size == 16: return false
        case "mdat": return true
        default: return nil
        }
    }

    /// The movie box behind the media data of a finished file.
    private func finalMovie() -> BoxHeader? {
        guard let data = try? BoxHeader.read(window, at: FileHeader.switchOffset, limit: file.byteCount),
            let movie = try? BoxHeader.read(window, at: data.end, limit: file.byteCount), movie.type == "moov"
        else {
            log.report(
                .hiddenMovie, "the header says that the recording is finished, but no movie box follows its media data")
            return nil
        }
        if movie.end != file.byteCount {
            log.report(.trailingBytes, "\(file.byteCount - movie.end) bytes lie behind \(movie.name), the last box")
        }
        return movie
    }

    private func walk(_ record: SessionRecord, _ movie: MovieDescription, to limit: Int64?, _ result: inout Result) {
        var walk = RecordWalk(window, session: record, movie: movie)
        var offset = movie.end
        var sequence: UInt32 = 0
        result.isMediaVerified = true
        while offset < limit ?? .max {
            sequence &+= 1
            guard let fragment = walk.fragment(at: offset, sequence: sequence) else {
                guard let limit else { break }
                result.isMediaVerified = false
                log.report(
                    .fragmentRecord,
                    "fragment \(sequence) at \(offset): its record is damaged, of another recording, or does not agree "
                        + "with its headers; \(limit - offset) bytes up to the final tables are not verified")
                break
            }
            if walk.isMediaWhole(fragment, at: offset) {
                result.fragmentCount += 1
            } else {
                // What lies behind the last whole fragment of an unfinished file is not a part of it.
                if limit == nil { break }
                result.isMediaVerified = false
                log.report(
                    .fragmentChecksum,
                    "fragment \(sequence) at \(offset): its \(fragment.mediaLength) bytes of media do not agree with "
                        + "their checksum")
            }
            let media = offset + Int64(FragmentRecord.byteCount) + Int64(fragment.headerLength)
            result.chapters.append(
                walk.chapters, record: media - 8 - Int64(ChapterRecord.byteCount(of: walk.chapters)))
            offset += fragment.fragmentByteCount
        }
        if let limit, offset > limit {
            log.report(
                .fragmentRecord,
                "fragment \(sequence) ends at \(offset), behind the start of the final tables at \(limit)")
        }
        result.end = offset
    }

    private func checkSeal(_ movie: BoxHeader, _ record: SessionRecord) {
        guard TableSeal.endOfSealedMovie(window, at: movie.offset, of: record) != movie.end else { return }
        log.report(
            .tableSeal,
            "\(movie.name) does not agree with the seal at its end: it was damaged, or changed by another program")
    }
}
