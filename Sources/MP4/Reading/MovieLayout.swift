/// What a `moov` box says, without its tables: where each table lies is known, its entries stay in the file.
struct MovieLayout {
    /// The movie box.
    var box: BoxHeader
    /// Ticks a second of the movie's and the tracks' durations; 0 where the file gives none.
    var timescale: Int64 = 0
    /// In ticks of the movie; nil where it is not known.
    var duration: UInt64?
    /// The number that the next track would get; nil where the file gives none.
    var nextTrack: UInt32?
    /// True when movie fragments may follow (`mvex`).
    var isFragmented = false
    /// Where the movie's fragments end: nothing behind is looked at.
    var end: Int64
    /// The tracks, in the order of the file.
    var tracks: [TrackLayout] = []

    /// More tracks than this are not read.
    static let mostTracks = 100
}

/// What a `trak` box says (ISO/IEC 14496-12, 8.3.1).
struct TrackLayout {
    /// The track box.
    var box: BoxHeader
    /// The track's number, 1 or greater in a good file.
    var id: UInt32 = 0
    /// In ticks of the movie; nil where it is not known.
    var duration: UInt64?
    /// The size at which the track is shown, in 65536ths of a pixel.
    var displayWidth: UInt32 = 0
    var displayHeight: UInt32 = 0
    /// Ticks a second of the track's samples; 0 where the file gives none.
    var timescale: Int64 = 0
    /// In ticks of the track; nil where it is not known.
    var mediaDuration: UInt64?
    /// 'vide', 'soun' or something else.
    var handler: BoxType = "none"
    /// The name that a person gave, or the handler's.
    var name = ""
    /// 'vmhd', 'smhd' or something else.
    var mediaHeader: BoxType?
    /// Nil where the file has no edit list, and then the whole media is shown.
    var edits: [Edit]?
    /// The first sample description.
    var entry: SampleDescription?
    /// The number of sample descriptions.
    var entryCount = 0
    /// Where the sample tables lie.
    var tables = SampleTables()
    /// What samples in fragments have where the fragment says nothing.
    var defaults = FragmentDefaults()

    /// "track 1"
    var title: String { "track \(id)" }

    /// A part of the presentation (ISO/IEC 14496-12, 8.6.6).
    struct Edit: Hashable {
        /// In ticks of the movie.
        var duration: UInt64
        /// Where in the media it begins, in ticks of the track; -1 for a part that shows nothing.
        var mediaTime: Int64
        /// 65536 for the normal speed.
        var rate: Int32
    }
}

/// What samples in fragments have where nothing is said for them (ISO/IEC 14496-12, 8.8.3).
struct FragmentDefaults: Hashable {
    var descriptionIndex: UInt32 = 1
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
}
