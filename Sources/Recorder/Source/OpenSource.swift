import Capture
import Encoding
import Linux
import Media

/// What is open between a source and its encoder, on the pipeline thread: it outlives recordings.
final class OpenSource {
    // The encoder stands before the source, so that it goes first: its thread may still read the source's memory.
    let encoder: EncoderLadder
    let video: any VideoSource
    /// The same, where it is a device.
    let device: (any DeviceVideoSource)?
    var inputs: [SoundInput]
    /// Nanoseconds from picture to picture.
    var period: Int64
    /// Whether pictures come.
    var isStarted = false
    /// When the source last gave a sign of life.
    var newestCapture = MonotonicTime.now
    /// When something else than a picture last was to be waited for, or a picture came.
    var newestPicture = MonotonicTime.now
    /// When a source that is left alone was last looked at.
    var lastGlance = MonotonicTime(nanoseconds: 0)
    /// Until when the old shape's pictures may come out of the encoder; nil while the shape stays.
    var reshapeDeadline: MonotonicTime?
    /// Why what comes in cannot be recorded; nil when it can.
    var misfit: Failure?
    /// Whether the encoder was closed for a shape that could not be taken over.
    var isShapeless = false
    /// Why the source is of no use any more: it goes as soon as no recording has pictures of it in the encoder.
    var failure: Failure?
    var isVideoWatched = false
    var isEncoderWatched = false
    /// A picture that waits until the encoder is open.
    var held: VideoFrame?
    /// Whether pictures wait in the device behind the one that was held.
    var isBehind = false
    /// What stands in for pictures that do not come.
    var standIn = StandIn()

    /// Opens everything; nothing is captured yet.
    /// - Throws: `Failure` of what cannot be opened.
    init(_ plan: DeckPlan) throws(Failure) {
        video = try plan.openVideo()
        device = video as? any DeviceVideoSource
        inputs = []
        var inputs: [SoundInput] = []
        for open in plan.openAudio { inputs.append(SoundInput(try open())) }
        self.inputs = inputs
        encoder = try EncoderLadder(for: video, plan.encoding, rate: plan.rate)
        period = encoder.format.rate.nanoseconds(of: 1)
    }

    var isLive: Bool { video.pace == .live }

    /// A live source that gives no picture for this long, and for three of its periods, has none: 5 s.
    private static let patience: Int64 = 5_000_000_000

    /// Takes the present moment in.
    /// - Returns: whether a live source is dead.
    func isSilent(at now: MonotonicTime) -> Bool {
        if device != nil || video.givesOnlyChanges { newestCapture = max(newestCapture, now) }
        // A device tells by itself that nothing comes in; where nothing may have changed, nobody would notice. What comes in
        // and cannot be recorded gives no pictures either.
        if !isVideoWatched || misfit != nil || device.map({ !video.givesOnlyChanges || !$0.signal.isLocked }) ?? false {
            newestPicture = max(newestPicture, now)
        }
        return now - newestPicture > max(Self.patience, 3 * period)
    }

    /// Whether no picture has come for longer than it should, though not for so long that it is dead: 2 s.
    func isLate(at now: MonotonicTime) -> Bool {
        now - newestPicture > max(2_000_000_000, 2 * period)
    }

    /// Whether its pictures come as they should, as the state machine sees it.
    var condition: SourceCondition {
        if let failure = failure ?? misfit { return .absent(failure) }
        guard let signal = device?.signal, !signal.isLocked else { return .present }
        return .silent(signal)
    }

    /// Reads the sound of devices.
    func readLiveSound() {
        for input in inputs where input.isLive { input.read(before: newestCapture) }
    }

    /// Reads sound that is made along with the pictures, up to a moment.
    func readSyntheticSound(before moment: MonotonicTime) {
        for input in inputs where !input.isLive { input.read(before: moment) }
    }
}
