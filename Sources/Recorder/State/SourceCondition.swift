import Media

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
                mend: "Look at the cable and at the device that gives the picture.")
        case .absent(let failure): failure
        }
    }
}
