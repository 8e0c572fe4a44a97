import Glibc
import Linux
import Media

extension RecorderServer {
    /// Where the service is found unless somebody wants it elsewhere.
    public static let usualPath = "/run/kinebox/io.kinebox.Recorder"

    /// Takes clients at a path. The socket is removed with the server.
    /// - Parameters:
    ///   - path: where; its folder must exist.
    ///   - mode: who may connect: those with the right to write.
    ///   - group: the group of the socket's file; nil for the process's own.
    /// - Throws: `Failure` of kind busy when another recorder answers there, invalidValue for a path that cannot
    ///   be, notAuthorised when this user may not make it.
    public func listen(at path: String, mode: mode_t = 0o660, group: Group? = nil) throws(Failure) {
        let socket: UnixListener
        do throws(Errno) {
            socket = try UnixListener(at: path, mode: mode, group: group?.number)
        } catch {
            throw Self.failure(error, at: path)
        }
        try listen(on: socket)
    }

    private static func failure(_ reason: Errno, at path: String) -> Failure {
        let thing = "cannot serve clients at \(path)"
        switch reason.code {
        case EADDRINUSE:
            return Failure(
                .busy, thing, because: "another recorder answers there", mend: "End it first, or choose another path.")
        case ENOENT, ENOTDIR:
            return Failure(.invalidValue, thing, because: "its folder does not exist", mend: "Make the folder first.")
        case ENAMETOOLONG:
            return Failure(
                .invalidValue, thing, because: "a socket's path has 107 bytes at most", mend: "Choose a shorter one.")
        case EACCES, EPERM, EROFS:
            return Failure(
                .notAuthorised, thing, because: "\(reason)", mend: "Choose a folder that this user may write to.")
        default: return Failure(.internalFault, thing, because: "\(reason)")
        }
    }
}
