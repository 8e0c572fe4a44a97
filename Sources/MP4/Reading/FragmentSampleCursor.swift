import Media

/// Steps over the samples of one track in movie fragments.
struct FragmentSampleCursor {
    private var walk: FragmentWalk
    private let window: FileWindow
    private let trackIndex: Int
    private var run: FragmentRun?
    private var samples: FragmentRunCursor?
    private var index: Int64 = 0
    private var time: Int64 = 0
    private var offset: Int64 = 0
    private var runCount: Int64 = 0

    init(_ descriptor: Int32, _ tracks: [TrackLayout], trackIndex: Int, from start: Int64, to limit: Int64) {
        // One window goes from box to box, the other along the samples of a run.
        walk = FragmentWalk(FileWindow(descriptor, readahead: 4 << 10), tracks, from: start, to: limit)
        window = FileWindow(descriptor, capacity: 4 << 10, readahead: 4 << 10)
        self.trackIndex = trackIndex
    }

    /// The next sample; nil behind the last one.
    mutating func next() throws(FragmentWalk.Trouble) -> Sample? {
        while true {
            if let run, let sample = try nextInRun() {
                let result = Sample(
                    index: index, offset: offset, size: Int64(sample.size), time: time,
                    duration: Int64(sample.duration), compositionOffset: sample.compositionOffset,
                    isSync: sample.isSync, chunk: runCount, descriptionIndex: run.defaults.descriptionIndex)
                index += 1
                // A time that no recording reaches is a fault to be named, not a reason to stop.
                time = min(time + Int64(sample.duration), 1 << 61)
                offset = min(offset + Int64(sample.size), 1 << 62)
                return result
            }
            guard try enterRun() else { return nil }
        }
    }

    private mutating func nextInRun() throws(FragmentWalk.Trouble) -> FragmentRunSample? {
        do {
            return try samples?.next()
        } catch {
            throw .box(error, in: run?.box)
        }
    }

    private mutating func enterRun() throws(FragmentWalk.Trouble) -> Bool {
        while let next = try walk.next() {
            guard next.trackIndex == trackIndex, next.count > 0 else { continue }
            if run != nil { runCount += 1 }
            run = next
            samples = FragmentRunCursor(next, window)
            offset = next.dataOffset
            if let start = next.startTime { time = Int64(min(start, 1 << 61)) }
            return true
        }
        return false
    }
}
