import Linux
import Media

/// What a recording has become, as clients, the journal and the state machine learn it.
public struct TakeResult: Hashable, Sendable {
    /// Why a recording ended.
    public enum End: Hashable, Sendable, CaseIterable {
        /// It was stopped, by whomever.
        case stopped
        /// Its duration was over.
        case duration
        /// Its source had no more pictures.
        case source
        /// The signal was lost, and recordings were to end then.
        case signal
        /// Something failed.
        case failure
    }

    /// The take's number.
    public var number: Int
    /// Where it begins; nil when nothing of it is on a medium.
    public var clip: Clip?
    /// All files, in their order.
    public var paths: [String]
    /// Files that could not be made ordinary MP4s; they are finished when their medium is back.
    public var unfinished: [String]
    /// When the first and the last picture were captured; nil when there was none.
    public var firstFrameTime: MonotonicTime?
    public var lastFrameTime: MonotonicTime?
    /// How long it is in nanoseconds, pauses left out.
    public var nanoseconds: Int64 = 0
    /// Pictures that came in: encoded, dropped and lost together.
    public var capturedFrames: Int64
    /// Pictures in the recording.
    public var encodedFrames: Int64
    /// Pictures that are not in it: lost in the source, dropped before the encoder, or thrown away behind it.
    public var droppedFrames: Int64
    /// Pictures in the recording that did not come in: slates while there was no signal.
    public var repeatedFrames: Int64 = 0
    /// Bytes on the medium.
    public var byteCount: Int64
    /// What was marked, in the order of the times.
    public var marks: [TakeMark]
    /// Why it ended.
    public var end = End.stopped
    /// Why it ended, when it was not by a stop, its duration or the end of its source.
    public var failure: Failure?

    public init(
        number: Int, clip: Clip? = nil, paths: [String] = [], unfinished: [String] = [],
        firstFrameTime: MonotonicTime? = nil, lastFrameTime: MonotonicTime? = nil, capturedFrames: Int64 = 0,
        encodedFrames: Int64 = 0, droppedFrames: Int64 = 0, byteCount: Int64 = 0, marks: [TakeMark] = [],
        failure: Failure? = nil
    ) {
        self.number = number
        self.clip = clip
        self.paths = paths
        self.unfinished = unfinished
        self.firstFrameTime = firstFrameTime
        self.lastFrameTime = lastFrameTime
        self.capturedFrames = capturedFrames
        self.encodedFrames = encodedFrames
        self.droppedFrames = droppedFrames
        self.byteCount = byteCount
        self.marks = marks
        self.failure = failure
        if failure != nil { end = .failure }
    }
}
