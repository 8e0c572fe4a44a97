import Linux
import Media

/// The strict checker: it finds no fault in a file only if a careful player could find none.
///
/// It reads the file through small windows and holds no table in memory, whatever sizes and counts the file gives.
public enum Checker {
    /// Checks a file, whoever wrote it.
    /// - Returns: what is in the file, and what is wrong with it.
    /// - Throws: `Failure` where nothing can be said of the file: notARecording (also where there is no such file),
    ///   notAuthorised, mediumFailed, or busy while it is being recorded.
    public static func check(path: String) throws(Failure) -> CheckReport {
        let file = try MovieFile(path: path)
        // Where the kernel does not say, nothing can be spoiled: the file is only looked at.
        if (try? file.descriptor.isLockedElsewhere()) == true {
            throw Failure(
                .busy, "cannot check \(path)", because: "it is being recorded now", mend: "Stop the recording first.")
        }
        let box = try file.movieBox()
        let log = FaultLog()
        let records = RecordCheck(file: file, log: log).check()
        var report = CheckReport(
            state: records.isOurs ? (records.isFinished ? .finished : .unfinished) : .foreign,
            byteCount: file.byteCount, duration: 0, records: records.fragmentCount, tracks: [], faults: [])
        var check = FileCheck(file: file, log: log, records: records)
        check.run(movieBox: box)
        report.tracks = check.tracks
        report.duration = check.tracks.reduce(0) { max($0, $1.duration) }
        report.faults = log.list()
        return report
    }
}

/// The order in which one file is checked.
private struct FileCheck {
    let file: MovieFile
    let log: FaultLog
    let records: RecordCheck.Result
    private(set) var tracks: [TrackReport] = []

    init(file: MovieFile, log: FaultLog, records: RecordCheck.Result) {
        self.file = file
        self.log = log
        self.records = records
    }

    private var isUnfinished: Bool { records.isOurs && !records.isFinished }

    mutating func run(movieBox: BoxHeader?) {
        // Behind the last whole fragment of a recording that was cut off anything may lie, and none of it counts.
        let end = isUnfinished ? min(max(records.end, FileHeader.switchOffset + 16), file.byteCount) : file.byteCount
        if isUnfinished { reportUnfinished() }
        guard !isUnfinished || records.fragmentCount > 0 else { return }
        var structure = StructureCheck(file.window, log)
        structure.checkFile(to: end)
        guard let movieBox, movieBox.end <= end else { return }
        let movie = MovieParser(window: file.window, log: log).read(movieBox, to: end)
        for track in movie.tracks { structure.checkDescriptions(track) }
        DescriptionCheck(window: file.window, log: log, isOurs: records.isOurs).check(movie)
        if structure.hasFragments, !movie.isFragmented {
            log.report(.boxMissing, "\(movieBox.name) has no 'mvex' box, but fragments follow")
        }
        MetadataCheck(window: file.window, log: log).check(movieBox)
        ChapterCheck(file: file, log: log, movie: movie)
            .check(expected: records.isOurs && records.isFinished ? records.chapters : nil)
        let statistics = checkSamples(movie)
        DurationCheck(log: log, movie: movie, isOurs: records.isOurs).check(statistics)
        if let finalMovie = records.finalMovie, log.count(.sampleCount) == 0 {
            FragmentTablesCheck(file: file, log: log, movie: movie, end: finalMovie).check()
        }
        tracks = zip(movie.tracks, statistics).map { TrackReport($0, $1) }
    }

    private func reportUnfinished() {
        let count = records.fragmentCount
        let kept = "\(count) whole fragment\(count == 1 ? "" : "s")"
        let behind = file.byteCount - records.end
        log.report(
            .notFinalised,
            "the recording was cut off and not finalised: it has \(kept)"
                + (behind > 0 && records.end > 0 ? " and \(behind) bytes behind them that do not count" : "")
                + "; run kinebox recover")
    }

    /// Walks the tables, and then the samples, of all tracks.
    private func checkSamples(_ movie: MovieLayout) -> [TrackStatistics?] {
        var isSound = movie.tracks.map { track in
            TableCheck(descriptor: file.descriptor.raw, log: log, track: track).check()
        }
        // Samples that share no byte are never more than the file has bytes; counts that say otherwise must not make
        // a walk of billions of steps. What is summed up are fewer than 2³² for each of a hundred tracks.
        let count = movie.tracks.reduce(Int64(0)) { $0 + ($1.tables.sizes?.count ?? 0) }
        if count > file.byteCount {
            log.report(.sampleCount, "the tables name \(count) samples, more than the file has bytes")
            return movie.tracks.map { _ in nil }
        }
        let walkable = zip(movie.tracks, isSound).filter { $0.1 }.map { $0.0 }
        var placement = PlacementCheck(file.descriptor.raw, log, walkable, byteCount: file.byteCount)
        placement.check()
        if movie.isFragmented {
            var fragments = FragmentCheck(file: file, log: log, movie: movie)
            if !fragments.check() { isSound = isSound.map { _ in false } }
        }
        return movie.tracks.indices.map { index in
            guard isSound[index] else { return nil }
            return SampleCheck(
                file: file, log: log, movie: movie, trackIndex: index, isOurs: records.isOurs,
                isMediaVerified: records.isMediaVerified
            ).check()
        }
    }
}
