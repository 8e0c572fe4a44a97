import Glibc
import Linux
import Media

/// A connector of this board for a display, and what can be known of it without the right to read what is shown.
public struct ListedScreen: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// It shows something; how, where this process may open its card.
        case lit(ScreenMode?)
        /// A display is plugged in, and nothing is sent to it.
        case off
        /// Nothing is plugged in.
        case unplugged
    }

    /// "HDMI-A-1".
    public var connector: String
    /// The node of its card: "/dev/dri/card0".
    public var card: String
    public var state: State

    public init(connector: String, card: String, state: State) {
        self.connector = connector
        self.card = card
        self.state = state
    }
}

/// The connectors of this board for displays.
public enum ScreenList {
    /// All of them, by card and name. The cards of those that show something are opened for a moment, where this process
    /// may do that. From any thread.
    public static func all() -> [ListedScreen] {
        ConnectorSight.all().map { sight in
            ListedScreen(connector: sight.name, card: sight.card, state: state(of: sight))
        }
    }

    private static func state(of sight: ConnectorSight) -> ListedScreen.State {
        guard sight.isConnected else { return .unplugged }
        guard sight.isDriven else { return .off }
        do throws(Errno) {
            return try LitScreen(at: sight.card, connector: sight.name).map { .lit($0.mode) } ?? .off
        } catch {
            return error.code == EACCES || error.code == EPERM ? .lit(nil) : .off
        }
    }
}
