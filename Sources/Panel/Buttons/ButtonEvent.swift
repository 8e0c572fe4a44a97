import Media

/// What comes from the buttons.
public enum ButtonEvent: Equatable, Sendable {
    /// A hand did something.
    case action(PanelAction)
    /// A button's contact has been found, on the device with this name.
    case found(button: String, device: String)
    /// The last device with a button's contact has gone. It is taken again when it comes back.
    case lost(button: String, device: String)
    /// Holds cannot be timed.
    case failed(Failure)
}
