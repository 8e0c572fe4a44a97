import Media

/// A run of samples of one track in a movie fragment (`trun`, ISO/IEC 14496-12, 8.8.8), with what its track fragment says
/// for all of its samples.
struct FragmentRun {
    /// The fragment.
    var fragment: BoxHeader
    /// The run's own box.
    var box: BoxHeader
    /// The number that the fragment gives for its track.
    var trackID: UInt32
    /// Where the track stands among the movie's tracks; nil where there is no such track.
    var trackIndex: Int?
    /// The decode time of the run's first sample, where this is the first run of a track fragment that says it.
    var startTime: UInt64?
    /// The number of samples.
    var count: UInt32
    /// Where the first sample's bytes lie.
    var dataOffset: Int64
    /// What samples have where the run says nothing.
    var defaults: FragmentDefaults
    /// The flags of the first sample, where they differ.
    var firstFlags: UInt32?
    /// The bits that say which fields each sample has.
    var fields: UInt32
    /// True where composition offsets have a sign.
    var isSigned: Bool
    /// The place of the first sample's fields.
    var entries: Int64

    /// Bytes of the fields of a sample.
    var entrySize: Int { (fields & 0xF00).nonzeroBitCount * 4 }
    /// The place of the first byte behind the run's data; known once the run was walked.
    var dataEnd: Int64 = 0
}

/// What a run says of one of its samples.
struct FragmentRunSample: Hashable {
    var duration: UInt32
    var size: UInt32
    var flags: UInt32
    var compositionOffset: Int64

    /// False where the flags say that decoding cannot begin here (`sample_is_non_sync_sample`).
    var isSync: Bool { flags & 0x1_0000 == 0 }
}

/// Steps over the samples of a run.
struct FragmentRunCursor {
    private let run: FragmentRun
    private let window: FileWindow
    private var index: UInt32 = 0

    init(_ run: FragmentRun, _ window: FileWindow) {
        self.run = run
        self.window = window
    }

    /// The next sample; nil behind the last one.
    mutating func next() throws(BoxFault) -> FragmentRunSample? {
        guard index < run.count else { return nil }
        var sample = FragmentRunSample(
            duration: run.defaults.duration, size: run.defaults.size, flags: run.defaults.flags, compositionOffset: 0)
        if index == 0, let flags = run.firstFlags { sample.flags = flags }
        let size = run.entrySize
        if size > 0 {
            var reader = ByteReader(
                try window.boxBytes(at: run.entries + Int64(index) * Int64(size), count: size))
            if run.fields & 0x100 != 0, let value = reader.take32() { sample.duration = value }
            if run.fields & 0x200 != 0, let value = reader.take32() { sample.size = value }
            if run.fields & 0x400 != 0, let value = reader.take32() { sample.flags = value }
            if run.fields & 0x800 != 0, let value = reader.take32() {
                sample.compositionOffset = run.isSigned ? Int64(Int32(bitPattern: value)) : Int64(value)
            }
        }
        index += 1
        return sample
    }
}
