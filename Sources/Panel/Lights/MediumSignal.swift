/// What the medium's light tells.
public enum MediumSignal: Hashable, Sendable {
    /// Off: there is none, or it may be taken out.
    case absent
    /// 1 Hz: it is being checked or ejected.
    case checking
    /// Steady: it is ready, and nothing is written to it.
    case ready
    /// 1 s on, 1 s off: it is written to; do not pull.
    case inUse
    /// So many blinks, then a pause. `FailureKind.blinks` has the number.
    case failed(blinks: Int)
}
