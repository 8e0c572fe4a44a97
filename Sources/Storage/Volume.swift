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
        guard statvfs_of(path, &information) == 0 else {
            let reason = Errno.last
            throw Failure(
                reason.code == EIO ? .mediumFailed : .noMedium, "cannot ask for the room in \(path)",
                because: "\(reason)")
        }
        freeByteCount = Int64(information.f_bavail) * Int64(information.f_frsize)
        isReadOnly = information.f_flag & UInt(ST_RDONLY) != 0
    }
}

/// `statvfs` is the name of a type and of a function; here is the function.
private func statvfs_of(_ path: String, _ information: inout statvfs) -> Int32 {
    statvfs(path, &information)
}
