import CKernel
import Glibc
import Linux
import Media
import Recorder

/// What is being recorded, kept on the system's own disk so that it can go on after a power cut. It has the form of the
/// configuration; it is written before a recording begins and removed when somebody stops it. Everything here may wait for
/// the disk.
struct InterruptedRecording: Sendable {
    /// The file.
    var path: String

    private static let section = "Interrupted"

    /// In the folder that systemd gives (`StateDirectory=`), or the usual one.
    init() {
        let folder = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "/var/lib/kinebox"
        path = "\(folder)/interrupted"
    }

    /// - Parameter path: the file.
    init(at path: String) {
        self.path = path
    }

    /// What was being recorded; nil when nothing was, or when nobody can read what.
    func read() -> StartRequest? {
        do throws(Errno) {
            let text = String(decoding: try Folder.bytes(of: path, limit: 64 << 10), as: UTF8.self)
            return Self.request(text, path)
        } catch {
            return nil
        }
    }

    /// Keeps what is being recorded: whole, or as it was before.
    /// - Throws: `Failure` where the disk does not take it.
    func write(_ request: StartRequest) throws(Failure) {
        do throws(Errno) {
            let new = "\(path).new"
            unlink(new)
            let file = try FileDescriptor.open(new, O_WRONLY | O_CREAT | O_EXCL)
            var fault: Errno?
            Array(Self.text(of: request).utf8).withUnsafeBytes { bytes in
                do throws(Errno) { try file.write(bytes, at: 0) } catch { fault = error }
            }
            if let fault { throw fault }
            try file.synchronise()
            guard rename(new, path) == 0 else { throw Errno.last }
            try synchroniseFolder()
        } catch {
            throw Failure(
                .internalFault, "cannot note in \(path) what is being recorded", because: "\(error)",
                mend:
                    "After a power cut the recording will not go on by itself; what was recorded is kept all the same.")
        }
    }

    /// Nothing is being recorded any more.
    func remove() {
        guard unlink(path) == 0 else { return }
        do throws(Errno) { try synchroniseFolder() } catch {
            // At worst the recording goes on after a power cut that comes within seconds.
        }
    }

    private func synchroniseFolder() throws(Errno) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        try FileDescriptor.open(folder, O_RDONLY | O_DIRECTORY).synchronise()
    }

    static func text(of request: StartRequest) -> String {
        var lines = ["[\(section)]"]
        func add(_ key: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            // One line each, between bars, so that what stands at the ends is neither trimmed nor joined to the next line.
            lines.append("\(key)=|\(String(decoding: value.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self))|")
        }
        add("Name", request.name)
        add("Title", request.metadata.title)
        add("Author", request.metadata.author)
        add("Comment", request.metadata.comment)
        add("Duration", request.duration.map { "\($0)" })
        add("Medium", request.medium)
        return lines.joined(separator: "\n") + "\n"
    }

    static func request(_ text: String, _ path: String) -> StartRequest? {
        let file: ConfigurationFile
        do throws(Failure) { file = try ConfigurationFile(text, path: path) } catch { return nil }
        guard text.hasPrefix("[\(section)]") else { return nil }
        var request = StartRequest()
        for assignment in file.assignments where assignment.section == section {
            let value = String(assignment.value.dropFirst().dropLast())
            switch assignment.key {
            case "Name": request.name = value
            case "Title": request.metadata.title = value
            case "Author": request.metadata.author = value
            case "Comment": request.metadata.comment = value
            case "Duration": request.duration = Int64(value)
            case "Medium": request.medium = value
            default: break
            }
        }
        return request
    }
}
