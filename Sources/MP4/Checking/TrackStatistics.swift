import Media

/// What was found while a track's samples were walked.
struct TrackStatistics {
    var sampleCount: Int64 = 0
    var byteCount: Int64 = 0
    /// When the first sample is decoded, in ticks of the track.
    var start: Int64 = 0
    /// When the last sample ends, in ticks of the track.
    var end: Int64 = 0
    /// The end of the sample that is shown last, in ticks of the track.
    var presentationEnd: Int64 = 0
    /// Of all samples but the last one; 0 where there are none.
    var shortest: Int64 = 0
    var longest: Int64 = 0
    /// How long the last sample lasts.
    var last: Int64 = 0

    /// Ticks from the first sample's start to the last one's end.
    var duration: Int64 { end - start }

    /// Nanoseconds of a number of ticks; what is longer than any recording is held at thirty years.
    func nanoseconds(_ ticks: Int64, timescale: Int64) -> Int64 {
        let most = (1 << 30) * timescale
        return rescale(min(max(ticks, -most), most), by: 1_000_000_000, over: timescale)
    }

    /// Takes a sample into account.
    mutating func add(_ sample: Sample) {
        if sampleCount == 0 {
            start = sample.time
        } else {
            shortest = sampleCount == 1 ? last : min(shortest, last)
            longest = max(longest, last)
        }
        sampleCount += 1
        byteCount &+= sample.size
        last = sample.duration
        end = sample.time + sample.duration
        presentationEnd = max(presentationEnd, end + sample.compositionOffset)
    }
}
