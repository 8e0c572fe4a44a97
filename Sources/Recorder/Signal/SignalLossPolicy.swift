/// What a recording does while its source has no signal.
public enum SignalLossPolicy: String, Sendable, CaseIterable {
    /// The recording goes on: the source draws a picture that says so, and the sound goes on.
    case slate
    /// The recording goes on: the last picture stays, and the sound goes on.
    case hold
    /// The part ends with the last picture; a new part begins when pictures come in again. Nothing in between is recorded,
    /// sound neither.
    case split
    /// The recording ends with the last picture.
    case stop
}
