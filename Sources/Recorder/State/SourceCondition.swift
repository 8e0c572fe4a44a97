import Media

extension SignalState {
    /// What helps where nothing comes in.
    var mend: String {
        switch self {
        case .off, .noScreen: "Turn the screen on, plug it in, or start what is to be shown."
        case .unreadable: "kinebox devices says which screens can be recorded, and why not."
        case .noCable, .noSignal, .noLock, .outOfRange, .unplugged, .locked:
            "Look at the cable and at the device that gives the picture."
        }
    }
}

/// How the source of the picture stands, as the state machine sees it.
public enum SourceCondition: Hashable, Sendable {
    /// It has not been opened, so that nobody knows.
    case unknown
    /// Pictures come in.
    case present
    /// Nothing comes in: "no cable".
    case silent(SignalState)
    /// It cannot be opened.
    case absent(Failure)

    /// Why nothing can be recorded from it now; nil when it can be, or when nobody knows.
    public var refusal: Failure? {
        switch self {
        case .unknown, .present: nil
        case .silent(let signal):
            Failure(
                .noSignal, "cannot record", because: "there is no picture to record (\(signal.words))",
                mend: signal.mend)
        case .absent(let failure): failure
        }
    }
}
