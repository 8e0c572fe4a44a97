/// What there is to be seen of a screen.
public enum ScreenState: Hashable, Sendable {
    /// It shows something.
    case lit(ScreenMode)
    /// A display is plugged in, and nothing is sent to it: switched off, asleep, or no program has set a mode.
    case off
    /// Nothing is plugged in, so nothing is shown.
    case unplugged
    /// There is no connector of this name, or none at all: a board without screen.
    case absent
}
