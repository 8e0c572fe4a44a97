/// What a finished part holds.
public struct PartSummary: Hashable, Sendable {
    /// What a track holds.
    public struct TrackSummary: Hashable, Sendable {
        /// True for the picture track.
        public var isVideo: Bool
        /// Pictures, or AAC frames.
        public var sampleCount: Int
        /// From the first sample's start to the last sample's end, in nanoseconds.
        public var nanoseconds: Int64
    }

    /// Where the file is.
    public var path: String
    /// The size of the file.
    public var byteCount: Int64
    /// In the order of the file's tracks.
    public var tracks: [TrackSummary]
    /// The chapters that players show, in the order of their times.
    public var chapters: [Chapter] = []
    /// Fragments at the end that had been written and were given up to make room for the tables on a full medium.
    public var fragmentsGivenUp: Int
    /// How much shorter the recording became by that, in nanoseconds.
    public var nanosecondsGivenUp: Int64
}
