import Media

/// What the tables say of a track apart from its samples. It is made from a `Track` by the writer, and read back from the
/// file by recovery, so that both write the same tables.
struct TrackDescription: Hashable, Sendable {
    var isVideo: Bool
    /// Ticks a second.
    var timescale: UInt32
    /// As shown, 0 for sound.
    var width: Int
    var height: Int
    /// What a person calls the track.
    var name: String
    /// The sample entry, a whole `avc1` or `mp4a` box whose last child is a `btrt` box.
    var sampleEntry: [UInt8]

    /// Bytes of a `btrt` box.
    static let bitRateByteCount = 20

    /// - Throws: `Failure` of kind encoderFailed when the picture's parameter sets cannot be read.
    init(_ track: Track) throws(Failure) {
        switch track {
        case .video(let video):
            isVideo = true
            timescale = UInt32(clamping: video.timescale)
            width = video.width
            height = video.height
            name = "Video"
            sampleEntry = try SampleEntryBox.entry(of: video)
        case .audio(let audio):
            isVideo = false
            timescale = UInt32(clamping: audio.format.rate)
            width = 0
            height = 0
            name = audio.name
            sampleEntry = SampleEntryBox.entry(of: audio)
        }
    }

    init(isVideo: Bool, timescale: UInt32, width: Int, height: Int, name: String, sampleEntry: [UInt8]) {
        self.isVideo = isVideo
        self.timescale = timescale
        self.width = width
        self.height = height
        self.name = name
        self.sampleEntry = sampleEntry
    }

    /// The sample entry with the bit rate that was measured.
    /// - Parameters:
    ///   - largestSample: bytes.
    ///   - peak: bits in the second that had most, or an estimate of that.
    ///   - average: bits a second over the whole track.
    func sampleEntry(largestSample: UInt32, peak: UInt32, average: UInt32) -> [UInt8] {
        guard isVideo, sampleEntry.count > Self.bitRateByteCount else { return sampleEntry }
        var writer = ByteWriter(reserving: sampleEntry.count)
        writer.put(sampleEntry.dropLast(Self.bitRateByteCount))
        SampleEntryBox.putBitRate(buffer: largestSample, peak: peak, average: average, into: &writer)
        return writer.bytes
    }
}
