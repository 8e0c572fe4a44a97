import Media

/// What a track fragment says for all of its runs (`tfhd` and `tfdt`, ISO/IEC 14496-12, 8.8.7 and 8.8.12).
struct TrackFragmentHeader {
    var trackID: UInt32 = 0
    var trackIndex: Int?
    /// Where data offsets count from, if the file says it.
    var base: Int64?
    /// True where data offsets count from the fragment's first byte.
    var baseIsFragment = false
    /// The decode time of the first sample.
    var startTime: UInt64?
    /// What samples have where their run says nothing; nil where the movie's own defaults hold.
    private var descriptionIndex: UInt32?
    private var duration: UInt32?
    private var size: UInt32?
    private var flags: UInt32?
    private var defaults = FragmentDefaults()

    init() {}

    /// - Parameter content: the fields of a `tfhd` box.
    init(_ content: UnsafeRawBufferPointer) throws(ContentFault) {
        var reader = ByteReader(content)
        guard let full = reader.take32(), let id = reader.take32() else {
            throw ContentFault("has \(content.count) bytes where at least 8 are needed")
        }
        let fields = full & 0xFF_FFFF
        let needed =
            8 + (fields & 1 != 0 ? 8 : 0) + (fields & 0x3A).nonzeroBitCount * 4
        guard full >> 24 == 0 else { throw ContentFault("has the unknown version \(full >> 24)") }
        guard content.count == needed else {
            throw ContentFault("has \(content.count) bytes where its flags need \(needed)")
        }
        trackID = id
        if fields & 1 != 0, let place = reader.take64() { base = Int64(min(place, 1 << 61)) }
        if fields & 2 != 0 { descriptionIndex = reader.take32() }
        if fields & 8 != 0 { duration = reader.take32() }
        if fields & 0x10 != 0 { size = reader.take32() }
        if fields & 0x20 != 0 { flags = reader.take32() }
        baseIsFragment = fields & 0x2_0000 != 0
    }

    /// The time in the fields of a `tfdt` box.
    static func time(_ content: UnsafeRawBufferPointer) throws(ContentFault) -> UInt64 {
        var reader = ByteReader(content)
        let version = reader.take32().map { $0 >> 24 }
        if version == 0, content.count == 8, let time = reader.take32() { return UInt64(time) }
        if version == 1, content.count == 12, let time = reader.take64() { return time }
        throw ContentFault("comes with a 'tfdt' of version \(version ?? 0) and \(content.count) bytes")
    }

    /// Fills in what the movie says for the track's samples in all fragments.
    mutating func inherit(_ movie: FragmentDefaults) {
        defaults = FragmentDefaults(
            descriptionIndex: descriptionIndex ?? movie.descriptionIndex, duration: duration ?? movie.duration,
            size: size ?? movie.size, flags: flags ?? movie.flags)
    }

    /// Reads a run's header.
    /// - Parameters:
    ///   - box: the run.
    ///   - fragment: the fragment that it is in.
    ///   - content: the first 16 bytes of the run's fields, or all of them.
    ///   - dataBase: what the run's data offset counts from.
    ///   - nextData: where its data begin if it gives no offset.
    func run(
        _ box: BoxHeader, _ fragment: BoxHeader, _ content: UnsafeRawBufferPointer, dataBase: Int64, nextData: Int64
    ) throws(ContentFault) -> FragmentRun {
        var reader = ByteReader(content)
        guard let full = reader.take32(), let count = reader.take32() else {
            throw ContentFault("has \(content.count) bytes where at least 8 are needed")
        }
        let fields = full & 0xFF_FFFF
        var dataOffset = nextData
        if fields & 1 != 0 {
            guard let distance = reader.take32() else { throw ContentFault("has no room for its data offset") }
            dataOffset = max(dataBase + Int64(Int32(bitPattern: distance)), -1)
        }
        var firstFlags: UInt32?
        if fields & 4 != 0 {
            guard let value = reader.take32() else { throw ContentFault("has no room for its first sample's flags") }
            firstFlags = value
        }
        guard full >> 24 <= 1 else { throw ContentFault("has the unknown version \(full >> 24)") }
        let run = FragmentRun(
            fragment: fragment, box: box, trackID: trackID, trackIndex: trackIndex, startTime: nil, count: count,
            dataOffset: dataOffset, defaults: defaults, firstFlags: firstFlags, fields: fields,
            isSigned: full >> 24 == 1, entries: box.payload + Int64(reader.offset))
        let room = box.end - run.entries
        guard Int64(count) * Int64(run.entrySize) == room else {
            throw ContentFault("says it has \(count) samples of \(run.entrySize) bytes, but has room for \(room) bytes")
        }
        return run
    }
}
