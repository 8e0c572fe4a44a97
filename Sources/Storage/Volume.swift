import CKernel
import Glibc
import Linux
import Media

/// A mounted file system, as far as a recording needs to know it.
public struct Volume: Sendable, Equatable {
    /// Bytes that this user can still write.
    public var freeByteCount: Int64
    /// True when nothing can be written because the file system is mounted read-only.
    public var isReadOnly: Bool

    /// Asks the kernel (`statvfs(3)`) about the file system that holds a path.
    /// - Throws: `Failure` of kind noMedium when the path is absent, mediumFailed when the medium does not answer.
    public init(holding path: String) throws(Failure) {
        var information = statvfs()
        guard path.withCString({ statvfs_of($0, &information) }) == 0 else {
            let reason = Errno.last
            throw Failure(
                reason.code == EIO ? .mediumFailed : .noMedium, "cannot ask for the room in \(path)",
                because: "\(reason)")
        }
        freeByteCount = Int64(information.f_bavail) * Int64(information.f_frsize)
        isReadOnly = information.f_flag & UInt(ST_RDONLY) != 0
    }
}

extension Volume {
    /// Refuses a medium that cannot take a recording.
    /// - Parameters:
    ///   - byteCount: the room that is needed at least.
    ///   - folder: the folder's name, for the words.
    /// - Throws: `Failure` of kind mediumReadOnly or mediumFull.
    public func checkRoom(for byteCount: Int64, in folder: String) throws(Failure) {
        if isReadOnly {
            throw Failure(
                .mediumReadOnly, "cannot record to \(folder)", because: "the medium is write protected",
                mend: "Unlock it, or choose another folder.")
        }
        if freeByteCount < byteCount {
            throw Failure(
                .mediumFull, "cannot record to \(folder)", because: "only \(freeByteCount / 1000) kB are free",
                mend: "Delete files there, or choose another folder.")
        }
    }
}

/// `statvfs` is the name of a type and of a function; here is the function.
private func statvfs_of(_ path: UnsafePointer<CChar>, _ information: inout statvfs) -> Int32 {
    statvfs(path, &information)
}
