import Glibc
import Judges
import Linux
import Testing

/// A fake recorder in a process of its own, at a socket in a folder of its own.
final class FakeProcess {
    let folder: TemporaryFolder
    let socket: String
    private let process: ChildProcess

    init(_ options: [String] = []) throws {
        folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        socket = folder.file("socket")
        process = try ChildProcess(Self.program, [socket] + options)
        try wait { String(decoding: process.outputSoFar, as: UTF8.self).contains("ready") }
    }

    /// The path of the program, which was built together with the one that runs now.
    static let program = Kinebox.path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/FakeRecorder"

    /// A figure that the process prints of itself now.
    func figure(_ name: String) throws -> Int {
        let before = lines(name).count
        process.send(SIGUSR1)
        try wait { lines(name).count > before }
        let words = try #require(lines(name).last).split(separator: " ")
        return try #require(Int(words[2]))
    }

    /// Whether all clients have gone, soon: a program that another test is just starting holds a copy of every descriptor
    /// until it runs.
    func isLeftAlone() throws -> Bool {
        for _ in 0..<2000 {
            if try figure("clients") == 0 { return true }
            usleep(1000)
        }
        return false
    }

    /// Ends the process.
    /// - Returns: how it ended.
    func end() -> Ending {
        process.send(SIGTERM)
        return process.wait()
    }

    private func lines(_ name: String) -> [Substring] {
        String(decoding: process.outputSoFar, as: UTF8.self).split(separator: "\n").filter {
            $0.hasPrefix("figure \(name) ") && $0.split(separator: " ").count == 4
        }
    }

    private func wait(until condition: () -> Bool) throws {
        var rounds = 0
        while !condition() {
            rounds += 1
            try #require(rounds < 60_000 && process.isRunning, "\(process.errorsSoFar)")
            usleep(1000)
        }
    }
}
