import FakeRecorder
import Glibc
import Linux
import Testing

@testable import Control

/// A server with a fake recorder behind it, and clients before it, all on one thread: nothing happens but what is asked
/// for.
final class Rig {
    let recorder = FakeRecorder()
    let server: RecorderServer

    init(limits: ServerLimits = ServerLimits(), access: Access = Access()) throws {
        server = try RecorderServer(
            recorder, access: access, identity: ServerIdentity(version: "1.2", url: "https://kinebox.example"),
            limits: limits)
    }

    /// A client that is connected.
    func client(as peer: SocketPeer? = nil) throws -> RigClient {
        let server = server
        return RigClient(
            try UnixSocket.pair().divide { ours, theirs in
                if let peer { server.admit(theirs, peer) } else { server.admit(theirs) }
                return ours
            })
    }

    /// Lets the server do all there is to do.
    func settle() {
        var rounds = 0
        while isBusy && rounds < 10_000 {
            server.handle()
            rounds += 1
        }
        #expect(rounds < 10_000, "the server has nothing to do and does it without end")
    }

    /// Whether the server has something to do.
    var isBusy: Bool {
        var entry = pollfd(fd: server.raw, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Sends a call and takes the replies that follow.
    func ask(_ client: RigClient, _ call: String) throws -> [JSONValue] {
        client.send(call)
        settle()
        return try client.replies()
    }

    /// Calls a method of the recorder and takes its one reply.
    func call(_ client: RigClient, _ method: String, _ parameters: String = "{}") throws -> JSONValue {
        let replies = try ask(client, #"{"method":"io.kinebox.Recorder.\#(method)","parameters":\#(parameters)}"#)
        try #require(replies.count == 1, "\(method): \(replies)")
        return replies[0]
    }
}

/// A client that sends bytes as they are given and reads what comes.
final class RigClient {
    private let socket: UnixSocket
    private var bytes: [UInt8] = []
    /// Whether the server has closed the connection, and all that it said was read.
    private(set) var isClosed = false

    init(_ socket: consuming UnixSocket) {
        self.socket = socket
    }

    /// Sends a message, with its NUL.
    func send(_ message: String) {
        send(bytes: Array(message.utf8) + [0])
    }

    /// Sends bytes.
    /// - Returns: how many were taken.
    @discardableResult
    func send(bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { (try? socket.send($0)) ?? 0 }
    }

    /// Sends no more.
    func endSending() { socket.endSending() }

    /// The messages that have come since the last look.
    func replies() throws -> [JSONValue] {
        receive()
        var replies: [JSONValue] = []
        while let end = bytes.firstIndex(of: 0) {
            replies.append(try JSON.decode(JSONValue.self, bytes[..<end]))
            bytes.removeFirst(end + 1)
        }
        return replies
    }

    private func receive() {
        var scratch = [UInt8](repeating: 0, count: 16 << 10)
        while !isClosed {
            let result = scratch.withUnsafeMutableBytes { buffer in Result { try socket.receive(into: buffer) } }
            switch result {
            case .success(nil): return
            case .success(let count?) where count > 0: bytes += scratch.prefix(count)
            default: isClosed = true
            }
        }
    }
}
