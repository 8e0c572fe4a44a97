import Glibc
import Linux
import Media

/// Sockets that were opened by whoever started this program: systemd's socket activation (`sd_listen_fds(3)`), which is
/// a convention on three variables of the environment.
public enum PassedSockets {
    /// The first descriptor that is handed on.
    private static let first: Int32 = 3

    /// Takes the sockets over; a second call finds none, and programs that are started later do not see them.
    /// - Parameter body: is given each of them.
    /// - Returns: how many there were; 0 when this program was not started so.
    /// - Throws: `Failure` of kind invalidValue for what is no Unix stream socket that listens, or what `body` throws.
    public static func take(_ body: (consuming UnixListener) throws(Failure) -> Void) throws(Failure) -> Int {
        let (process, count) = (number("LISTEN_PID"), number("LISTEN_FDS"))
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        guard process == Int(getpid()), let count, count > 0 else { return 0 }
        for raw in first..<first + Int32(clamping: count) { try body(try listener(raw)) }
        return count
    }

    private static func listener(_ raw: Int32) throws(Failure) -> UnixListener {
        do throws(Errno) {
            // A copy, since the descriptor itself would be inherited by programs that are started later.
            let copy = try FileDescriptor.duplicate(of: raw)
            close(raw)
            return try UnixListener(owning: copy)
        } catch {
            throw Failure(
                .invalidValue, "cannot serve clients on the socket that was handed on", because: "\(error)",
                mend: "Look at ListenStream= in the unit of the socket.")
        }
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}
