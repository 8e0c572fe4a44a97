import Glibc
import Linux
import Media

/// One client of a `ScreenServer`.
final class ScreenGuest {
    /// Even; the reader is watched with the number behind it.
    let token: UInt64
    private let socket: UnixSocket
    private var reader: (any ScreenReader)?
    /// The number of the order that is out.
    private var number: UInt32?
    /// Whether it was answered, by that there is nothing to be seen.
    private var isAnswered = false
    /// The second in which orders are counted, and their count.
    private var second: Int64 = 0
    private var ordersInSecond = 0

    /// Bytes that may be on their way to a client: a few views. Who lets more lie is dropped.
    private static let mostOnTheWay = 16 << 10
    /// More than any display has blanks.
    private static let mostOrdersASecond = 1000

    init(_ socket: consuming UnixSocket, token: UInt64) {
        self.socket = socket
        self.token = token
    }

    /// Whether it has said what it wants.
    var isOpened: Bool { reader != nil }

    /// Whose process it is; nil where the kernel does not know.
    var user: uid_t? {
        do throws(Errno) {
            return try socket.peerUser()
        } catch {
            return nil
        }
    }

    /// Has it watched from now on.
    /// - Returns: whether that could be done.
    func watch(by epoll: borrowing Epoll) -> Bool {
        do throws(Errno) {
            try socket.limitSending(to: Self.mostOnTheWay)
            try epoll.add(socket.raw, for: .readable, token: token)
            return true
        } catch {
            return false
        }
    }

    /// Has it watched no longer. Its descriptors are named, since others may have copies of the reader's.
    func unwatch(by epoll: borrowing Epoll) {
        for descriptor in [socket.raw, reader?.descriptor ?? -1] where descriptor >= 0 {
            do throws(Errno) {
                try epoll.remove(descriptor)
            } catch {
                // It was never watched.
            }
        }
    }

    /// Takes what it says: one message.
    /// - Returns: false when it is to go.
    func hear(
        _ message: UnsafeMutableRawBufferPointer, _ open: (String) throws(Failure) -> any ScreenReader,
        _ epoll: borrowing Epoll
    ) -> Bool {
        do throws(Failure) {
            guard let size = try receive(into: message) else { return true }
            if size == 0 { return false }
            try take(UnsafeRawBufferPointer(rebasing: message[..<size]), message, open, epoll)
            return true
        } catch {
            refuse(error, message)
            return false
        }
    }

    private func receive(into message: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
        var count = 0
        do throws(Errno) {
            // Without room for descriptors none are taken, and a message that has some is refused.
            return try socket.receiveMessage(
                into: message, with: UnsafeMutableBufferPointer(start: nil, count: 0), &count)
        } catch {
            if error.code == ECONNRESET { return 0 }
            throw Self.garbage
        }
    }

    private func take(
        _ message: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer,
        _ open: (String) throws(Failure) -> any ScreenReader, _ epoll: borrowing Epoll
    ) throws(Failure) {
        guard let head = ScreenMessage.head(of: message) else { throw Self.garbage }
        guard head.version == ScreenMessage.version else {
            throw Failure(
                .invalidValue, "cannot show the screen",
                because:
                    "version \(head.version) of the protocol is spoken, and this is version \(ScreenMessage.version)",
                mend: "Install kinebox and kinebox-kms of the same version.")
        }
        switch (head.kind, reader) {
        case (.opening?, nil):
            guard let connector = ScreenMessage.readOpening(message) else { throw Self.garbage }
            try begin(try open(connector), epoll)
            try send(ScreenMessage.write(.opened, into: room) { _ in })
        case (.order?, let reader?):
            guard let (order, number) = ScreenMessage.readOrder(message) else { throw Self.garbage }
            try countOrder()
            (self.number, isAnswered) = (number, false)
            try reader.order(order)
        default: throw Self.garbage
        }
    }

    private func begin(_ reader: any ScreenReader, _ epoll: borrowing Epoll) throws(Failure) {
        do throws(Errno) {
            try epoll.add(reader.descriptor, for: .readable, token: token | 1)
        } catch {
            throw Failure(.internalFault, "cannot show the screen", because: "\(error)")
        }
        self.reader = reader
    }

    private func countOrder() throws(Failure) {
        let now = MonotonicTime.now.nanoseconds / 1_000_000_000
        (second, ordersInSecond) = (now, now == second ? ordersInSecond + 1 : 1)
        guard ordersInSecond <= Self.mostOrdersASecond else {
            throw Failure(
                .invalidValue, "cannot show the screen",
                because: "more than \(Self.mostOrdersASecond) pictures are ordered in a second")
        }
    }

    /// Gives it what its reader has read.
    /// - Returns: false when it is to go.
    func show(_ view: ScreenView, _ message: UnsafeMutableRawBufferPointer) -> Bool {
        do throws(Failure) {
            defer { view.clear() }
            guard let reader, try reader.next(view), let number else { return true }
            if view.isLit {
                self.number = nil
            } else if isAnswered && !socket.isAllReceived {
                // That there is nothing to be seen is told again and again; who sleeps need not hear it each time.
                return true
            }
            isAnswered = true
            try send(try ScreenMessage.writeView(view, number: number, into: message), with: view)
            return true
        } catch {
            refuse(error, message)
            return false
        }
    }

    private func send(_ bytes: UnsafeRawBufferPointer, with view: ScreenView? = nil) throws(Failure) {
        do throws(Errno) {
            guard let view, !view.buffers.isEmpty else { return try socket.sendMessage(bytes) }
            try withUnsafeTemporaryAllocation(of: Int32.self, capacity: ScreenView.mostBuffers) {
                descriptors throws(Errno) in
                for (index, buffer) in view.buffers.enumerated() {
                    descriptors.initializeElement(at: index, to: buffer.descriptor)
                }
                try socket.sendMessage(
                    bytes, with: UnsafeBufferPointer(rebasing: descriptors[..<view.buffers.count]))
            }
        } catch {
            throw Failure(
                .noSource, "cannot show the screen",
                because: error.code == EAGAIN ? "what was ordered is not taken" : "\(error)")
        }
    }

    /// Tells it why it has to go. Where there is no room for that it learns of it by the end of the connection.
    func refuse(_ failure: Failure, _ message: UnsafeMutableRawBufferPointer) {
        do throws(Errno) {
            try socket.sendMessage(ScreenMessage.writeRefusal(failure, into: message))
        } catch {
            // It has gone, or it does not read.
        }
    }

    private static var garbage: Failure {
        Failure(
            .invalidValue, "cannot show the screen", because: "what was sent is no message of the protocol",
            mend: "Install kinebox and kinebox-kms of the same version.")
    }
}
