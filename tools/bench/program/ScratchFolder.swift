import Glibc
import Linux
import Media

/// A folder for the files of a bench, in `TMPDIR` or `/tmp`; it goes, with the files in it, when nobody uses it any more.
final class ScratchFolder {
    let path: String

    /// - Throws: `Failure` of kind internalFault where none can be made.
    init() throws(Failure) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/kinebox-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Failure(.internalFault, "cannot make a folder in \(parent)", because: "\(Errno.last)")
        }
        path = String(cString: made)
    }

    deinit {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink("\(path)/\(name)")
            }
            closedir(folder)
        }
        rmdir(path)
    }
}
