import Linux
import MP4
import Media

/// How a recording stands at a moment.
public struct RecordingStatus: Sendable, Equatable {
    /// Where the recording is between its start and its end.
    public enum Phase: Sendable, Equatable {
        /// Sources are opened, nothing is captured yet, or no fragment is on the medium yet.
        case arming
        /// What was captured is on the medium up to `unsavedNanoseconds` before now.
        case recording
        /// Capture has ended; the file is being made an ordinary MP4.
        case finalising
        /// Everything is done.
        case ended
    }

    public var phase = Phase.arming
    /// From the first picture to the newest, in nanoseconds.
    public var nanoseconds: Int64 = 0
    /// Pictures in the recording so far.
    public var encodedFrames: Int64 = 0
    /// Pictures that were captured but not encoded, since the encoder was late or failed.
    public var droppedFrames: Int64 = 0
    /// Pictures that the source lost before they came here.
    public var lostFrames: Int64 = 0
    /// Encoded pictures that were thrown away since the medium was too slow.
    public var discardedFrames: Int64 = 0
    /// Bytes on the medium, all parts together.
    public var byteCount: Int64 = 0
    /// What a power cut would take now, in nanoseconds of the recording.
    public var unsavedNanoseconds: Int64 = 0
    /// Bytes that are free on the medium.
    public var freeByteCount: Int64 = 0
    /// How many of them the recording may still take before it ends by itself.
    public var roomByteCount: Int64 = 0
    /// Parts that were begun.
    public var parts = 0
    /// What the source of the picture sees; nil for one that does not say.
    public var signal: SignalState?
    /// The loudest sample of each sound track since the last look, 0…32768.
    public var peaks: [Int] = []

    public init() {}
}

/// What a recording has become.
public struct RecordingResult: Sendable {
    /// Why the recording ended.
    public enum End: Sendable, Equatable {
        /// It was stopped.
        case stopped
        /// Its duration was over.
        case durationReached
        /// The source had no more pictures.
        case sourceEnded
        /// The source lost its signal, and the recording was to end then.
        case signalLost(SignalState)
        /// Something failed; what was recorded until then is kept.
        case failed(Failure)
    }

    /// Why it ended.
    public var end: End
    /// The files, in their order. A part that never got a picture is not among them and not on the medium.
    public var parts: [PartSummary]
    /// The last counts.
    public var status: RecordingStatus
    /// When the first picture was captured; nil when there was none.
    public var firstFrameTime: MonotonicTime?
    /// When the last picture was captured.
    public var lastFrameTime: MonotonicTime?
    /// Times in which no picture came in, in their order.
    public var gaps: [SignalGap] = []
    /// Pictures in the recording that did not come in, but were drawn in their place.
    public var slateFrames: Int64 = 0
    /// What was marked, in the order of the times.
    public var marks: [TakeMark] = []
    /// Files that could not be made ordinary MP4s and wait for `kinebox recover`.
    public var unfinished: [String]
    /// What a person should know of the course of things: the encoder and changes of its effort, lost sound.
    public var notices: [String]

    /// Pictures that were encoded and are in no file of `parts`, since the medium failed or had no room for them. Those in
    /// files that wait for recovery are among them.
    public var unsavedFrames: Int64 {
        let saved = parts.reduce(0) { count, part in
            count + part.tracks.reduce(0) { $0 + ($1.isVideo ? $1.sampleCount : 0) }
        }
        return max(0, status.encodedFrames - status.discardedFrames - Int64(saved))
    }
}
