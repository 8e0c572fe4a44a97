import Media

/// What a file says of one of its tracks.
public struct MovieTrack: Hashable, Sendable {
    /// The kinds of track.
    public enum Kind: String, Hashable, Sendable {
        case video, audio, other
    }

    /// Its number in the file.
    public var id: UInt32
    public var kind: Kind
    /// The four characters of its sample description: "avc1", "mp4a"; empty where there is none.
    public var format: String
    /// Pixels; 0 for other kinds than video.
    public var width: Int
    public var height: Int
    /// 0 for other kinds than audio.
    public var channels: Int
    /// Samples a second; 0 for other kinds than audio.
    public var sampleRate: Int
    /// Ticks a second of its samples' times.
    public var timescale: Int64
    /// The name that a person gave, or the one of the program that wrote it.
    public var name: String
    /// Bytes of the length before each NAL unit of H.264; 0 for others.
    public var unitLengthSize: Int
    /// The parameter sets of H.264, the first of each; nil for others.
    public var parameterSets: ParameterSets?

    init(_ track: TrackLayout) {
        id = track.id
        kind = track.handler == "vide" ? .video : track.handler == "soun" ? .audio : .other
        format = track.entry?.format.description ?? ""
        width = track.entry?.width ?? 0
        height = track.entry?.height ?? 0
        channels = track.entry?.audio?.channels ?? track.entry?.channels ?? 0
        sampleRate = track.entry?.audio?.rate ?? track.entry?.rate ?? 0
        timescale = track.timescale
        name = track.name
        unitLengthSize = track.entry?.avc?.lengthSize ?? 0
        if let sets = track.entry?.avc, let sequence = sets.sequenceSets.first, let picture = sets.pictureSets.first {
            parameterSets = ParameterSets(sequence: sequence, picture: picture)
        }
    }
}
