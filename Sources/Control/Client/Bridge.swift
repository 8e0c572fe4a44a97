import Glibc
import Linux
import Media

/// Joins an input and an output to a recorder's socket, byte for byte: what ssh runs on the box for a client elsewhere.
///
/// Where the input ends, what was asked for is still answered. Where the socket ends, or nobody reads the output any
/// more, the bridge ends.
public struct Bridge: ~Copyable {
    private let input: Int32
    private let output: Int32
    private let socket: UnixSocket
    private var up = BridgeBuffer()
    private var down = BridgeBuffer()
    private var hasInputEnded = false

    /// - Parameters:
    ///   - input: a descriptor to read from.
    ///   - output: a descriptor to write to.
    ///   - path: the recorder's socket.
    /// - Throws: `Failure` that says what helps where no recorder is there or this user may not.
    public init(from input: Int32, to output: Int32, socketAt path: String) throws(Failure) {
        self.input = input
        self.output = output
        socket = try ClientConnection.connected(to: path)
    }

    /// Carries bytes until one side ends.
    public consuming func run() {
        while step() {}
    }

    /// Waits for one thing to happen and does it.
    /// - Returns: false when the bridge has ended.
    private mutating func step() -> Bool {
        let readsInput = up.isEmpty && !hasInputEnded
        let socketEvents = (down.isEmpty ? POLLIN : 0) | (up.isEmpty ? 0 : POLLOUT)
        // What is not waited for is left out: a side that has gone would else be told again and again.
        var entries = [
            pollfd(fd: readsInput ? input : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socketEvents == 0 ? -1 : socket.raw, events: Int16(socketEvents), revents: 0),
            pollfd(fd: output, events: down.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
        ]
        if poll(&entries, 3, -1) < 0 { return errno == EINTR }
        let (fromInput, onSocket, toOutput) = (entries[0].revents, Int32(entries[1].revents), Int32(entries[2].revents))
        if toOutput & (POLLERR | POLLHUP | POLLNVAL) != 0 { return false }
        if fromInput != 0 {
            var hasEnded = false
            up.fill { buffer in
                let count = Glibc.read(input, buffer.baseAddress, buffer.count)
                hasEnded = count == 0 || count < 0 && errno != EINTR && errno != EAGAIN
                return count
            }
            if hasEnded { endInput() }
        }
        if onSocket & POLLOUT != 0 && !up.isEmpty && !send() { endInput() }
        if onSocket & (POLLIN | POLLHUP | POLLERR) != 0 && down.isEmpty && !receive() { return false }
        if toOutput & POLLOUT != 0 && !down.isEmpty {
            return down.drain { Glibc.write(output, $0.baseAddress, $0.count) }
        }
        return true
    }

    private mutating func endInput() {
        hasInputEnded = true
        up = BridgeBuffer()
        socket.endSending()
    }

    /// - Returns: false when the recorder takes no more; what it has said is still read.
    private mutating func send() -> Bool {
        up.drain { bytes in
            do throws(Errno) {
                return try socket.send(bytes)
            } catch {
                return -1
            }
        }
    }

    /// - Returns: false when nothing more comes.
    private mutating func receive() -> Bool {
        var hasEnded = false
        down.fill { bytes in
            do throws(Errno) {
                guard let count = try socket.receive(into: bytes) else { return 0 }
                hasEnded = count == 0
                return count
            } catch {
                hasEnded = true
                return 0
            }
        }
        return !hasEnded
    }
}
