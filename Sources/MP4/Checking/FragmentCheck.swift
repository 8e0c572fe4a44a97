import Media

/// Checks the movie fragments at the top of a file, whoever wrote them.
struct FragmentCheck {
    /// The most runs of one fragment whose order is judged.
    private static let mostRuns = 4096
    private let file: MovieFile
    private let log: FaultLog
    private let movie: MovieLayout
    private var nextTimes: [Int64?]
    private var open: (fragment: BoxHeader, extents: [Extent])?

    init(file: MovieFile, log: FaultLog, movie: MovieLayout) {
        self.file = file
        self.log = log
        self.movie = movie
        nextTimes = movie.tracks.map { _ in nil }
    }

    /// Checks all fragments.
    /// - Returns: false when they cannot be walked to the end.
    mutating func check() -> Bool {
        checkSequence()
        var walk = FragmentWalk(file.window, movie.tracks, from: 0, to: movie.end)
        // Samples that share no byte are never more than the file has bytes.
        var left = file.byteCount
        while true {
            let run: FragmentRun
            do {
                guard let next = try walk.next() else { break }
                run = next
            } catch {
                if report(error) { continue }
                return false
            }
            left -= Int64(run.count)
            guard left >= 0 else {
                log.report(.sampleCount, "\(run.box.name): there are more samples than bytes in the file")
                return false
            }
            do {
                try check(run)
            } catch {
                log.report(error, in: run.fragment)
                return false
            }
        }
        closeFragment()
        return true
    }

    /// - Returns: whether the walk can go on behind it.
    private func report(_ trouble: FragmentWalk.Trouble) -> Bool {
        switch trouble {
        case .box(let fault, let parent):
            // What is wrong at the top of the file was reported when its boxes were walked.
            if parent != nil { log.report(fault, in: parent) }
            return false
        case .content(let box, let reason):
            log.report(.boxContent, "\(box.name) \(reason)")
            return true
        }
    }

    /// The numbers of fragments rise (ISO/IEC 14496-12, 8.8.5), and an index leads to fragments.
    private func checkSequence() {
        var boxes = BoxSequence(file.window, from: 0, to: movie.end, isTop: true)
        var last: UInt32?
        while let box = try? boxes.next() {
            if box.type == "mfra" { FragmentIndexCheck(file: file, log: log).check(box) }
            guard box.type == "moof", let header = box.firstChildren(["mfhd"], file.window)["mfhd"],
                let number = try? file.window.number32(at: header.payload + 4)
            else { continue }
            if let last, number <= last {
                log.report(.fragmentSequence, "\(box.name) has number \(number), behind number \(last)")
            }
            last = number
        }
    }

    private mutating func check(_ run: FragmentRun) throws(BoxFault) {
        if open?.fragment != run.fragment {
            closeFragment()
            open = (run.fragment, [])
        }
        guard let index = run.trackIndex else {
            log.report(.fragmentTrack, "\(run.box.name) is for track \(run.trackID), which there is not")
            return
        }
        let description = run.defaults.descriptionIndex
        if description == 0 || Int(description) > movie.tracks[index].entryCount {
            log.report(
                .descriptionIndex,
                "\(run.box.name) refers to description \(description), but there are \(movie.tracks[index].entryCount)")
        }
        if run.count > 0, (open?.extents.count ?? 0) < Self.mostRuns {
            open?.extents.append(Extent(start: run.dataOffset, end: run.dataEnd, sample: run.box.offset))
        } else if run.count > 0 {
            log.report(.chunkOrder, "\(run.fragment.name) has more than \(Self.mostRuns) runs, too many to be judged")
        }
        try checkTimes(run, track: index)
    }

    private mutating func checkTimes(_ run: FragmentRun, track index: Int) throws(BoxFault) {
        var time = nextTimes[index] ?? 0
        if let start = run.startTime {
            let begin = Int64(min(start, 1 << 61))
            if let expected = nextTimes[index], begin < expected {
                log.report(
                    .fragmentTime,
                    "\(run.box.name): \(movie.tracks[index].title) goes on at \(begin), but had come to \(expected) before"
                )
            }
            time = begin
        }
        var samples = FragmentRunCursor(run, file.window)
        while let sample = try samples.next() {
            time = min(time + Int64(sample.duration), 1 << 62)
        }
        nextTimes[index] = time
    }

    /// The samples of a fragment lie in the media data behind it, and share no byte.
    private mutating func closeFragment() {
        guard let (fragment, runs) = open else { return }
        open = nil
        let extents = runs.sorted { $0.start < $1.start }
        var boxes = BoxSequence(file.window, from: fragment.end, to: movie.end, isTop: true)
        var data: BoxHeader?
        var isAtNext = false
        var last: Int64 = 0
        for extent in extents {
            if extent.start < last, extent.end > extent.start {
                log.report(
                    .sampleOverlap,
                    "\(fragment.name): bytes of the run described at \(extent.sample) lie at \(extent.start), but another "
                        + "run's end at \(last)")
            }
            last = max(last, extent.end)
            while extent.end > data?.end ?? 0, !isAtNext, let box = try? boxes.next() {
                if box.type == "mdat" { data = box }
                isAtNext = box.type == "moof"
            }
            if let data, extent.start >= data.payload, extent.end <= data.end { continue }
            log.report(
                .sampleOutside,
                "\(fragment.name): bytes of the run described at \(extent.sample), \(extent.start) to \(extent.end), lie "
                    + "outside the media data behind the fragment")
        }
    }
}
