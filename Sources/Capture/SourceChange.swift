import Linux
import Media

/// What happened to a source's signal.
public enum SourceChange: Hashable, Sendable {
    /// No picture comes in any more; slates do, where the source was told to draw them. The moment is the last at which
    /// pictures may have come in. While none comes in it is told again, with the same moment, when the state is another
    /// one: the cable was pulled as well.
    case lost(SignalState, at: MonotonicTime)
    /// Pictures of the same shape come in again; the first of them follows.
    case returned(at: MonotonicTime)
    /// Pictures of another shape come in. No frame comes before the source was set up anew (`DeviceVideoSource.adopt`).
    case reshaped(at: MonotonicTime)

    /// When it happened.
    public var moment: MonotonicTime {
        switch self {
        case .lost(_, let moment), .returned(let moment), .reshaped(let moment): moment
        }
    }
}
