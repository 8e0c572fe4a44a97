import Judges
import Testing

/// The installed recorder with a stick in it, and the commands that speak with it.
enum ServedRecorder {
    static let socket = "/run/kinebox/io.kinebox.Recorder"

    /// Installs it with a configuration, and plugs a stick in that takes recordings then.
    static func begin(_ configuration: String, location: SourceLocation = #_sourceLocation) throws {
        try Board.shell(
            "mkdir -p /etc/kinebox/kinebox.conf.d; cat >/etc/kinebox/kinebox.conf.d/50.conf <<'END'\n\(configuration)\nEND"
        )
        try InstalledRecorder.install(location: location)
        try Board.control("stick", "in", "exfat")
        try Board.until("kinebox media | grep -q 'ready, chosen'")
    }

    /// Takes all of it away.
    static func end() throws {
        try InstalledRecorder.uninstall("--purge")
        try Board.control("stick", "out")
    }

    /// A number that the recorder gives in its status.
    static func figure(_ name: String) throws -> Int {
        let line = try Board.shell("kinebox status --json | grep -m1 '\"\(name)\" : ' | tr -cd 0-9")
        return try #require(Int(line))
    }
}
