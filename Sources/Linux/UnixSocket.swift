import CKernel
import Glibc

/// A Unix socket (`unix(7)`) that is connected. It is closed with its owner; sending raises no signal.
///
/// Reading and writing may be done by one thread each. For a socket of messages see `sendMessage` and `receiveMessage`.
public struct UnixSocket: ~Copyable, Sendable {
    /// What travels through it.
    public enum Kind: Sendable {
        /// A stream of bytes (SOCK_STREAM).
        case stream
        /// Messages that stay whole, with descriptors where wanted (SOCK_SEQPACKET).
        case packets

        var number: ckernel_socket_kind { self == .stream ? CKERNEL_STREAM : CKERNEL_PACKETS }
    }

    private let descriptor: FileDescriptor

    /// - Parameter descriptor: a connected socket.
    public init(owning descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Connects to the socket at a path.
    /// - Parameters:
    ///   - kind: as the one who listens has it.
    ///   - waits: whether a place among those who wait to be taken is waited for.
    /// - Throws: `Errno`: ENOENT or ECONNREFUSED where nobody listens, EACCES where this user may not, EPROTOTYPE where
    ///   the kind is another, EAGAIN where there is no place and none is waited for, ENAMETOOLONG for a path of more than
    ///   107 bytes.
    public init(connectingTo path: String, kind: Kind = .stream, waits: Bool = true) throws(Errno) {
        self.init(owning: try Self.connected(to: path, kind, waits))
    }

    private static func connected(to path: String, _ kind: Kind, _ waits: Bool) throws(Errno) -> FileDescriptor {
        let socket = FileDescriptor(owning: try Errno.check(ckernel_unix_socket(kind.number, waits ? 1 : 0)))
        let raw = socket.raw
        _ = try Errno.check(retrying { ckernel_unix_connect(raw, path) })
        return socket
    }

    /// Two sockets that are joined, such as for a program that is started with one of them.
    public static func pair(_ kind: Kind = .stream) throws(Errno) -> Pair {
        var raw: (Int32, Int32) = (-1, -1)
        _ = try Errno.check(
            withUnsafeMutableBytes(of: &raw) {
                ckernel_unix_pair(kind.number, $0.assumingMemoryBound(to: Int32.self).baseAddress)
            })
        return Pair(
            first: UnixSocket(owning: FileDescriptor(owning: raw.0)),
            second: UnixSocket(owning: FileDescriptor(owning: raw.1)))
    }

    /// Both ends of a connection.
    public struct Pair: ~Copyable {
        public var first: UnixSocket
        public var second: UnixSocket

        /// Gives each end to an owner of its own.
        public consuming func divide<Result: ~Copyable, Failure: Error>(
            _ body: (consuming UnixSocket, consuming UnixSocket) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try body(first, second)
        }
    }

    /// The descriptor's number, to wait for.
    public var raw: Int32 { descriptor.raw }

    /// Sends what the other side has room for, without waiting.
    /// - Returns: the number of bytes taken; 0 when there is no room.
    /// - Throws: `Errno`, EPIPE when the other side has gone.
    public func send(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        let raw = raw
        let count = retrying { ckernel_send(raw, bytes.baseAddress, UInt(bytes.count)) }
        if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return 0 }
        return try Errno.check(count)
    }

    /// Sends all bytes, and waits for room.
    /// - Throws: `Errno`, EPIPE when the other side has gone.
    public func sendAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        let raw = raw
        var done = 0
        while done < bytes.count {
            let start = done
            done += try Errno.check(
                retrying {
                    ckernel_send_waiting(raw, bytes.baseAddress.map { $0 + start }, UInt(bytes.count - start))
                })
        }
    }

    /// Takes what has come, without waiting.
    /// - Returns: the number of bytes, 0 when the other side sends no more; nil when nothing has come.
    /// - Throws: `Errno`, ECONNRESET when the other side has gone with something unread.
    public func receive(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int? {
        let raw = raw
        let count = retrying { ckernel_receive(raw, buffer.baseAddress, UInt(buffer.count)) }
        if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return nil }
        return try Errno.check(count)
    }

    /// Waits for something to come and takes it.
    /// - Returns: the number of bytes, 0 when the other side sends no more.
    public func receiveWaiting(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try descriptor.read(into: buffer)
    }

    /// Sends no more: the other side reads what is on its way and then the end.
    public func endSending() {
        // It fails only for a connection that has ended, which is what is wanted.
        _ = shutdown(raw, Int32(SHUT_WR))
    }

    /// The user on the other side, as the kernel noted it when the connection was made (SO_PEERCRED).
    /// - Throws: `Errno`.
    public func peerUser() throws(Errno) -> uid_t {
        var known = ckernel_peer()
        _ = try Errno.check(ckernel_peer_of(raw, &known))
        return known.user
    }

    /// Who is on the other side, as the kernel noted it when the connection was made (SO_PEERCRED, SO_PEERGROUPS).
    /// - Throws: `Errno`.
    public func peer() throws(Errno) -> SocketPeer {
        var known = ckernel_peer()
        _ = try Errno.check(ckernel_peer_of(raw, &known))
        // The kernel allows 65536 groups (NGROUPS_MAX); who is in more than 1024 is in none of them for us.
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = ckernel_peer_groups(raw, &groups, Int32(groups.count))
        return SocketPeer(
            process: known.process, user: known.user, group: known.group,
            groups: Array(groups.prefix(Int(max(0, count)))))
    }
}
