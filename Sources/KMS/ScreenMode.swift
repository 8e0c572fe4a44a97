import Media

/// How a screen is driven now.
public struct ScreenMode: Hashable, Sendable {
    /// The connector's name, as the kernel has it in /sys/class/drm: "HDMI-A-1".
    public var connector: String
    /// Pixels a line that the display shows (`hdisplay`).
    public var width: Int
    /// Lines that the display shows (`vdisplay`).
    public var height: Int
    /// Vertical blanks a second, from the mode's pixel clock and totals.
    public var refresh: FrameRate
    /// Whether the driver tells of vertical blanks; where it does not, a timer stands in.
    public var hasBlanks: Bool

    public init(connector: String, width: Int, height: Int, refresh: FrameRate, hasBlanks: Bool) {
        self.connector = connector
        self.width = width
        self.height = height
        self.refresh = refresh
        self.hasBlanks = hasBlanks
    }
}
