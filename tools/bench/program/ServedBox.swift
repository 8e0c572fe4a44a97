import Control
import Glibc
import Judges
import Linux
import Media

/// A recorder that runs as a service on the virtual board, as `tools/install` puts it there.
struct ServedBox {
    /// A recording's two moments, as the daemon stamped them.
    struct Start {
        /// When the contact closed, or the call was read.
        var requested: MonotonicTime
        /// When the file's first picture was captured.
        var firstPicture: MonotonicTime

        /// From one to the other.
        var milliseconds: Double { Double(firstPicture - requested) / 1e6 }
    }

    private static let configuration = "/etc/kinebox/kinebox.conf"

    /// Installs the program and plugs a stick in.
    /// - Parameter recording: the lines of `[Recording]`.
    init(_ recording: [String]) throws {
        let checkout = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        try BoardDevices.run("\(checkout)/tools/install", ["--program", Kinebox.path, "--no-start"])
        try configure(recording)
        try BoardDevices.run("boardctl", ["stick", "in", "exfat", "600M"])
        try begin()
    }

    /// Sets the recorder up; what runs has to be started anew for it.
    func configure(_ recording: [String]) throws {
        let lines =
            ["[Recording]"] + recording + [
                "[Panel]", "RecordButton=key:RECORD", "RecordLight=led:red:record", "[Media]", "LeastRoom=16M",
            ]
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        let file = try FileDescriptor.open(Self.configuration, O_WRONLY | O_CREAT | O_TRUNC)
        _ = try text.withUnsafeBytes { bytes throws(Errno) in try file.write(bytes) }
    }

    /// Starts the service, and waits until it could record.
    func begin() throws {
        try BoardDevices.run("systemctl", ["start", "kinebox.service"])
        try rest()
    }

    /// Starts a service whose sources are closed while nothing is recorded.
    func beginCold() throws {
        try BoardDevices.run("systemctl", ["start", "kinebox.service"])
        try wait("the box was at rest") { status().map { $0.state == .idle && $0.medium != nil } ?? false }
    }

    func end() throws { try BoardDevices.run("systemctl", ["stop", "kinebox.service"]) }

    /// The service's process.
    var process: pid_t {
        get throws {
            let text = try ChildProcess("systemctl", ["show", "-P", "MainPID", "kinebox.service"]).wait().text
            return pid_t(text.split(separator: "\n").first ?? "") ?? 0
        }
    }

    func client() throws(Failure) -> RecorderClient { try RecorderClient(.socket(RecorderServer.usualPath)) }

    /// How the recorder stands; nil while nobody answers.
    func status() -> RecorderAPI.Status? { try? client().call(RecorderAPI.GetStatus.self).status }

    /// Waits until nothing goes on and a medium is ready.
    func rest() throws {
        try wait("the box was at rest") {
            status().map { $0.state == .idle && $0.medium != nil && $0.signal.state != .unknown } ?? false
        }
    }

    /// Waits for something, for half a minute at most.
    func wait(_ what: String, until isSo: () throws -> Bool) throws {
        let limit = MonotonicTime.now + 30_000_000_000
        while try !isSo() {
            guard MonotonicTime.now < limit else {
                throw Failure(.internalFault, "cannot measure the box", because: "half a minute passed before \(what)")
            }
            usleep(10_000)
        }
    }

    /// Records for half a second at the call of a client.
    func recordByCall() throws -> Start {
        let reply = try client().call(RecorderAPI.Start.self, .init())
        guard let first = reply.firstFrame else {
            throw Failure(.internalFault, "cannot measure a start", because: "it has no first picture")
        }
        usleep(500_000)
        _ = try client().call(RecorderAPI.Stop.self)
        return Start(
            requested: MonotonicTime(nanoseconds: reply.requested), firstPicture: MonotonicTime(nanoseconds: first))
    }

    /// Records for half a second by the button; the moments are those of the journal.
    func recordByButton() throws -> Start {
        try BoardDevices.run("boardctl", ["press", "record"])
        try wait("the recording was safe") { status()?.state == .recording }
        usleep(500_000)
        try BoardDevices.run("boardctl", ["press", "record"])
        try rest()
        let text = try ChildProcess(
            "journalctl",
            [
                "-u", "kinebox", "-n", "1", "-o", "json", "--no-pager", "--output-fields",
                "KINEBOX_REQUESTED_NS,KINEBOX_FIRST_FRAME_NS", "MESSAGE_ID=438f6a4be34e43ec9d1504dc554cc4b0",
            ]
        ).wait().text
        func number(_ name: String) -> Int64? {
            guard let range = text.range(of: "\"\(name)\":\"") else { return nil }
            return Int64(text[range.upperBound...].prefix { $0.isNumber })
        }
        guard let requested = number("KINEBOX_REQUESTED_NS"), let first = number("KINEBOX_FIRST_FRAME_NS") else {
            throw Failure(.internalFault, "cannot measure a start", because: "the journal has no moments: \(text)")
        }
        return Start(
            requested: MonotonicTime(nanoseconds: requested), firstPicture: MonotonicTime(nanoseconds: first))
    }
}

extension String {
    /// Where a piece stands first.
    fileprivate func range(of piece: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(piece) { return start..<index(start, offsetBy: piece.count) }
            start = index(after: start)
        }
        return nil
    }
}
