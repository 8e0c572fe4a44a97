import Glibc

/// Descriptors that were opened by whoever started this program: systemd's socket activation (`sd_listen_fds(3)`), which
/// is a convention on three variables of the environment.
public enum PassedDescriptors {
    /// The first descriptor that is handed on.
    private static let first: Int32 = 3

    /// Takes the descriptors over; a second call finds none, and programs that are started later do not see them.
    /// - Returns: the descriptors, which are the caller's to close; none when this program was not started so.
    /// - Throws: `Errno`: EBADF for one that is not there.
    public static func take() throws(Errno) -> [Int32] {
        let (process, count) = (number("LISTEN_PID"), number("LISTEN_FDS"))
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        guard process == Int(getpid()), let count, count > 0 else { return [] }
        var taken: [Int32] = []
        for raw in first..<first + Int32(clamping: count) {
            // A copy, since the descriptor itself would be inherited by programs that are started later.
            let copy = try FileDescriptor.duplicate(of: raw)
            close(raw)
            taken.append(copy.release())
        }
        return taken
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}
