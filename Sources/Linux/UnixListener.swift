import CKernel
import Glibc

/// A Unix socket that listens, without blocking. One that was made here removes its path with its owner.
public struct UnixListener: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    private let path: String?
    private let inode: UInt64

    /// Makes a socket at a path. What stood there before is replaced in one step, so that the path never leads to a
    /// socket with other permissions.
    /// - Parameters:
    ///   - path: its folder must exist.
    ///   - mode: who may connect: those with the right to write.
    ///   - group: the group that the socket's file belongs to; nil for the process's own.
    ///   - kind: what travels through its connections.
    /// - Throws: `Errno`: EADDRINUSE when somebody answers at the path, ENOENT without the folder, EPERM for a group
    ///   that this user may not give.
    public init(
        at path: String, mode: mode_t, group: gid_t? = nil, kind: UnixSocket.Kind = .stream
    ) throws(Errno) {
        if Self.isAnswered(path, kind) { throw Errno(EADDRINUSE) }
        let socket = FileDescriptor(owning: try Errno.check(ckernel_unix_socket(kind.number, 1)))
        let temporary = "\(path).\(getpid())"
        unlink(temporary)
        _ = try Errno.check(ckernel_unix_bind(socket.raw, temporary))
        let inode: UInt64
        do throws(Errno) {
            inode = try Self.open(socket, bound: temporary, mode: mode, group: group)
            _ = try Errno.check(rename(temporary, path))
        } catch {
            unlink(temporary)
            throw error
        }
        self.init(socket, at: path, inode: inode)
    }

    private init(_ descriptor: consuming FileDescriptor, at path: String?, inode: UInt64) {
        self.descriptor = descriptor
        self.path = path
        self.inode = inode
    }

    /// Lets others connect. Nobody can before, so nobody passes by the permissions.
    private static func open(
        _ socket: borrowing FileDescriptor, bound path: String, mode: mode_t, group: gid_t?
    ) throws(Errno) -> UInt64 {
        if let group { _ = try Errno.check(chown(path, uid_t.max, group)) }
        _ = try Errno.check(chmod(path, mode))
        _ = try Errno.check(listen(socket.raw, 64))
        try socket.setNonblocking()
        var status = stat()
        _ = try Errno.check(lstat(path, &status))
        return UInt64(status.st_ino)
    }

    /// Takes a socket over that listens already: one that systemd has handed on, for one.
    /// - Throws: `Errno` EINVAL when it is no Unix socket of this kind that listens.
    public init(owning descriptor: consuming FileDescriptor, kind: UnixSocket.Kind = .stream) throws(Errno) {
        let raw = descriptor.raw
        guard ckernel_is_unix_listener(raw, kind.number) == 1 else { throw Errno(EINVAL) }
        try descriptor.setNonblocking()
        self.init(descriptor, at: nil, inode: 0)
    }

    deinit {
        guard let path else { return }
        var status = stat()
        // Another process may have put its own socket there since.
        if lstat(path, &status) == 0 && UInt64(status.st_ino) == inode { unlink(path) }
    }

    /// The descriptor's number, to wait for: readable while a connection waits.
    public var raw: Int32 { descriptor.raw }

    /// The next connection that waits; nil when there is none.
    /// - Throws: `Errno`, EMFILE when no descriptor is left.
    public func accept() throws(Errno) -> UnixSocket? {
        let raw = raw
        let accepted = retrying { ckernel_accept(raw) }
        if accepted < 0 {
            let reason = Errno.last
            // Who has gone before it was accepted is no failure.
            if [EAGAIN, EWOULDBLOCK, ECONNABORTED].contains(reason.code) { return nil }
            throw reason
        }
        return UnixSocket(owning: FileDescriptor(owning: accepted))
    }

    private static func isAnswered(_ path: String, _ kind: UnixSocket.Kind) -> Bool {
        do throws(Errno) {
            _ = try UnixSocket(connectingTo: path, kind: kind)
            return true
        } catch {
            // Somebody listens there, in another way.
            return error.code == EPROTOTYPE
        }
    }
}
