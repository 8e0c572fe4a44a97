import Glibc
import Judges
import KMS
import Linux
import Media
import Testing
import ToldScreen

/// A server over a screen that is told, and those who look at it, all on one thread: nothing happens but what is asked for.
final class ScreenRig {
    let server: ScreenServer
    /// The readers that were made, the newest last.
    var screens: [ToldScreen] { box.screens }
    private let box = Box()

    private final class Box {
        var screens: [ToldScreen] = []
    }

    init(_ tell: @escaping (UInt64) throws(Failure) -> ToldScreen.Picture) throws {
        let box = box
        let open: (String) throws(Failure) -> any ScreenReader = { connector throws(Failure) in
            guard connector != "Nowhere-1" else {
                throw Failure(.noSource, "cannot open it", because: "it is not there")
            }
            do {
                box.screens.append(try ToldScreen(tell))
                return box.screens[box.screens.count - 1]
            } catch {
                throw Failure(.internalFault, "cannot tell of a screen", because: "\(error)")
            }
        }
        server = try ScreenServer(allowing: geteuid(), open)
    }

    /// One who looks at a screen.
    func client(_ connector: String = "") throws -> ScreenClient {
        try UnixSocket.pair(.packets).divide { ours, theirs in
            server.admit(theirs)
            return try ScreenClient(ours, connector: connector)
        }
    }

    /// One who says what it likes.
    func stranger() throws -> RawPeer {
        try UnixSocket.pair(.packets).divide { ours, theirs in
            server.admit(theirs)
            return RawPeer(ours)
        }
    }

    /// Lets the server do all there is to do.
    func settle() throws {
        var rounds = 0
        var entry = pollfd(fd: server.raw, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, 0) > 0 && rounds < 10_000 {
            try server.handle()
            rounds += 1
        }
        #expect(rounds < 10_000, "the server has nothing to do and does it without end")
    }

    /// Orders a picture and takes it.
    func look(_ client: ScreenClient, _ view: ScreenView, _ order: ScreenOrder = ScreenOrder()) throws {
        try client.order(order)
        try settle()
        try #require(try client.next(view))
    }
}

/// An end of a connection that sends and takes messages of any kind.
final class RawPeer {
    private let socket: UnixSocket
    private var bytes = [UInt8](repeating: 0, count: 64 << 10)
    private var descriptors = [Int32](repeating: 0, count: 64)

    init(_ socket: consuming UnixSocket) {
        self.socket = socket
    }

    /// - Returns: whether it was taken.
    @discardableResult
    func send(_ message: [UInt8], with descriptors: [Int32] = []) -> Bool {
        message.withUnsafeBytes { bytes in
            descriptors.withUnsafeBufferPointer { (try? socket.sendMessage(bytes, with: $0)) != nil }
        }
    }

    /// The next message, whose descriptors are closed; nil when there is none, empty at the end.
    func receive() -> [UInt8]? {
        var count = 0
        let size = bytes.withUnsafeMutableBytes { bytes in
            descriptors.withUnsafeMutableBufferPointer { places -> Int? in
                // What has gone with something unread is told of once.
                for _ in 0..<2 {
                    if let size = try? socket.receiveMessage(into: bytes, with: places, &count) { return size }
                }
                return nil
            }
        }
        for descriptor in descriptors[..<count] { close(descriptor) }
        return size.map { Array(bytes[..<$0]) }
    }

    /// All messages that have come.
    func messages() -> [[UInt8]] {
        var all: [[UInt8]] = []
        while let message = receive(), !message.isEmpty { all.append(message) }
        return all
    }

    /// Whether the other side has gone, and all that it said was read.
    var isEnded: Bool { receive()?.isEmpty == true }
}

/// A piece of memory that can be told from all others.
struct Memory: ~Copyable {
    let file: FileDescriptor
    private let status: stat

    init(byteCount: Int64 = 4096) throws {
        var template = Array("/tmp/kinebox-memory-XXXXXX".utf8CString)
        file = FileDescriptor(owning: mkstemp(&template))
        unlink(template)
        try file.truncate(to: byteCount)
        status = try file.status()
    }

    func isSame(as descriptor: Int32) -> Bool {
        var other = stat()
        return fstat(descriptor, &other) == 0 && other.st_ino == status.st_ino && other.st_dev == status.st_dev
    }

    /// How many descriptors of this process lead to it.
    var descriptorCount: Int {
        SystemDirectory.entries("/proc/self/fd").compactMap { Int32($0) }.filter { isSame(as: $0) }.count
    }
}
