/// What the recording light tells. What it looks like is the panel's: `docs/panel.md` has the label for a box.
public enum LightSignal: Hashable, Sendable {
    /// Off: idle and ready.
    case idle
    /// 5 Hz: a recording is about to begin.
    case arming
    /// Steady: what is seen is on the medium, but for the last two seconds at most.
    case safe
    /// Steady with a short dark notch: safe as well, but somebody should look (room, drops, silence).
    case safeWithWarning
    /// 3 Hz: recording goes on, but more than two seconds of it are not on the medium.
    case unsaved
    /// 1 s on, 1 s off.
    case paused
    /// Double flash: a recording begins as soon as what it waits for is there.
    case pending
    /// 1 Hz: the file is being finished, do not pull.
    case finalising
    /// So many blinks, then a pause: refused or failed. `FailureKind.blinks` has the number.
    case failed(blinks: Int)
}
