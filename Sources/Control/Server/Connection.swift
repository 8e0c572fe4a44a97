import Linux

/// One client's connection: its socket, what came in and what goes out. What it all means is the server's business.
final class Connection {
    /// What the client waits for.
    enum Phase: Equatable {
        /// Nothing: the next call can be taken.
        case idle
        /// A reply to a call.
        case calling
        /// Changes; it has had the notices up to this number.
        case subscribed(notices: Int)
    }

    let token: UInt64
    let caller: (peer: SocketPeer, rights: Access.Rights)
    var input: MessageBuffer
    var phase = Phase.idle
    /// Whether a call has no reply.
    var isOneway = false
    /// Whether a subscriber has not had the newest state yet.
    var isBehind = false
    /// Whether the client sends no more.
    var hasEnded = false
    /// Whether it is closed once everything is sent.
    var isLeaving = false
    /// Whether the server is at work on it, further up the stack.
    var isAdvancing = false
    /// When it is given up unless it moves; nil while nothing is expected of it.
    var deadline: MonotonicTime?
    /// What the event loop watches it for.
    var watched: Epoll.Readiness
    private var socket: UnixSocket?
    private var output: [UInt8] = []
    private var sent = 0

    init(
        _ token: UInt64, _ socket: consuming UnixSocket, peer: SocketPeer, rights: Access.Rights, messageBytes: Int,
        watched: Epoll.Readiness
    ) {
        self.token = token
        caller = (peer, rights)
        input = MessageBuffer(limit: messageBytes)
        self.watched = watched
        self.socket = consume socket
    }

    /// Whether the socket is closed.
    var isClosed: Bool { socket == nil }

    /// The socket's descriptor; nil when it is closed.
    var raw: Int32? { socket?.raw }

    /// Whether something waits to be sent.
    var hasOutput: Bool { sent < output.count }

    /// Puts a message behind what is to be sent.
    func put(_ message: [UInt8]) {
        output += message
        output.append(0)
    }

    /// Takes what has come in, through a scratch buffer.
    /// - Throws: `Errno` when the connection is broken.
    func receive(through scratch: UnsafeMutableRawBufferPointer) throws(Errno) {
        let room = min(scratch.count, input.room)
        guard room > 0 else { return }
        let part = UnsafeMutableRawBufferPointer(rebasing: scratch[..<room])
        guard let count = try socket?.receive(into: part) else { return }
        if count == 0 { hasEnded = true }
        input.append(UnsafeRawBufferPointer(rebasing: part[..<count]))
    }

    /// Sends what there is room for.
    /// - Returns: the bytes sent.
    /// - Throws: `Errno` when the client has gone.
    func flush() throws(Errno) -> Int {
        let before = sent
        while hasOutput {
            let count = try sendRest()
            if count == 0 { break }
            sent += count
        }
        let count = sent - before
        if !hasOutput { (output, sent) = ([], 0) }
        return count
    }

    private func sendRest() throws(Errno) -> Int {
        guard socket != nil else { return 0 }
        let start = sent
        var result: Result<Int, Errno> = .success(0)
        output.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            do throws(Errno) {
                result = .success(try socket?.send(rest) ?? 0)
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// Closes the socket.
    func close() {
        socket = nil
        output = []
        sent = 0
        deadline = nil
    }
}
