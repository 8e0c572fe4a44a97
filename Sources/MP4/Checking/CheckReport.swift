/// What the checker found out about a file.
public struct CheckReport: Hashable, Sendable {
    /// What kind of file it is.
    public enum State: String, Hashable, Sendable {
        /// A recording of Kinebox with its final tables.
        case finished
        /// A recording of Kinebox that was cut off and not recovered yet.
        case unfinished
        /// A file that another program wrote.
        case foreign
    }

    public var state: State
    /// Bytes of the file.
    public var byteCount: Int64
    /// How long the longest track is, in nanoseconds.
    public var duration: Int64
    /// Fragments of a recording of Kinebox whose records and bytes agree with their checksums; 0 for foreign files.
    public var records: Int
    /// The tracks, in the order of the file.
    public var tracks: [TrackReport]
    /// What is wrong; empty only when a careful player could find no fault.
    public var faults: [Fault]
}

/// What the checker found out about a track.
public struct TrackReport: Hashable, Sendable {
    /// What it carries.
    public var kind: MovieTrack.Kind
    /// "H.264 High@4.0", "AAC-LC", or the four characters of what the checker does not know.
    public var codec: String
    /// Pixels as shown; 0 for other kinds than video.
    public var width: Int
    public var height: Int
    /// 0 for other kinds than audio.
    public var channels: Int
    /// Samples a second; 0 for other kinds than audio.
    public var sampleRate: Int
    /// The name that a person gave, or the one of the program that wrote it.
    public var name: String
    /// Pictures, or frames of sound.
    public var sampleCount: Int64
    /// From the first sample's start to the last one's end, in nanoseconds.
    public var duration: Int64
    /// Bits a second over the whole duration; 0 where it has none.
    public var bitrate: Int64
    /// Pictures a second, "29.97", or "27.31, variable"; nil for other kinds than video.
    public var rate: String?
}
