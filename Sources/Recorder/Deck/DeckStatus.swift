import Linux
import Media

/// How a deck stands at a moment.
public struct DeckStatus: Sendable {
    /// The number of the recording that runs; nil when none does. One that is only being finished does not count.
    public var take: Int?
    /// How the recording stands that runs, or the last one that ran; nil before the first.
    public var recording: RecordingStatus?
    /// When the first picture of that recording was captured; nil before that.
    public var firstFrameTime: MonotonicTime?
    /// What the source of the picture sees; nil for one that does not say, or that is not open.
    public var signal: SignalState?
    /// The shape of the pictures as they are recorded; nil while the source is not open.
    public var format: VideoFormat?
    /// Who encodes, and why so; empty while the source is not open.
    public var encoder = ""
    /// The loudest sample of each sound track since the last look, or of the last 200 ms where that is shorter ago, 0…32768;
    /// also between recordings, where sources stay open.
    public var peaks: [Int] = []
    /// When the pipeline thread last went round. While it is healthy that is never longer ago than a few hundred
    /// milliseconds, but for devices that are being opened: ten seconds at most.
    public var lastTurn = MonotonicTime(nanoseconds: 0)

    public init() {}
}
