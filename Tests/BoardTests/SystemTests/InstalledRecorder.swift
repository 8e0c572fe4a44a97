import Glibc
import Judges
import Testing

/// The recorder as `tools/install` puts it on the board.
enum InstalledRecorder {
    private static let checkout = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

    /// The path of a file of the checkout.
    static func file(_ path: String) -> String { "\(checkout)/\(path)" }

    /// Installs the program that was built with the tests, and gives what the tool said.
    @discardableResult
    static func install(_ options: String..., location: SourceLocation = #_sourceLocation) throws -> String {
        // A test's program finds Swift's library where the compiler is. Where that is somebody's home, the service would
        // not see it.
        try Board.shell(
            """
            if ldd \(Kinebox.path) | grep -qE '=> (/root|/home)/'; then
                for unit in kinebox kinebox-kms; do
                    mkdir -p /run/systemd/system/$unit.service.d
                    printf '[Service]\\nProtectHome=no\\n' >/run/systemd/system/$unit.service.d/library.conf
                done
            fi
            """, location: location)
        return try tool("install", ["--program", Kinebox.path] + options, location)
    }

    /// Installs and starts it with a small test picture and a tone, where that has not been done yet on this board.
    static func begin(location: SourceLocation = #_sourceLocation) throws {
        if try Board.run("systemctl", "-q", "is-active", "kinebox.service").exitCode == 0 { return }
        try configure("[Recording]\nVideo=test\nAudio=tone\nSize=320x240\nRate=10\n", location: location)
        try install(location: location)
        try Board.until("kinebox status >/dev/null 2>&1", location: location)
    }

    /// Writes what is configured, beside the file that was installed.
    static func configure(_ text: String, location: SourceLocation = #_sourceLocation) throws {
        try Board.shell(
            "mkdir -p /etc/kinebox/kinebox.conf.d; cat >/etc/kinebox/kinebox.conf.d/test.conf <<'END'\n\(text)\nEND",
            location: location)
    }

    /// Waits until the recorder's one line of state begins so.
    static func isNow(_ words: String, location: SourceLocation = #_sourceLocation) throws {
        try Board.until("kinebox status 2>/dev/null | grep -q '^\(words)'", location: location)
    }

    /// Plugs a new stick in and waits until it takes recordings.
    static func plugIn(_ fileSystem: String, location: SourceLocation = #_sourceLocation) throws {
        try Board.control("stick", "in", fileSystem, "600M", location: location)
        try Board.until("kinebox media --json 2>/dev/null | grep -q '\"state\" : \"ready\"'", location: location)
    }

    /// The number of the process that records.
    static var process: pid_t {
        get throws {
            pid_t(try Board.shell("systemctl show -P MainPID kinebox.service").split(separator: "\n").first ?? "") ?? 0
        }
    }

    /// Runs `kinebox`, however it ends.
    static func client(_ words: [String]) throws -> Ending {
        try ChildProcess("kinebox", words).wait(atMost: 60)
    }

    @discardableResult
    static func uninstall(_ options: String..., location: SourceLocation = #_sourceLocation) throws -> String {
        try tool("uninstall", options, location)
    }

    private static func tool(_ name: String, _ options: [String], _ location: SourceLocation) throws -> String {
        let ending = try ChildProcess(file("tools/\(name)"), options).wait(atMost: 120)
        try #require(ending.exitCode == 0, "\(ending)", sourceLocation: location)
        return ending.text
    }

    /// Runs lines of shell in the place of the recorder, as its unit has it run, and gives what they print.
    /// - Parameter during: is done while they run.
    static func standIn(
        _ lines: String, during: () throws -> Void = {}, location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let folder = "/run/systemd/system/kinebox.service.d"
        try Board.shell(
            """
            mkdir -p \(folder)
            cat >/run/board/stand-in <<'LINES'
            \(lines)
            # The journal asks who has written a line, and must find somebody.
            sleep 0.3
            LINES
            cat >\(folder)/stand-in.conf <<'UNIT'
            [Service]
            Type=exec
            Restart=no
            ExecStart=
            ExecStart=/bin/bash /run/board/stand-in
            ExecStopPost=
            UNIT
            systemctl daemon-reload
            systemctl restart kinebox.service
            """, location: location)
        try during()
        return try Board.shell(
            """
            while systemctl is-active -q kinebox.service; do sleep 0.1; done
            journalctl --sync
            journalctl -o cat --no-pager _SYSTEMD_INVOCATION_ID=$(systemctl show -P InvocationID kinebox.service)
            systemctl stop kinebox.service kinebox.socket
            rm \(folder)/stand-in.conf
            systemctl daemon-reload
            """, location: location)
    }
}
