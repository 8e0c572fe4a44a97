import Linux

/// One thing that a person wants, and when.
public struct PanelAction: Equatable, Sendable {
    /// What is wanted.
    public var command: PanelCommand
    /// The name of the button, as it is configured.
    public var button: String
    /// When it was wanted, as the kernel stamped it: as the contact closed or opened, or as the hold ended.
    public var time: MonotonicTime
    /// When the contact had closed. A hold that ejects tells by it which start was its own beginning.
    public var pressed: MonotonicTime

    public init(_ command: PanelCommand, by button: String, at time: MonotonicTime, pressed: MonotonicTime) {
        self.command = command
        self.button = button
        self.time = time
        self.pressed = pressed
    }
}
