import Glibc
import Linux
import Testing

/// A button of the board as a test's own finger: it is down as long as the test wants, however slow the machine is.
struct SimulatedContact {
    private let pull: String

    /// - Parameter button: "record" or "bare-button".
    init(_ button: String) throws {
        let panel = "/sys/devices/platform/panel"
        let chip = try #require(SystemDirectory.entries(panel).first { $0.hasPrefix("gpiochip") })
        pull = "\(panel)/\(chip)/sim_gpio\(button == "record" ? 0 : 8)/pull"
    }

    func set(isDown: Bool) throws {
        let file = try FileDescriptor.open(pull, O_WRONLY)
        try Array((isDown ? "pull-up" : "pull-down").utf8).withUnsafeBytes { _ = try file.write($0) }
    }

    /// Opens and closes some times within milliseconds, as real contacts do, and stays where it was sent.
    func bounce(toDown isDown: Bool) throws {
        for _ in 0..<3 {
            try set(isDown: isDown)
            usleep(300)
            try set(isDown: !isDown)
            usleep(300)
        }
        try set(isDown: isDown)
    }
}
