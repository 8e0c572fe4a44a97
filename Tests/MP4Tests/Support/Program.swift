import Glibc
import Testing

/// Programs that tests start. A program that is missing is a failure, never a reason to skip.
enum Program {
    /// Runs a shell command and gives what it wrote.
    /// - Returns: the exit code, and standard output and standard error together.
    static func run(_ command: String) -> (status: Int32, output: [UInt8]) {
        guard let pipe = popen(command, "re") else { return (-1, []) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = fread(&buffer, 1, buffer.count, pipe)
            if count == 0 { break }
            output += buffer[..<count]
        }
        let status = pclose(pipe)
        return (status & 0x7F == 0 ? status >> 8 : -1, output)
    }

    /// The same, as text.
    static func text(_ command: String) -> (status: Int32, output: String) {
        let result = run(command)
        return (result.status, String(decoding: result.output, as: UTF8.self))
    }
}

/// A folder that goes with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/kinebox-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    deinit {
        _ = Program.run("rm -rf '\(path)'")
    }

    /// The path of a file in the folder.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of the files in the folder.
    var names: [String] {
        Program.text("ls -A '\(path)'").output.split(separator: "\n").map(String.init)
    }
}

/// Reads a whole file.
func contents(of path: String) -> [UInt8] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}

/// Makes a file of bytes.
func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "we") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}
