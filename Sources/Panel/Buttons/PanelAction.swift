import Linux

/// One thing that a hand did with a button, and when.
public struct PanelAction: Hashable, Sendable {
    /// The name of the button, as it is configured.
    public var button: String
    /// What was done.
    public var gesture: PressGesture
    /// When, as the kernel stamped it: as the contact closed or opened, or as the hold was that long.
    public var time: MonotonicTime
    /// When the contact had closed. Gestures of one press have it in common.
    public var pressed: MonotonicTime

    public init(_ gesture: PressGesture, of button: String, at time: MonotonicTime, pressed: MonotonicTime) {
        self.button = button
        self.gesture = gesture
        self.time = time
        self.pressed = pressed
    }
}
