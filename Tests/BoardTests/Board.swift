import Glibc
import Judges
import Testing

/// The board that the tests run on, and its hands.
enum Board {
    /// True inside the virtual board.
    static var isHere: Bool { getenv("KINEBOX_BOARD") != nil }

    /// True where systemd is the board's process 1.
    static var hasSystemd: Bool { getenv("KINEBOX_BOARD").map { String(cString: $0) } == "systemd" }

    /// Runs `boardctl` and gives what it printed; a verb that fails is an issue of the test.
    @discardableResult
    static func control(_ words: String..., location: SourceLocation = #_sourceLocation) throws -> [Substring] {
        try control(words, location: location)
    }

    /// The same for words that are in a list.
    @discardableResult
    static func control(_ words: [String], location: SourceLocation = #_sourceLocation) throws -> [Substring] {
        let ending = try ChildProcess("boardctl", words).wait(atMost: 60)
        #expect(ending.exitCode == 0, "\(ending)", sourceLocation: location)
        return ending.text.split(separator: "\n")
    }

    /// Runs `boardctl hdmi` for an input; a verb that fails ends the test.
    /// - Parameter device: "/dev/board/hdmi" or "/dev/board/hdmi-planes".
    static func hdmi(_ device: String, _ words: String..., location: SourceLocation = #_sourceLocation) throws {
        let planes = device.hasSuffix("planes") ? ["--planes"] : []
        let ending = try ChildProcess("boardctl", ["hdmi"] + planes + words).wait(atMost: 60)
        try #require(ending.exitCode == 0, "\(ending)", sourceLocation: location)
    }

    /// Runs a program, however it ends.
    static func run(_ program: String, _ arguments: String...) throws -> Ending {
        try ChildProcess(program, arguments).wait(atMost: 120)
    }

    /// Runs lines of shell; they must succeed.
    @discardableResult
    static func shell(_ lines: String, location: SourceLocation = #_sourceLocation) throws -> String {
        let ending = try ChildProcess("bash", ["-euo", "pipefail", "-c", lines]).wait(atMost: 120)
        #expect(ending.exitCode == 0, "\(ending)", sourceLocation: location)
        return ending.text
    }

    /// Waits until a condition in shell holds; one that does not within a minute is an issue of the test.
    static func until(_ condition: String, location: SourceLocation = #_sourceLocation) throws {
        try shell(
            "end=$((SECONDS + 60)); until \(condition); do [ $SECONDS -lt $end ] || exit 1; sleep 0.1; done",
            location: location)
    }

    /// Starts lines of shell beside the test.
    static func start(_ lines: String) throws -> ChildProcess {
        try ChildProcess("bash", ["-c", lines])
    }
}
