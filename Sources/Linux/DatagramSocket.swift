import CKernel
import Glibc

/// A Unix datagram socket (`unix(7)`) that sends to one address, whoever listens there at that moment: a service manager,
/// a journal. It is closed with its owner; sending raises no signal.
///
/// Every call may be made from any thread.
public struct DatagramSocket: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    private let address: String

    /// - Parameter address: a path, or an abstract address with "@" for its first byte; 107 bytes at most.
    /// - Throws: `Errno`.
    public init(to address: String) throws(Errno) {
        descriptor = FileDescriptor(owning: try Errno.check(ckernel_unix_datagram_socket()))
        self.address = address
    }

    /// Sends one datagram.
    /// - Parameter waits: whether room is waited for.
    /// - Throws: `Errno`: EAGAIN where there is no room and nothing waits, ENOENT or ECONNREFUSED where nobody listens,
    ///   EMSGSIZE for more than the kernel takes at once (some 200 KB).
    public func send(_ bytes: [UInt8], waits: Bool) throws(Errno) {
        let raw = descriptor.raw
        _ = try Errno.check(
            bytes.withUnsafeBytes { bytes in
                retrying { ckernel_unix_send_to(raw, address, bytes.baseAddress, UInt(bytes.count), waits ? 1 : 0) }
            })
    }
}
