/// What the recorder does, as far as it decides what a button means.
public enum PanelPhase: Sendable, CaseIterable {
    /// No recording runs or is about to: a press would start one.
    case idle
    /// A recording is being started, runs, is paused or waits: a press would stop it.
    case active
}
