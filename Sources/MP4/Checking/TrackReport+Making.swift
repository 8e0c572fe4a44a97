import Media

extension TrackReport {
    /// - Parameters:
    ///   - layout: what the file says of the track.
    ///   - statistics: what was found in its samples; nil when they could not be walked.
    init(_ layout: TrackLayout, _ statistics: TrackStatistics?) {
        let track = MovieTrack(layout)
        kind = track.kind
        codec = CodecName.text(layout)
        width = track.width
        height = track.height
        channels = track.kind == .audio ? track.channels : 0
        sampleRate = track.kind == .audio ? track.sampleRate : 0
        name = track.name
        sampleCount = statistics?.sampleCount ?? layout.tables.sizes?.count ?? 0
        duration = 0
        bitrate = 0
        guard let statistics, layout.timescale > 0, statistics.duration > 0 else { return }
        duration = statistics.nanoseconds(statistics.duration, timescale: layout.timescale)
        if duration > 0 {
            // Numbers from the file may be beyond all measure; a count of bits must still be one.
            bitrate = Int64(min(Double(statistics.byteCount) * 8 * 1_000_000_000 / Double(duration), 1e15))
        }
        if kind == .video { rate = Self.rate(statistics, timescale: layout.timescale) }
    }

    /// Pictures a second. Times are whole ticks, so that a steady rate may alternate by one.
    private static func rate(_ statistics: TrackStatistics, timescale: Int64) -> String {
        let perSecond = Double(statistics.sampleCount) * Double(timescale) / Double(statistics.duration)
        let hundredths = Int64(min(perSecond * 100, 1e15).rounded())
        let fraction = hundredths % 100
        var text = "\(hundredths / 100)"
        if fraction > 0 { text += "." + (fraction < 10 ? "0" : "") + "\(fraction)" }
        return statistics.longest - statistics.shortest > 1 ? text + ", variable" : text
    }
}
