import Capture
import Encoding
import Media
import Storage

/// Everything about sources and encoder that outlives one recording.
///
/// Sources are given as functions that open them, since they belong to the pipeline thread from the first moment on. They
/// are called again whenever a source has to be opened anew.
public struct DeckPlan: Sendable {
    /// Opens the source of the picture. Where `signalLoss` is `slate`, a device must draw slates.
    public var openVideo: @Sendable () throws(Failure) -> any VideoSource
    /// Opens the sources of sound, a track each, in the order of the tracks.
    public var openAudio: [@Sendable () throws(Failure) -> any AudioSource]
    /// Who encodes, and how.
    public var encoding: EncodingPlan
    /// Pictures a second that are wanted: of a faster source only so many are kept; nil for all.
    public var rate: FrameRate?
    /// Bits a second of each sound track; nil for the usual rate of its channels.
    public var audioBitrate: Int?
    /// What happens while the source has no signal.
    public var signalLoss: SignalLossPolicy
    /// Whether sources stay open between recordings; else they are opened by a start and closed by its end.
    public var isWarm: Bool

    public init(
        openVideo: @escaping @Sendable () throws(Failure) -> any VideoSource,
        openAudio: [@Sendable () throws(Failure) -> any AudioSource],
        encoding: EncodingPlan = EncodingPlan(), rate: FrameRate? = nil, audioBitrate: Int? = nil,
        signalLoss: SignalLossPolicy = .slate, isWarm: Bool = true
    ) {
        self.openVideo = openVideo
        self.openAudio = openAudio
        self.encoding = encoding
        self.rate = rate
        self.audioBitrate = audioBitrate
        self.signalLoss = signalLoss
        self.isWarm = isWarm
    }
}

/// Everything about one recording.
public struct TakePlan: Sendable {
    /// The state machine's number of the take.
    public var number: Int
    /// Finds out where the parts go, on the thread of the medium: it may have to wait for that. When it fails the recording
    /// ends with its failure.
    public var naming: @Sendable () throws(Failure) -> RecordingName
    /// Where the medium is mounted that the parts are on: no file is made when its folder is another file system's by then.
    /// nil for a folder that is none of a medium's.
    public var place: MediumPlace?
    /// Nanoseconds of the recording after which it ends by itself, pauses not counted; nil for never.
    public var duration: Int64?
    /// Bytes of the medium that stay free: the recording ends before less is left, with its file finished.
    public var leastRoom: Int64
    /// When a new part begins.
    public var splits: SplitLimits
    /// What people say of the recording; it goes into each part.
    public var metadata: RecordingMetadata

    /// - Parameter name: where the parts go, where that is known.
    public init(
        number: Int, name: RecordingName, place: MediumPlace? = nil, duration: Int64? = nil, leastRoom: Int64 = 0,
        splits: SplitLimits = SplitLimits(), metadata: RecordingMetadata = RecordingMetadata()
    ) {
        self.init(
            number: number, naming: { () throws(Failure) in name }, place: place, duration: duration,
            leastRoom: leastRoom, splits: splits, metadata: metadata)
    }

    public init(
        number: Int, naming: @escaping @Sendable () throws(Failure) -> RecordingName,
        place: MediumPlace? = nil, duration: Int64? = nil, leastRoom: Int64 = 0,
        splits: SplitLimits = SplitLimits(), metadata: RecordingMetadata = RecordingMetadata()
    ) {
        self.number = number
        self.naming = naming
        self.place = place
        self.duration = duration
        self.leastRoom = leastRoom
        self.splits = splits
        self.metadata = metadata
    }

    /// A duration that was extended, in nanoseconds. However often that is done, it stays one that moments can be reckoned
    /// with: a century and a half at most.
    public static func extended(_ duration: Int64, by nanoseconds: Int64) -> Int64 {
        let (sum, isTooMuch) = duration.addingReportingOverflow(nanoseconds)
        return isTooMuch ? .max / 2 : min(max(1, sum), .max / 2)
    }
}
