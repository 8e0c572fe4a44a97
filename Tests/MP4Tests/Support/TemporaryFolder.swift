import Glibc
import Judges
import Linux

/// A folder that goes with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    /// - Parameter isInMemory: for tests that make many files and ask nothing of the medium.
    init(isInMemory: Bool = false) {
        let parent = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/kinebox-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    deinit {
        _ = try? ChildProcess("rm", ["-rf", path]).wait()
    }

    /// The path of a file in the folder.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Whether a file has exactly these bytes. Where not, the message is short.
    func holds(_ bytes: [UInt8], in path: String) -> Bool { contents(of: path) == bytes }

    /// The names of the files in the folder.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
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
