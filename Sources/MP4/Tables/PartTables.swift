import Media

/// The tables of a part: what its tracks are, and where each sample of each fragment lies.
final class PartTables {
    /// What the tracks are.
    let descriptions: [TrackDescription]
    /// The samples of each track.
    let tracks: [TrackTable]
    /// What people say of the recording.
    let metadata: RecordingMetadata
    /// The chapters.
    private(set) var chapters = ChapterTable()
    /// Where the last fragment ends in the file, or where the first one begins.
    private(set) var end: Int64
    private var starts = BlockList<Int64>()

    /// - Parameter start: where the first fragment begins in the file.
    init(descriptions: [TrackDescription], start: Int64, metadata: RecordingMetadata = RecordingMetadata()) {
        self.descriptions = descriptions
        self.metadata = metadata
        tracks = descriptions.map { TrackTable(timescale: Int64($0.timescale), isVideo: $0.isVideo) }
        end = start
    }

    /// The number of fragments.
    var fragmentCount: Int { starts.count }

    /// Bytes of memory in use.
    var memoryByteCount: Int { tracks.reduce(starts.count * 8) { $0 + $1.memoryByteCount } }

    /// The longest track's duration in nanoseconds.
    var nanoseconds: Int64 { tracks.reduce(0) { max($0, $1.nanoseconds) } }

    /// Whether a fragment's runs and chapters can follow.
    func accepts(_ runs: some Collection<SampleRun>, _ more: [Chapter]) -> Bool {
        chapters.accepts(more)
            && zip(tracks, runs).allSatisfy { track, run in run.entries.isEmpty || track.accepts(run) }
    }

    /// Puts a fragment behind the others.
    /// - Parameters:
    ///   - runs: the samples of each track, which `accepts` holds for.
    ///   - more: the chapters that begin in it.
    ///   - headerLength: bytes of the record and the headers in front of the samples.
    func append(_ runs: some Collection<SampleRun>, _ more: [Chapter] = [], headerLength: Int64) {
        starts.append(end)
        end += headerLength
        // They are the last box in front of the 8 bytes with which the samples' box begins.
        chapters.append(more, record: end - 8 - Int64(ChapterRecord.byteCount(of: more)))
        for (track, run) in zip(tracks, runs) where !run.entries.isEmpty {
            track.append(run, at: end)
            end += Int64(run.byteCount)
        }
    }

    /// Where a fragment begins in the file.
    func start(ofFragment index: Int) -> Int64 { starts[index] }

    /// The number of the first fragment that does not lie wholly before a place; the number of fragments when all do.
    func firstFragment(endingBehind place: Int64) -> Int {
        if place >= end { return fragmentCount }
        // The last fragment that begins at the place or before it, by halving.
        var (low, high) = (0, fragmentCount)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= place { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }

    /// Takes the last fragment and its samples away.
    func removeLastFragment() {
        guard let start = starts.last else { return }
        for track in tracks {
            if let offset = track.chunkOffsets.last, offset >= start { track.removeLastChunk() }
        }
        starts.shorten(to: starts.count - 1)
        chapters.shorten(to: start)
        end = start
    }
}

extension TrackTable {
    /// The track's duration in nanoseconds.
    var nanoseconds: Int64 { rescale(duration, by: 1_000_000_000, over: timescale) }
}
