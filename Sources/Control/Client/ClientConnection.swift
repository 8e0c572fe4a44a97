import Glibc
import Linux
import Media

/// The way to a recorder: its socket, or a program that is joined to it on another machine.
struct ClientConnection: ~Copyable {
    private let socket: UnixSocket
    /// The program; nil for a socket of this machine.
    private var program: Subprocess?

    /// - Throws: `Failure` that says what helps.
    static func open(_ place: RecorderPlace) throws(Failure) -> ClientConnection {
        switch place {
        case .socket(let path): return ClientConnection(try connected(to: path), through: nil)
        case .host(let host):
            do throws(Errno) {
                return try start(host)
            } catch {
                throw Failure(
                    .internalFault, "cannot reach \(host.name)", because: "\(host.program) cannot be run: \(error)",
                    mend: "Install it, or call kinebox on the box itself.")
            }
        }
    }

    private static func start(_ host: RemoteHost) throws(Errno) -> ClientConnection {
        try UnixSocket.pair().divide { (ours, theirs) throws(Errno) in
            ClientConnection(
                ours, through: try Subprocess(host.program, host.arguments, input: theirs.raw, output: theirs.raw))
        }
    }

    private init(_ socket: consuming UnixSocket, through program: consuming Subprocess?) {
        self.socket = socket
        self.program = program
    }

    /// Sends all of a message. Where the other side has gone, it has said why before, which is read next.
    func send(_ message: [UInt8]) {
        message.withUnsafeBytes { bytes in
            do throws(Errno) {
                try socket.sendAll(bytes)
            } catch {
                return
            }
        }
    }

    /// Waits for bytes and puts them into a buffer.
    /// - Returns: false when no more come.
    func receive(into input: inout MessageBuffer) throws(Refusal) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: min(16 << 10, max(1, input.room)), alignment: 16) { scratch in
            do throws(Errno) {
                let count = try socket.receiveWaiting(into: scratch)
                input.append(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
                return count > 0
            } catch {
                return false
            }
        }
    }

    /// Waits until something can be read, or nothing more comes.
    /// - Parameter milliseconds: the longest wait; nil for as long as it takes.
    /// - Returns: false when the time is over. Where a program is between, a person may be typing a password: it is
    ///   always waited for.
    func isReadable(within milliseconds: Int32?) -> Bool {
        guard let milliseconds, program == nil else { return true }
        var entry = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&entry, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }

    /// Why there is nothing more to read.
    mutating func loss(of place: RecorderPlace) -> Failure {
        let thing = "cannot talk to the recorder \(place.words)"
        guard let ended = program.take() else {
            return Failure(
                .internalFault, thing, because: "it has closed the connection",
                mend: "See \"journalctl -u kinebox\" for what happened to it.")
        }
        switch ended.wait() {
        case 255: return Failure(.internalFault, thing, because: "ssh could not reach it", mend: "ssh has said why.")
        case 126, 127:
            return Failure(
                .internalFault, thing, because: "kinebox cannot be run there",
                mend: "Install it there, or let the ssh key's command be \"kinebox bridge\".")
        default:
            return Failure(
                .internalFault, thing, because: "the connection has ended", mend: "What was said before says why.")
        }
    }

    static func connected(to path: String) throws(Failure) -> UnixSocket {
        do throws(Errno) {
            return try UnixSocket(connectingTo: path)
        } catch {
            throw failure(error, at: path)
        }
    }

    private static func failure(_ reason: Errno, at path: String) -> Failure {
        let thing = "cannot reach the recorder at \(path)"
        switch reason.code {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            return Failure(
                .internalFault, thing, because: "no kineboxd runs there",
                mend: "Start it with \"sudo systemctl start kinebox\", or say with --socket where it is.")
        case EACCES, EPERM:
            let group = groupName(of: path)
            return Failure(
                .notAuthorised, thing, because: "this user may not connect",
                mend: group.map { "Join the group \($0), and log in again." } ?? "Ask for the right to it.")
        case ENAMETOOLONG:
            return Failure(
                .invalidValue, thing, because: "a socket's path has 107 bytes at most", mend: "Use a shorter one.")
        default: return Failure(.internalFault, thing, because: "\(reason)")
        }
    }

    private static func groupName(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 64 << 10)
        guard getgrgid_r(status.st_gid, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return String(cString: entry.gr_name)
    }
}
