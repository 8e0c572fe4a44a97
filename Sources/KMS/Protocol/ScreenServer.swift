import Glibc
import Linux
import Media

/// Shows screens to other processes: gives them what a `ScreenReader` of this one reads, memory and all.
///
/// It has no thread of its own: whoever owns it waits for its descriptor and calls `handle`, or calls `serve`, and uses it
/// on that one thread only. It waits for nobody, and what it holds for each client is bounded. Nothing is allocated per
/// order.
public final class ScreenServer {
    /// Clients at a time.
    public static let mostClients = 4

    private let allowed: uid_t
    private let open: (String) throws(Failure) -> any ScreenReader
    private let epoll: Epoll
    private var listener: UnixListener?
    private var clients: [ScreenGuest] = []
    private var ready: [UInt64] = []
    private var nextToken: UInt64 = 1
    private let view = ScreenView()
    private let message: UnsafeMutableRawBufferPointer

    private static let listenerToken: UInt64 = 0
    private static let endToken: UInt64 = 1
    /// Connections that are taken before the clients have their turn.
    private static let acceptsInARow = 16

    /// Makes a server that nobody can reach yet; see `listen` and `admit`.
    /// - Parameters:
    ///   - allowed: the user whose processes may see screens; root's may as well.
    ///   - open: makes the reader of a connector for one client; the name is empty for the one that is lit.
    /// - Throws: `Failure` of kind internalFault when the system has no descriptor left.
    public init(
        allowing allowed: uid_t, _ open: @escaping (String) throws(Failure) -> any ScreenReader
    ) throws(Failure) {
        do throws(Errno) {
            epoll = try Epoll()
        } catch {
            throw Failure(.internalFault, "cannot show screens", because: "\(error)", mend: "End other programs first.")
        }
        self.allowed = allowed
        self.open = open
        clients.reserveCapacity(Self.mostClients + 1)
        ready.reserveCapacity(16)
        message = .allocate(byteCount: ScreenMessage.mostBytes, alignment: 8)
    }

    deinit {
        message.deallocate()
    }

    /// The descriptor to wait for: readable while there is something to `handle`.
    public var raw: Int32 { epoll.raw }

    /// The number of clients that are connected.
    public var clientCount: Int { clients.count }

    /// Takes clients from a listening socket of the kind `packets`.
    /// - Throws: `Failure` of kind internalFault when it cannot be watched.
    public func listen(on socket: consuming UnixListener) throws(Failure) {
        do throws(Errno) {
            try epoll.add(socket.raw, for: .readable, token: Self.listenerToken)
        } catch {
            throw Failure(.internalFault, "cannot wait for those who want to see a screen", because: "\(error)")
        }
        listener = consume socket
    }

    /// Serves until a descriptor is readable, or until nobody has been connected for a while. To be called once.
    /// - Parameters:
    ///   - end: a signal's or an event's descriptor; nothing is read from it.
    ///   - idle: milliseconds without a client; nil for no limit.
    /// - Throws: `Failure` of kind internalFault when the system has no descriptor left.
    public func serve(until end: Int32, orIdleFor idle: Int32? = nil) throws(Failure) {
        do throws(Errno) {
            try epoll.add(end, for: .readable, token: Self.endToken)
        } catch {
            throw Failure(.internalFault, "cannot wait for those who want to see a screen", because: "\(error)")
        }
        while true {
            let limit = clients.isEmpty ? idle : nil
            if try turn(waiting: limit) == 0 && limit != nil || ready.contains(Self.endToken) { return }
        }
    }

    /// Does what is to be done now, without waiting. To be called whenever `raw` is readable.
    /// - Throws: `Failure` of kind internalFault when the system has no descriptor left for a client.
    public func handle() throws(Failure) {
        _ = try turn(waiting: 0)
    }

    /// - Returns: how many events there were; 0 when the time ran out.
    private func turn(waiting milliseconds: Int32?) throws(Failure) -> Int {
        ready.removeAll(keepingCapacity: true)
        do throws(Errno) {
            try epoll.wait(milliseconds: milliseconds) { token, _ in ready.append(token) }
        } catch {
            throw Failure(.internalFault, "cannot wait for those who want to see a screen", because: "\(error)")
        }
        for token in ready {
            if token == Self.listenerToken {
                try acceptClients()
            } else if let guest = clients.first(where: { $0.token == token & ~1 }) {
                // The reader has a token of its own, the greater one.
                let stays = token & 1 == 0 ? guest.hear(message, open, epoll) : guest.show(view, message)
                if !stays { dismiss(guest) }
            }
        }
        return ready.count
    }

    private func acceptClients() throws(Failure) {
        for _ in 0..<Self.acceptsInARow {
            do throws(Errno) {
                guard let socket = try listener?.accept() else { return }
                admit(socket)
            } catch {
                throw Failure(
                    .internalFault, "cannot take one who wants to see a screen", because: "\(error)",
                    mend: "End other programs first.")
            }
        }
    }

    /// Takes a client in that is connected already, or tells it why not.
    /// - Parameter socket: of the kind `packets`.
    public func admit(_ socket: consuming UnixSocket) {
        let guest = ScreenGuest(socket, token: nextToken * 2)
        nextToken += 1
        guard let user = guest.user else { return }
        guard user == 0 || user == allowed else {
            return guest.refuse(
                Failure(
                    .notAuthorised, "cannot show the screen to user \(user)",
                    because: "it is shown to user \(allowed) and to root alone",
                    mend: "Start kinebox-kms with another --user, or record as that user."), message)
        }
        if clients.count == Self.mostClients, let silent = clients.first(where: { !$0.isOpened }) { dismiss(silent) }
        guard clients.count < Self.mostClients else {
            return guest.refuse(
                Failure(
                    .busy, "cannot show the screen", because: "\(clients.count) others look at it already",
                    mend: "End one of them."), message)
        }
        if guest.watch(by: epoll) { clients.append(guest) }
    }

    private func dismiss(_ guest: ScreenGuest) {
        guest.unwatch(by: epoll)
        clients.removeAll { $0 === guest }
    }
}
