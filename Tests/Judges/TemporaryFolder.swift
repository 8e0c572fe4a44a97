import Glibc
import Linux

/// A folder of its own for one test; it goes with all that is in it when its owner goes.
public final class TemporaryFolder: Sendable {
    /// The folder's path, without a slash at the end.
    public let path: String

    /// - Parameter place: the folder in which it is made.
    /// - Throws: `Errno`.
    public init(in place: String = "/tmp") throws {
        path = "\(place)/kinebox-\(UInt64.random(in: 0 ... .max))"
        guard mkdir(path, 0o755) == 0 else { throw Errno.last }
    }

    deinit {
        Self.remove(path)
    }

    /// The path of a file in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// A shell script in the folder, without its first line.
    ///
    /// Another process writes it: what is open for writing cannot be run, and each child that another thread starts meanwhile
    /// has what this one has open until it runs its own program.
    /// - Returns: its path.
    /// - Throws: `Errno`.
    public func script(_ text: String, name: String = "script") throws(Errno) -> String {
        let path = file(name)
        let write = "printf '%s\\n' '#!/bin/sh' \"$2\" >\"$1\" && chmod 755 \"$1\""
        let ending = try ChildProcess("sh", ["-c", write, "sh", path, text]).wait()
        guard ending.exitCode == 0 else { throw Errno(EIO) }
        return path
    }

    /// The names in the folder, sorted.
    public var names: [String] { Self.names(in: path) }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
