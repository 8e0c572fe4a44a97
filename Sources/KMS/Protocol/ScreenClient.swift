import Glibc
import Linux
import Media

/// Sees a screen through the privileged program, which reads it for this process. Used by one thread.
///
/// It never waits, but where that is asked for (`awaitOpening`). A connection that is broken stays so: whoever wants to
/// see more makes another client.
public final class ScreenClient: ScreenReader {
    /// Where the privileged program is found unless somebody wants it elsewhere.
    public static let usualPath = "/run/kinebox/kms"

    private let socket: UnixSocket
    private let message: UnsafeMutableRawBufferPointer
    private let descriptors: UnsafeMutableBufferPointer<Int32>
    /// The order that is out.
    private var current = ScreenOrder()
    /// Its number; answers to older ones are passed over.
    private var number: UInt32 = 0
    private var isOpened = false
    /// No view may be of a later time, without the clock being asked.
    private var latest = MonotonicTime(nanoseconds: 0)
    /// Why there is nothing more.
    private var failure: Failure?

    /// Connects, and says which screen is wanted. It does not wait for an answer: a refusal comes out of `next`.
    /// - Parameters:
    ///   - connector: the connector's name, "HDMI-A-1"; empty for the one that is lit.
    ///   - path: where the privileged program listens.
    /// - Throws: `Failure` of kind noSource where it does not listen or does not answer, notAuthorised where this user may
    ///   not connect, invalidValue for a name that no connector has.
    public convenience init(connector: String, at path: String = ScreenClient.usualPath) throws(Failure) {
        let socket: UnixSocket
        do throws(Errno) {
            socket = try UnixSocket(connectingTo: path, kind: .packets, waits: false)
        } catch {
            throw Self.failure(error, at: path)
        }
        try self.init(socket, connector: connector)
    }

    /// Says which screen is wanted through a connection of the kind `packets`.
    /// - Throws: `Failure` of kind invalidValue for a name that no connector has.
    public init(_ socket: consuming UnixSocket, connector: String) throws(Failure) {
        guard connector.utf8.count <= ScreenMessage.nameSize, connector.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw Failure(
                .invalidValue, "cannot see the screen \(connector)", because: "no connector has such a name",
                mend: "'kinebox devices' lists those of this board.")
        }
        self.socket = socket
        message = .allocate(byteCount: ScreenMessage.mostBytes, alignment: 8)
        descriptors = .allocate(capacity: ScreenView.mostBuffers)
        send(ScreenMessage.writeOpening(of: connector, into: message))
    }

    deinit {
        message.deallocate()
        descriptors.deallocate()
    }

    public var descriptor: Int32 { socket.raw }

    /// Waits until the privileged program has opened the screen.
    /// - Parameter milliseconds: how long at most; a program that is only started now needs some hundreds.
    /// - Throws: `Failure`: what it refuses with, or noSource when it does not answer in time.
    public func awaitOpening(milliseconds: Int32 = 3000) throws(Failure) {
        let end = MonotonicTime.now + Int64(milliseconds) * 1_000_000
        let view = ScreenView()
        while !isOpened {
            let left = Int32(clamping: (end - .now) / 1_000_000)
            guard left > 0, socket.isReadable(within: left) else {
                throw fail(
                    because: "kinebox-kms does not answer", mend: "'journalctl -u kinebox-kms' says what it does.")
            }
            // An answer cannot come before the opening, since nothing was ordered.
            _ = try next(view)
        }
    }

    /// Waits for what is told of the screen next.
    /// - Parameter milliseconds: how long at most.
    /// - Returns: how it is driven; nil where it is dark, or nothing comes in time.
    /// - Throws: `Failure` that the privileged program refuses with, or that says that it is gone.
    public func awaitMode(milliseconds: Int32 = 1000) throws(Failure) -> ScreenMode? {
        try order(ScreenOrder())
        let end = MonotonicTime.now + Int64(milliseconds) * 1_000_000
        let view = ScreenView()
        while try !next(view) {
            let left = Int32(clamping: (end - .now) / 1_000_000)
            guard left > 0, socket.isReadable(within: left) else { return nil }
        }
        if case .lit(let mode) = view.state { return mode }
        return nil
    }

    public func order(_ order: ScreenOrder) throws(Failure) {
        if let failure { throw failure }
        (current, number) = (order, number &+ 1)
        send(ScreenMessage.writeOrder(order, number: number, into: message))
        if let failure { throw failure }
    }

    public func next(_ view: ScreenView) throws(Failure) -> Bool {
        view.clear()
        while failure == nil, let size = receive(into: view) {
            if size { return true }
        }
        if let failure { throw failure }
        return false
    }

    /// Takes one message.
    /// - Returns: whether it was a view that was wanted; nil when nothing has come, or nothing will.
    private func receive(into view: ScreenView) -> Bool? {
        var count = 0
        do throws(Errno) {
            guard let size = try socket.receiveMessage(into: message, with: descriptors, &count) else { return nil }
            if size == 0 {
                fail(because: "kinebox-kms has ended", mend: "'journalctl -u kinebox-kms' says why.")
                return nil
            }
            return take(
                UnsafeRawBufferPointer(rebasing: message[..<size]),
                UnsafeBufferPointer(rebasing: descriptors[..<count]), into: view)
        } catch {
            // Who closes with something unread is told of first; what it said before comes after.
            if error.code == ECONNRESET { return false }
            fail(because: "kinebox-kms sends what cannot be taken (\(error))", mend: Self.sameVersion)
            return nil
        }
    }

    private func take(
        _ message: UnsafeRawBufferPointer, _ memory: UnsafeBufferPointer<Int32>, into view: ScreenView
    ) -> Bool? {
        let head = ScreenMessage.head(of: message)
        switch head?.kind {
        case .view? where head?.version == ScreenMessage.version && isOpened:
            if let answered = ScreenMessage.readView(message, with: memory, into: view) {
                return accept(view, answering: answered)
            }
        case .opened?
        where head?.version == ScreenMessage.version && !isOpened && memory.isEmpty
            && message.count == ScreenMessage.headSize:
            isOpened = true
            return false
        case .refusal? where memory.isEmpty:
            if let refusal = ScreenMessage.readRefusal(message) {
                failure = failure ?? refusal
                return nil
            }
        default: break
        }
        for descriptor in memory { close(descriptor) }
        view.clear()
        fail(because: "kinebox-kms sends what is no answer", mend: Self.sameVersion)
        return nil
    }

    /// Keeps a view that answers the order that is out.
    private func accept(_ view: ScreenView, answering answered: UInt32) -> Bool? {
        guard answered == number else {
            view.clear()
            return false
        }
        if isAhead(view.time) || view.isKnown && view.signature != current.known {
            view.clear()
            fail(because: "kinebox-kms sends what is no answer", mend: Self.sameVersion)
            return nil
        }
        return true
    }

    /// Whether a view's time is still to come by more than a blank of the slowest screen: a recording takes its times from
    /// it, and could not go back. The clock is asked once in a while only, since that is a system call on some boards.
    private func isAhead(_ time: MonotonicTime) -> Bool {
        if time > latest { latest = .now + Self.mostAhead }
        return time > latest
    }

    private func send(_ bytes: UnsafeRawBufferPointer) {
        do throws(Errno) {
            try socket.sendMessage(bytes)
        } catch {
            guard error.code == EPIPE || error.code == ECONNRESET else {
                fail(because: "kinebox-kms takes no orders (\(error))", mend: "'journalctl -u kinebox-kms' says why.")
                return
            }
            // Why it has gone may be on its way.
            let view = ScreenView()
            while failure == nil, receive(into: view) != nil { view.clear() }
            fail(because: "kinebox-kms has ended", mend: "'journalctl -u kinebox-kms' says why.")
        }
    }

    /// Notes the first failure, after which nothing comes any more.
    @discardableResult
    private func fail(because cause: String, mend: String) -> Failure {
        let first = failure ?? Failure(.noSource, "cannot see the screen", because: cause, mend: mend)
        failure = first
        return first
    }

    /// Nanoseconds that a view's time may lie ahead of its arrival. Timers that stand in for blanks tell of the next one.
    private static let mostAhead: Int64 = 2_000_000_000
    private static let sameVersion = "Install kinebox and kinebox-kms of the same version ('tools/install')."

    private static let usualUser = "kinebox"
    private static let whoMay =
        "Record as root (sudo), or through the recorder's service: Video=screen in its configuration, then 'kinebox start'."

    private static func failure(_ reason: Errno, at path: String) -> Failure {
        let thing = "cannot see the screen through \(path)"
        switch reason.code {
        case ENOENT, ECONNREFUSED:
            // To have it listen helps those for whom it would.
            return Failure(
                .noSource, thing, because: "kinebox-kms does not listen there",
                mend: SystemUser(named: usualUser)?.number == geteuid()
                    ? "'sudo systemctl enable --now kinebox-kms.socket' starts it." : whoMay)
        case EACCES, EPERM:
            return Failure(
                .notAuthorised, thing, because: "it is for the recorder's user alone (usually \(usualUser))",
                mend: whoMay)
        case EAGAIN:
            return Failure(
                .noSource, thing, because: "kinebox-kms takes nobody",
                mend: "'systemctl restart kinebox-kms' helps where it hangs.")
        default: return Failure(.noSource, thing, because: "\(reason)")
        }
    }
}
