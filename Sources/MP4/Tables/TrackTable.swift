/// All samples of one track in the form of the final tables, at two to four bytes a sample (ISO/IEC 14496-12, 8.6 and 8.7).
final class TrackTable {
    /// Ticks a second.
    let timescale: Int64
    /// Whether sync samples are listed.
    let isVideo: Bool
    /// The sizes of all samples.
    private(set) var sizes = SizeList()
    /// The durations of all samples but the last one, each the difference of two absolute times.
    private(set) var durations = RunList()
    /// The duration of the last sample, which is not a difference before the next sample comes.
    private(set) var lastDuration: UInt32 = 0
    /// The numbers of the sync samples, from 1; only for pictures.
    private(set) var syncNumbers = BlockList<UInt32>()
    /// Where the chunks begin in the file.
    private(set) var chunkOffsets = BlockList<Int64>()
    /// The number of samples in each chunk.
    private(set) var chunkLengths = RunList()
    /// Bytes of all samples together.
    private(set) var mediaByteCount: Int64 = 0
    /// Bytes of the largest sample.
    private(set) var largestSample: UInt32 = 0
    /// Bits a second in the densest fragment.
    private var peakBitRate: Int64 = 0
    private var lastTime: Int64 = 0

    init(timescale: Int64, isVideo: Bool) {
        self.timescale = timescale
        self.isVideo = isVideo
    }

    /// The number of samples.
    var sampleCount: Int { sizes.count }

    /// Ticks from the first sample's start to the last one's end.
    var duration: Int64 { lastTime + Int64(lastDuration) }

    /// Bits a second over the whole track.
    var averageBitRate: UInt32 { UInt32(clamping: bitRate(mediaByteCount, over: duration)) }

    /// Bits a second where there are most: in the densest fragment of half a second or more.
    var peakRate: UInt32 { max(UInt32(clamping: peakBitRate), averageBitRate) }

    /// Bytes of memory in use.
    var memoryByteCount: Int {
        sizes.memoryByteCount + durations.memoryByteCount + syncNumbers.memoryByteCount
            + chunkOffsets.memoryByteCount + chunkLengths.memoryByteCount
    }

    /// Whether a run can follow: its times rise, and behind those that are there.
    func accepts(_ run: SampleRun) -> Bool {
        let isFirst = sampleCount == 0
        // Thirty years in ticks: a time behind them is no recording's, and would overflow as nanoseconds.
        let most = (1 << 30) * timescale
        return run.baseTime >= 0 && run.baseTime <= most && run.endTime <= most
            && (isFirst || (run.baseTime > lastTime && run.baseTime - lastTime <= Int64(UInt32.max)))
            && run.entries.allSatisfy { $0.duration > 0 }
            && sampleCount + run.entries.count < Int(UInt32.max)
    }

    /// Puts the samples of a chunk behind the others. The last sample that was there lasts until the first new one.
    /// - Parameters:
    ///   - run: one sample or more, which `accepts` holds for.
    ///   - offset: where their bytes begin in the file.
    func append(_ run: SampleRun, at offset: Int64) {
        var time = run.baseTime
        for entry in run.entries {
            if sampleCount > 0 { durations.append(UInt32(clamping: time - lastTime)) }
            // The first sample stands at 0, wherever its time was, since the tables cannot say anything else.
            lastTime = sampleCount == 0 ? 0 : time
            lastDuration = entry.duration
            time += Int64(entry.duration)
            sizes.append(UInt32(entry.size))
            if isVideo && entry.isSync { syncNumbers.append(UInt32(sampleCount)) }
            largestSample = max(largestSample, UInt32(entry.size))
        }
        chunkOffsets.append(offset)
        chunkLengths.append(UInt32(run.entries.count))
        mediaByteCount += Int64(run.byteCount)
        let span = time - run.baseTime
        if span * 2 >= timescale { peakBitRate = max(peakBitRate, bitRate(Int64(run.byteCount), over: span)) }
    }

    /// Takes the last chunk and its samples away.
    func removeLastChunk() {
        guard let length = chunkLengths.removeLast() else { return }
        chunkOffsets.shorten(to: chunkOffsets.count - 1)
        for _ in 0..<length {
            if let size = sizes.removeLast() { mediaByteCount -= Int64(size) }
            // What was the way to the next sample is now the duration of the last one.
            lastDuration = durations.removeLast() ?? 0
            lastTime -= Int64(lastDuration)
        }
        while let number = syncNumbers.last, Int(number) > sampleCount {
            syncNumbers.shorten(to: syncNumbers.count - 1)
        }
    }

    private func bitRate(_ bytes: Int64, over span: Int64) -> Int64 {
        span > 0 ? Int64(Double(bytes) * 8 * Double(timescale) / Double(span)) : 0
    }
}
