import Glibc
import Linux

/// A folder of its own for one test; it goes with all that is in it when its owner goes.
final class TemporaryFolder {
    let path: String
    private var files: [String] = []
    private var folders: [String] = []

    init() throws {
        path = "/tmp/kinebox-panel-\(UInt64.random(in: 0 ... .max))"
        guard mkdir(path, 0o755) == 0 else { throw Errno.last }
    }

    deinit {
        for file in files { unlink("\(path)/\(file)") }
        for folder in folders { rmdir("\(path)/\(folder)") }
        rmdir(path)
    }

    /// Writes a file, and the folder that it is in.
    func write(_ name: String, _ text: String) throws {
        if let slash = name.lastIndex(of: "/") {
            let folder = String(name[..<slash])
            if mkdir("\(path)/\(folder)", 0o755) == 0 { folders.append(folder) }
        }
        let file = try FileDescriptor.open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC)
        try Array(text.utf8).withUnsafeBytes { try file.write($0, at: 0) }
        files.append(name)
    }

    /// A file's text; nil when there is none.
    func text(_ name: String) -> String? { SystemDirectory.text("\(path)/\(name)") }
}
