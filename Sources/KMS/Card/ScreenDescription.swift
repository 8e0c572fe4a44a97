import Glibc
import Linux
import Media

/// A place for a display, and whether what is shown there can be recorded by this process.
public struct ScreenDescription: Hashable, Sendable {
    /// Whether there is something to be recorded.
    public enum Condition: Hashable, Sendable {
        /// It shows something, and this process may read it.
        case ready(ScreenMode)
        /// A display is plugged in, and nothing is sent to it.
        case off
        /// Nothing is plugged in.
        case unplugged
        /// It shows something, and this process may not read it: why, and what helps.
        case denied(Failure)
    }

    /// The connector's name, as in /sys/class/drm: "HDMI-A-1".
    public var connector: String
    /// The card's node: "/dev/dri/card0".
    public var card: String
    /// The name of the card's driver: "vc4-drm"; empty where the kernel does not tell.
    public var driver: String
    public var condition: Condition

    public init(connector: String, card: String, driver: String, condition: Condition) {
        self.connector = connector
        self.card = card
        self.driver = driver
        self.condition = condition
    }

    /// All connectors of all cards, by card and name. Cards without connectors, such as those that only compute, have none.
    ///
    /// A card is opened only where something is shown, for a moment. May be called from any thread.
    public static func all() -> [ScreenDescription] {
        ConnectorSight.all().map { sight in
            ScreenDescription(
                connector: sight.name, card: sight.card, driver: driver(of: sight.card), condition: condition(of: sight)
            )
        }
    }

    private static func condition(of sight: ConnectorSight) -> Condition {
        guard sight.isConnected else { return .unplugged }
        guard sight.isDriven else { return .off }
        guard CardReader.mayRead else { return .denied(CardReader.denial(sight.name)) }
        do {
            guard let screen = try LitScreen(at: sight.card, connector: sight.name) else { return .off }
            return .ready(screen.mode)
        } catch {
            return .denied(CardReader.refusal(sight, error))
        }
    }

    /// The driver's name, or where none is bound, as for the kernel's own screen without hardware, the device's.
    private static func driver(of card: String) -> String {
        let device = "\(SystemDirectory.device(card))/device"
        return lastName("\(device)/driver") ?? lastName(device) ?? ""
    }

    /// The last name of where a symbolic link leads to.
    private static func lastName(_ link: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { room in
            guard let start = room.baseAddress else { return nil }
            let count = readlink(link, start, room.count)
            guard count > 0 else { return nil }
            let path = String(decoding: room.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return path.split(separator: "/").last.map(String.init)
        }
    }
}
