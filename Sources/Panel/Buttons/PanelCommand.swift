/// What a person at the buttons wants. The recorder answers, with its light if there is nothing to do.
public enum PanelCommand: String, Sendable, CaseIterable {
    case start, stop, split, mark, snapshot, eject
    /// Pauses, or goes on when it is paused.
    case pause
}
