import CKernel
import Glibc

/// Messages with descriptors, through a socket of the kind `packets`.
extension UnixSocket {
    /// Descriptors that may travel with one message.
    public static let mostDescriptors = Int(CKERNEL_MOST_DESCRIPTORS)

    /// Sends a message, without waiting, with copies of descriptors (SCM_RIGHTS). The sender keeps its own.
    /// - Throws: `Errno`: EAGAIN where there is no room, EPIPE when the other side has gone, EMSGSIZE for more than may be
    ///   on its way at once or more than 64 descriptors.
    public func sendMessage(
        _ bytes: UnsafeRawBufferPointer,
        with descriptors: UnsafeBufferPointer<Int32> = UnsafeBufferPointer(start: nil, count: 0)
    ) throws(Errno) {
        let raw = raw
        _ = try Errno.check(
            retrying {
                ckernel_send_message(
                    raw, bytes.baseAddress, UInt(bytes.count), descriptors.baseAddress, Int32(descriptors.count))
            })
    }

    /// Takes the next message, without waiting.
    /// - Parameters:
    ///   - buffer: room for the message.
    ///   - descriptors: room for what comes with it, 64 at most. What is noted there is close-on-exec and the caller's to
    ///     close. Without room none are taken.
    ///   - count: how many came.
    /// - Returns: the number of bytes, 0 when the other side sends no more; nil when nothing has come.
    /// - Throws: `Errno`: EMSGSIZE where message or descriptors do not fit (the message is gone then, and its descriptors
    ///   are closed), ECONNRESET when the other side has gone with something unread, once.
    public func receiveMessage(
        into buffer: UnsafeMutableRawBufferPointer, with descriptors: UnsafeMutableBufferPointer<Int32>,
        _ count: inout Int
    ) throws(Errno) -> Int? {
        let raw = raw
        var came: Int32 = 0
        defer { count = Int(came) }
        let size = retrying {
            ckernel_receive_message(
                raw, buffer.baseAddress, UInt(buffer.count), descriptors.baseAddress,
                Int32(clamping: descriptors.count),
                &came)
        }
        if size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return nil }
        return try Errno.check(size)
    }

    /// Sets how many bytes may be on their way to one who does not read; the kernel counts its own tables too, and allows
    /// twice as many.
    /// - Throws: `Errno`.
    public func limitSending(to bytes: Int) throws(Errno) {
        _ = try Errno.check(ckernel_limit_sending(raw, Int32(clamping: bytes)))
    }

    /// Waits until something can be read, or the other side has gone.
    /// - Returns: false when the time has passed.
    public func isReadable(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Whether the other side has taken all that was sent.
    public var isAllReceived: Bool { ckernel_unreceived(raw) == 0 }
}
