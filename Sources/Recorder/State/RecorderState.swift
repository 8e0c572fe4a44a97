import Linux
import Media

/// The state machine of the recorder, as a value: what it does, and what it knows of the box. All that happens to the
/// recorder goes through `after(_:)`, which has no side effects: it gives the next state, what is to be done, and what
/// clients are told. There is one answer for each input in each state.
public struct RecorderState: Hashable, Sendable {
    /// What the recorder does.
    public enum Phase: Hashable, Sendable {
        /// Nothing, and is ready to.
        case idle
        /// A recording has been begun, and nothing of it is on the medium yet.
        case arming(Take)
        /// What is seen is on the medium.
        case recording(Take)
        /// The recording waits to be resumed.
        case paused(Take)
        /// The recording ends.
        case finalising(Take, Ending)
        /// A recording will begin as soon as what is missing is there.
        case pending(StartRequest, Missing)
        /// Something was refused, or a recording was lost.
        case fault(Fault)
    }

    /// What a recording waits for.
    public enum Missing: Hashable, Sendable, CaseIterable {
        case medium
        case signal
    }

    /// How a recording ends.
    public struct Ending: Hashable, Sendable {
        /// Why it ends, where it is not by a person's will.
        var cause: Failure?
        /// Whether nothing of it was safe when it was asked to end.
        var wasArming: Bool
        /// Whether its medium is to be ejected afterwards.
        var ejects = false
    }

    /// What the light's blinks tell of.
    public struct Fault: Hashable, Sendable {
        /// What went wrong.
        public var failure: Failure
        /// Whether a recording was lost by it: that is shown until somebody does something, a refusal only for a while.
        public var isLoss: Bool
        /// The medium that a lost recording was on.
        var medium: String?
    }

    /// A medium that is being ejected.
    struct Ejection: Hashable, Sendable {
        var medium: String
        var client: RequestNumber?
    }

    /// A button that is down.
    struct Press: Hashable, Sendable {
        var time: MonotonicTime
        /// The take that it began.
        var take: Int?
        /// Whether it marks, or goes on after a pause, unless it becomes a hold.
        var isOpen = false
    }

    /// What the person who set the box up wants.
    public internal(set) var policy: RecorderPolicy
    /// What the recorder does.
    public internal(set) var phase = Phase.idle
    /// The media, the preferred one first.
    public internal(set) var media: [MediumReport] = []
    /// The source of the picture.
    public internal(set) var source = SourceCondition.unknown
    /// What a person should look at.
    public internal(set) var warnings: Set<RecorderWarning> = []
    /// What the next recording says of itself.
    public internal(set) var nextMetadata = RecordingMetadata()
    /// Whether the daemon is about to end: nothing is begun any more.
    public internal(set) var isEnding = false
    /// The number of the newest take.
    public internal(set) var takeCount = 0
    var ejection: Ejection?
    var snapshotClient: RequestNumber?
    var press: Press?

    /// Idle, with nothing known yet.
    public init(_ policy: RecorderPolicy = RecorderPolicy()) {
        self.policy = policy
    }

    /// The next state, what is to be done, and what clients are told.
    public func after(_ input: RecorderInput) -> RecorderTransition {
        var transition = RecorderTransition(self)
        transition.take(input)
        return transition
    }

    /// The recording that is being made, from its beginning until its result is known.
    public var take: Take? {
        switch phase {
        case .arming(let take), .recording(let take), .paused(let take), .finalising(let take, _): take
        case .idle, .pending, .fault: nil
        }
    }

    /// What the recording light tells: steady only while what is seen is on the medium.
    public var light: LightSignal {
        switch phase {
        case .idle: .idle
        case .arming: .arming
        case .recording(let take):
            if !take.isSaved { .unsaved } else { isWarned ? .safeWithWarning : .safe }
        case .paused: .paused
        case .finalising: .finalising
        case .pending: .pending
        case .fault(let fault): fault.failure.kind.blinks.map { .failed(blinks: $0) } ?? .idle
        }
    }

    /// The phase's word in the socket API.
    public var word: String {
        switch phase {
        case .idle: "idle"
        case .arming: "arming"
        case .recording: "recording"
        case .paused: "paused"
        case .finalising: "finalising"
        case .pending: "pending"
        case .fault: "fault"
        }
    }

    /// A picture that stays away is to be looked at as well, though slates are saved in its place.
    private var isWarned: Bool { !warnings.isEmpty || source.refusal != nil }
}
