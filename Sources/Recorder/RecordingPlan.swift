import Capture
import Encoding
import Linux
import Media
import Storage

/// Everything that is decided before a recording starts.
///
/// Sources are given as functions that open them, since they belong to the pipeline thread from the first moment on; the
/// encoder is opened there as well. Each may fail; nothing has been created on the medium then.
public struct RecordingPlan: Sendable {
    /// Opens the source of the picture. Where `signalLoss` is `slate`, a device must draw slates.
    public var openVideo: @Sendable () throws(Failure) -> any VideoSource
    /// Opens the sources of sound, a track each, in the order of the tracks.
    public var openAudio: [@Sendable () throws(Failure) -> any AudioSource]
    /// Who encodes, and how.
    public var encoding: EncodingPlan
    /// Where the parts go.
    public var name: RecordingName
    /// Pictures a second that are wanted: of a faster source only so many are kept; nil for all.
    public var rate: FrameRate?
    /// Bits a second of each sound track; nil for the usual rate of its channels.
    public var audioBitrate: Int?
    /// Nanoseconds after which the recording ends by itself; nil for never.
    public var duration: Int64?
    /// When a new part begins.
    public var splits: SplitLimits
    /// What happens while the source has no signal.
    public var signalLoss: SignalLossPolicy
    /// What people say of the recording; it goes into each part.
    public var metadata: RecordingMetadata

    public init(
        openVideo: @escaping @Sendable () throws(Failure) -> any VideoSource,
        openAudio: [@Sendable () throws(Failure) -> any AudioSource],
        encoding: EncodingPlan = EncodingPlan(), name: RecordingName, rate: FrameRate? = nil, audioBitrate: Int? = nil,
        duration: Int64? = nil, splits: SplitLimits = SplitLimits(), signalLoss: SignalLossPolicy = .slate,
        metadata: RecordingMetadata = RecordingMetadata()
    ) {
        self.openVideo = openVideo
        self.openAudio = openAudio
        self.encoding = encoding
        self.name = name
        self.rate = rate
        self.audioBitrate = audioBitrate
        self.duration = duration
        self.splits = splits
        self.signalLoss = signalLoss
        self.metadata = metadata
    }
}

/// When a recording goes on in a new file.
public struct SplitLimits: Sendable, Equatable {
    /// The most bytes of a part, its final tables included; 0 for no limit.
    public var byteCount: Int64
    /// Nanoseconds of the recording after which each further part begins; 0 for no limit.
    public var nanoseconds: Int64

    /// 4 000 000 000 bytes, so that a part fits every file system; 30 minutes.
    public init(byteCount: Int64 = 4_000_000_000, nanoseconds: Int64 = 1800 * 1_000_000_000) {
        self.byteCount = byteCount
        self.nanoseconds = nanoseconds
    }
}
