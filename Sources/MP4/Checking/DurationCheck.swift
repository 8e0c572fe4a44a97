import Media

/// Checks that the durations that a file gives agree: the movie's with its tracks', a track's with its edits or its media,
/// the media's with its samples.
struct DurationCheck {
    let log: FaultLog
    let movie: MovieLayout
    /// Whether the file is one of our own.
    let isOurs: Bool

    /// - Parameter statistics: of each track, nil for tracks whose samples could not be walked.
    func check(_ statistics: [TrackStatistics?]) {
        guard movie.timescale > 0 else { return }
        for (track, samples) in zip(movie.tracks, statistics) where track.timescale > 0 {
            if let samples { checkMedia(track, samples) }
            checkTrack(track, samples)
            if let samples { checkEdits(track, samples) }
        }
        checkMovie()
        if isOurs { checkExtents(statistics) }
    }

    private func checkMedia(_ track: TrackLayout, _ samples: TrackStatistics) {
        guard let duration = track.mediaDuration else { return }
        // In a fragmented file the header may count the samples of the tables alone, or nothing.
        if movie.isFragmented, duration == 0 || duration < UInt64(clamping: samples.duration) { return }
        // Foreign writers differ in what the last sample lasts.
        let slack = isOurs ? 0 : max(samples.longest, samples.last)
        if abs(Int64(min(duration, 1 << 61)) - samples.duration) > slack {
            log.report(
                .mediaDuration,
                "\(track.title): 'mdhd' says \(duration) ticks, its samples last \(samples.duration)")
        }
    }

    private func checkTrack(_ track: TrackLayout, _ samples: TrackStatistics?) {
        guard let duration = track.duration else { return }
        if movie.isFragmented, duration == 0 { return }
        let said = Int64(min(duration, 1 << 61))
        if let edits = track.edits, !edits.isEmpty {
            let total = edits.reduce(Int64(0)) { min($0 + Int64(clamping: min($1.duration, 1 << 52)), 1 << 62) }
            let slack =
                isOurs ? 0 : Int64(edits.count) + movieTicks(samples.map { max($0.longest, $0.last) } ?? 0, track)
            if total > 0, abs(said - total) > slack {
                log.report(.trackDuration, "\(track.title): 'tkhd' says \(said) ticks, its edits last \(total)")
            }
        } else if let media = track.mediaDuration {
            let total = movieTicks(Int64(clamping: min(media, 1 << 61)), track)
            let slack = 1 + (isOurs ? 0 : movieTicks(samples.map { max($0.longest, $0.last) } ?? 0, track))
            if abs(said - total) > slack {
                log.report(
                    .trackDuration, "\(track.title): 'tkhd' says \(said) ticks, its media last \(total) of them")
            }
        }
    }

    private func checkEdits(_ track: TrackLayout, _ samples: TrackStatistics) {
        guard let edits = track.edits else { return }
        if edits.isEmpty || edits.allSatisfy({ $0.mediaTime == -1 }), samples.sampleCount > 0 {
            log.report(.editList, "\(track.title): its edits show nothing of its samples")
        }
        if isOurs { log.report(.editList, "\(track.title): it has an edit list, where none is needed") }
        // Media are shown up to the end of the sample that is shown last; a tick of the movie may be rounded up.
        let end = samples.presentationEnd + max(samples.longest, samples.last) + mediaTicks(1, track)
        for (number, edit) in edits.enumerated() {
            let name = "\(track.title), edit \(number + 1)"
            if edit.mediaTime < -1 {
                log.report(.editList, "\(name) begins at \(edit.mediaTime), before the media")
            } else if edit.mediaTime >= 0, edit.rate == 0x1_0000,
                edit.mediaTime > end - mediaTicks(Int64(clamping: min(edit.duration, 1 << 52)), track)
            {
                log.report(
                    .editList,
                    "\(name) shows \(edit.duration) ticks of the movie from \(edit.mediaTime) on, but the media end at "
                        + "\(samples.presentationEnd)")
            }
            if edit.rate != 0x1_0000, edit.rate != 0 {
                log.report(.editList, "\(name) plays at a speed of \(Double(edit.rate) / 65536)")
            }
        }
    }

    private func checkMovie() {
        guard let duration = movie.duration else { return }
        let longest = movie.tracks.compactMap(\.duration).max() ?? 0
        if movie.isFragmented, duration == 0 || longest == 0 { return }
        let said = Int64(min(duration, 1 << 61))
        if abs(said - Int64(min(longest, 1 << 61))) > 1 {
            log.report(.movieDuration, "'mvhd' says \(said) ticks, the longest track lasts \(longest)")
        }
    }

    /// Our own tracks begin together, and end within the length of two frames of sound.
    private func checkExtents(_ statistics: [TrackStatistics?]) {
        let slack: Int64 = 50_000_000
        var first: (title: String, start: Int64, end: Int64)?
        for (track, samples) in zip(movie.tracks, statistics) where track.timescale > 0 {
            guard let samples, samples.sampleCount > 0 else { continue }
            let start = samples.nanoseconds(samples.start, timescale: track.timescale)
            let end = samples.nanoseconds(samples.end, timescale: track.timescale)
            guard let other = first else {
                first = (track.title, start, end)
                continue
            }
            if abs(start - other.start) > slack || abs(end - other.end) > slack {
                log.report(
                    .trackExtent,
                    "\(track.title) lasts from \(start / 1_000_000) to \(end / 1_000_000) ms, \(other.title) from "
                        + "\(other.start / 1_000_000) to \(other.end / 1_000_000) ms")
            }
        }
    }

    /// Ticks of the movie, rounded up.
    private func movieTicks(_ ticks: Int64, _ track: TrackLayout) -> Int64 {
        -Self.scaled(-ticks, by: movie.timescale, over: track.timescale)
    }

    /// Ticks of the track, rounded down.
    private func mediaTicks(_ ticks: Int64, _ track: TrackLayout) -> Int64 {
        Self.scaled(ticks, by: track.timescale, over: movie.timescale)
    }

    /// A product of numbers from the file that may be too large for a duration: then it is held where no duration is.
    private static func scaled(_ value: Int64, by multiplier: Int64, over divisor: Int64) -> Int64 {
        let limit = Int64.max / 4 / max(multiplier / divisor, 1) - 1
        return rescale(min(max(value, -limit), limit), by: multiplier, over: divisor)
    }
}
