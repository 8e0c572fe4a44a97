/// One track of a file.
public enum Track: Hashable, Sendable {
    case video(VideoTrack)
    case audio(AudioTrack)

    /// Ticks a second of the track's times; for sound, its sample rate.
    public var timescale: Int64 {
        switch self {
        case .video(let video): video.timescale
        case .audio(let audio): Int64(audio.format.rate)
        }
    }

    /// True for a picture track.
    public var isVideo: Bool {
        if case .video = self { true } else { false }
    }
}
