import Glibc
import KMS
import Linux
import Media

/// The privileged program: shows screens to the recorder, and does nothing else.
enum ScreenService {
    /// Serves until it is told to end, or is no longer needed.
    /// - Parameters:
    ///   - path: where it listens, unless it was given a socket.
    ///   - user: whose programs may see the screens, by name.
    ///   - idle: seconds without a client after which it ends where systemd starts it again when it is needed.
    /// - Throws: `Failure`: notAuthorised without the capability, invalidValue for a user that is not there or a path that
    ///   cannot be.
    static func run(at path: String, for user: String, orIdleFor idle: Int32) throws(Failure) {
        guard CardReader.mayRead else {
            throw Failure(
                .notAuthorised, "cannot read screens", because: "this program was started without CAP_SYS_ADMIN",
                mend: "Start it as root, or let systemd do it (sudo systemctl start kinebox-kms.socket).")
        }
        guard let allowed = SystemUser(named: user) else {
            throw Failure(
                .invalidValue, "cannot show screens to \(user)", because: "there is no such user",
                mend: "Name another one with --user.")
        }
        let server = try ScreenServer(allowing: allowed.number) { (connector) throws(Failure) in
            try CardReader(connector: connector.isEmpty ? nil : connector)
        }
        let isStartedOnDemand = try listen(server, at: path, for: allowed)
        let signals = try giveUpPrivileges()
        try server.serve(until: signals.raw, orIdleFor: isStartedOnDemand ? idle * 1000 : nil)
    }

    /// - Returns: whether the socket is somebody else's, who starts this program again when it is needed.
    private static func listen(_ server: ScreenServer, at path: String, for user: SystemUser) throws(Failure) -> Bool {
        let passed: [Int32]
        let listener: UnixListener
        do throws(Errno) {
            passed = try PassedDescriptors.take()
            if let raw = passed.first {
                // More than one socket is a mistake in a unit, which would not be noticed otherwise.
                guard passed.count == 1 else { throw Errno(EINVAL) }
                listener = try UnixListener(owning: FileDescriptor(owning: raw), kind: .packets)
            } else {
                listener = try UnixListener(at: path, mode: 0o660, group: user.group, kind: .packets)
            }
        } catch {
            throw failure(error, at: path)
        }
        try server.listen(on: listener)
        return !passed.isEmpty
    }

    private static func failure(_ reason: Errno, at path: String) -> Failure {
        let thing = "cannot listen at \(path)"
        return switch reason.code {
        case EINVAL, EBADF:
            Failure(
                .invalidValue, "cannot listen on the socket that was handed on", because: "\(reason)",
                mend: "Look at ListenSequentialPacket= in kinebox-kms.socket.")
        case EADDRINUSE:
            Failure(
                .busy, thing, because: "somebody answers there",
                mend: "Choose another path with --socket, or stop kinebox-kms.socket.")
        case ENOENT, ENOTDIR:
            Failure(.invalidValue, thing, because: "its folder does not exist", mend: "Make the folder first.")
        default: Failure(.invalidValue, thing, because: "\(reason)", mend: "Choose another path with --socket.")
        }
    }

    private static func giveUpPrivileges() throws(Failure) -> SignalDescriptor {
        do throws(Errno) {
            try Privilege.keepSystemAdministrationAlone()
            return try SignalDescriptor([SIGTERM, SIGINT])
        } catch {
            throw Failure(.internalFault, "cannot give up privileges", because: "\(error)")
        }
    }
}
