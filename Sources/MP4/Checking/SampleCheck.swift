import Media

/// Walks all samples of a track: their sizes and times, and what is in them.
struct SampleCheck {
    let file: MovieFile
    let log: FaultLog
    let movie: MovieLayout
    let trackIndex: Int
    /// Whether the file is one of our own.
    let isOurs: Bool
    /// Whether the media bytes are known to be what the encoder gave, by their checksums.
    let isMediaVerified: Bool

    private var track: TrackLayout { movie.tracks[trackIndex] }

    /// - Returns: nil when the samples cannot be walked to the end.
    func check() -> TrackStatistics? {
        var statistics = TrackStatistics()
        var content = SampleContentCheck(
            file: file, log: log, track: track, isOurs: isOurs, isMediaVerified: isMediaVerified)
        do {
            var samples = try SampleCursor(file, movie, trackIndex: trackIndex)
            var before: Sample?
            var shown = RecentTimes()
            while let sample = try samples.next() {
                check(sample, after: before)
                if track.handler == "vide", !shown.insert(sample.time + sample.compositionOffset) {
                    log.report(
                        .presentationTime,
                        "\(track.title), sample \(sample.index + 1) is shown at \(sample.time + sample.compositionOffset), "
                            + "as another one is")
                }
                content.check(sample)
                statistics.add(sample)
                before = sample
            }
        } catch {
            // Boxes that cannot be read were reported where they were found.
            if log.isEmpty { log.report(.unreadable, "\(track.title): \(error.cause)") }
            return nil
        }
        if track.handler == "vide", isOurs, statistics.last == 0, statistics.sampleCount > 0 {
            log.report(.timeOrder, "\(track.title): its last sample lasts no time")
        }
        return statistics
    }

    private func check(_ sample: Sample, after before: Sample?) {
        let name = "\(track.title), sample \(sample.index + 1)"
        if sample.size == 0, track.handler == "vide" || track.handler == "soun" {
            log.report(.sampleSize, "\(name) has no bytes")
        } else if sample.size > file.byteCount {
            log.report(.sampleSize, "\(name) has \(sample.size) bytes, more than the file")
        }
        if let before, sample.time <= before.time {
            log.report(
                .timeOrder, "\(name) is decoded at \(sample.time), which is not later than \(before.time) before it")
        }
        // No stream holds a picture back for longer than sixteen others.
        let limit = max(10 * track.timescale, 17 * max(sample.duration, before?.duration ?? 0))
        if abs(sample.compositionOffset) > limit {
            log.report(
                .compositionOffset,
                "\(name) is shown \(sample.compositionOffset) ticks after it is decoded, which is more than ten seconds"
            )
        }
    }
}

/// When the last few pictures are shown. No stream keeps more than sixteen of them back to be shown later.
private struct RecentTimes {
    private var times: [Int64] = []
    private var next = 0

    init() { times.reserveCapacity(17) }

    /// Takes a time in.
    /// - Returns: false when it is there already.
    mutating func insert(_ time: Int64) -> Bool {
        let isNew = !times.contains(time)
        if times.count < 17 {
            times.append(time)
        } else {
            times[next] = time
            next = (next + 1) % 17
        }
        return isNew
    }
}
