import Glibc
import Linux
import Media

/// Writes a still, so that there is either a whole file or none. Called on the thread of the medium: it waits for it.
public enum StillFile {
    /// Writes a still under a name of date, time and counter, as recordings have it.
    /// - Parameters:
    ///   - bytes: all of it.
    ///   - folder: a folder that exists.
    ///   - prefix: what the name begins with.
    ///   - time: seconds since 1970.
    ///   - isSynchronised: false when the clock is known to be wrong; the name says so then.
    /// - Returns: the file's path.
    /// - Throws: as `write(_:at:)`.
    public static func write(
        _ bytes: [UInt8], in folder: String, prefix: String, at time: time_t, isSynchronised: Bool
    ) throws(Failure) -> String {
        let base = prefix + RecordingName.dateAndTime(time, isSynchronised: isSynchronised)
        let path = "\(folder)/\(RecordingName.unused(in: folder, base, ".jpg")).jpg"
        try write(bytes, at: path)
        return path
    }

    /// Writes a file under its final name, and returns when it and its name are on the medium. It is never renamed, since
    /// FAT can lose a file by that. What could not be written whole is removed.
    /// - Parameters:
    ///   - bytes: all of it.
    ///   - path: a file that must not exist yet in a folder that does.
    /// - Throws: `Failure` of kind fileExists, noMedium, mediumReadOnly, mediumFull or mediumFailed.
    public static func write(_ bytes: [UInt8], at path: String) throws(Failure) {
        do throws(Errno) {
            let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL)
            do throws(Errno) {
                try write(bytes, to: file)
                try file.synchronise()
                try synchroniseFolder(of: path)
            } catch {
                // The first failure is the one to tell.
                unlink(path)
                throw error
            }
        } catch {
            throw Failure(kind(of: error), "cannot save the still \(path)", because: "\(error)")
        }
    }

    private static func write(_ bytes: [UInt8], to file: borrowing FileDescriptor) throws(Errno) {
        let descriptor = file.raw
        let fault = bytes.withUnsafeBytes { buffer -> Errno? in
            var done = 0
            while done < buffer.count {
                let count = pwrite(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(done))
                if count > 0 { done += count } else if count == 0 || errno != EINTR { return Errno.last }
            }
            return nil
        }
        if let fault { throw fault }
    }

    private static func synchroniseFolder(of path: String) throws(Errno) {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        try FileDescriptor.open(folder, O_RDONLY | O_DIRECTORY).synchronise()
    }

    private static func kind(of reason: Errno) -> FailureKind {
        switch reason.code {
        case EEXIST: .fileExists
        case ENOENT, ENOTDIR, ENODEV, ENXIO: .noMedium
        case EROFS, EACCES, EPERM: .mediumReadOnly
        case ENOSPC, EDQUOT, EFBIG: .mediumFull
        case ENAMETOOLONG, EINVAL: .invalidName
        default: .mediumFailed
        }
    }
}
