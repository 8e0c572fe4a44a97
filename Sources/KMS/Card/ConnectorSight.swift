import Linux

/// What the kernel shows of a connector without its card being opened (/sys/class/drm): looking costs nobody mastership, and
/// waits for no lock.
struct ConnectorSight: Equatable {
    /// The card's node: "/dev/dri/card0".
    var card: String
    /// "HDMI-A-1".
    var name: String
    /// Whether a display is there; one of which the driver does not know counts as there.
    var isConnected: Bool
    /// Whether it is driven and not asleep.
    var isDriven: Bool

    /// All connectors for displays, whether one is plugged in or not, by card and name.
    /// - Parameter folder: /sys/class/drm.
    static func all(in folder: String = "/sys/class/drm") -> [ConnectorSight] {
        var found: [(number: Int, sight: ConnectorSight)] = []
        for entry in SystemDirectory.entries(folder) {
            guard let (number, name) = parts(of: entry), !name.hasPrefix("Writeback-") else { continue }
            let path = "\(folder)/\(entry)"
            guard let status = SystemDirectory.line("\(path)/status") else { continue }
            let isDriven =
                SystemDirectory.line("\(path)/enabled") == "enabled" && SystemDirectory.line("\(path)/dpms") == "On"
            found.append(
                (
                    number,
                    ConnectorSight(
                        card: "/dev/dri/card\(number)", name: name, isConnected: status != "disconnected",
                        isDriven: isDriven)
                ))
        }
        found.sort { ($0.number, $0.sight.name) < ($1.number, $1.sight.name) }
        return found.map(\.sight)
    }

    /// "card0-HDMI-A-1" in its two parts; nil for a card itself and for other nodes.
    static func parts(of entry: String) -> (number: Int, name: String)? {
        guard entry.hasPrefix("card"), let dash = entry.firstIndex(of: "-"),
            let number = Int(entry[..<dash].dropFirst(4)), number >= 0
        else { return nil }
        return (number, String(entry[entry.index(after: dash)...]))
    }
}
