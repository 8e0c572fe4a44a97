import Linux
import Media

/// The Varlink service of the recorder: speaks with clients over Unix sockets on behalf of a `RecorderService`.
///
/// It has no thread of its own: whoever owns it waits for its descriptor and calls `handle`, and uses it on that one
/// thread only. It never waits for a client, and what it holds for each is bounded.
public final class RecorderServer {
    let limits: ServerLimits
    /// Who may do what; clients that are connected already keep the rights that they came with.
    public var access: Access
    let identity: ServerIdentity
    /// The daemon, which owns the server.
    private(set) weak var service: (any RecorderService)?
    var notices: NoticeLog
    private let epoll: Epoll
    private let timer: TimerDescriptor
    private let scratch: UnsafeMutableRawBufferPointer
    private var listeners: [Listener] = []
    private var connections: [UInt64: Connection] = [:]
    private var ready: [(token: UInt64, readiness: Epoll.Readiness)] = []
    private var nextToken: UInt64 = 1000
    /// When the timer runs out; nil while it is not set.
    private var alarm: MonotonicTime?
    /// Whether listeners rest until the timer runs out, since no descriptor was left for a client.
    private var isResting = false

    /// Messages of one client that are handled before the others have their turn.
    private static let messagesInARow = 16
    private static let timerToken: UInt64 = 0

    /// A listening socket in a box of its own, since what has one owner cannot stand in an array.
    private final class Listener {
        let socket: UnixListener

        init(_ socket: consuming UnixListener) {
            self.socket = socket
        }
    }

    /// Makes a server that nobody can reach yet; see `listen`.
    /// - Parameters:
    ///   - service: the daemon; it is not kept alive. Nil for one that is given later, before anybody can connect.
    ///   - access: who may do what.
    ///   - identity: what the service says of itself.
    /// - Throws: `Failure` of kind internalFault when the system has no descriptor left.
    public init(
        _ service: (any RecorderService)?, access: Access, identity: ServerIdentity,
        limits: ServerLimits = ServerLimits()
    ) throws(Failure) {
        do throws(Errno) {
            epoll = try Epoll()
            timer = try TimerDescriptor()
            try epoll.add(timer.raw, for: .readable, token: Self.timerToken)
        } catch {
            throw Failure(
                .internalFault, "cannot serve clients", because: "\(error)", mend: "End other programs and try again.")
        }
        self.service = service
        self.access = access
        self.identity = identity
        self.limits = limits
        notices = NoticeLog(capacity: limits.notices)
        scratch = .allocate(byteCount: limits.messageBytes + 1, alignment: 16)
    }

    deinit {
        scratch.deallocate()
    }

    /// The descriptor to wait for: readable while there is something to `handle`.
    public var raw: Int32 { epoll.raw }

    /// The number of clients that are connected.
    public var clientCount: Int { connections.count }

    /// The number of clients that follow the recorder.
    public var subscriberCount: Int {
        connections.values.reduce(0) { count, connection in
            if case .subscribed = connection.phase { count + 1 } else { count }
        }
    }

    /// Lets a daemon answer from now on; it is not kept alive.
    public func serve(_ service: any RecorderService) {
        self.service = service
    }

    /// Takes clients from a listening socket as well.
    /// - Throws: `Failure` of kind internalFault when it cannot be watched.
    public func listen(on socket: consuming UnixListener) throws(Failure) {
        let listener = Listener(socket)
        do throws(Errno) {
            try epoll.add(listener.socket.raw, for: .readable, token: UInt64(listeners.count + 1))
        } catch {
            throw Failure(.internalFault, "cannot wait for clients", because: "\(error)")
        }
        listeners.append(listener)
    }

    /// Does what is to be done now, without waiting. To be called whenever `raw` is readable.
    public func handle() {
        ready.removeAll(keepingCapacity: true)
        do throws(Errno) {
            try epoll.wait(milliseconds: 0) { token, readiness in ready.append((token, readiness)) }
        } catch {
            // It fails for a wrong descriptor only, and this one is its own.
            return
        }
        for event in ready {
            if event.token == Self.timerToken {
                _ = timer.expirations()
                expire(at: .now)
            } else if let connection = connections[event.token] {
                handle(connection, event.readiness)
            } else if event.token > 0, event.token <= UInt64(listeners.count) {
                acceptClients(of: listeners[Int(event.token) - 1])
            }
        }
    }

    /// Tells subscribers that something has changed; each gets the newest state as soon as it can take it. To be called
    /// after each change, and for sound levels as often as they are to be seen.
    public func announceChange() {
        // Answers and announcements may come while this runs, so it goes over a copy.
        for connection in Array(connections.values) {
            guard case .subscribed = connection.phase else { continue }
            connection.isBehind = true
            advance(connection)
        }
    }

    /// Tells subscribers of something that happened, and that something has changed.
    public func announce(_ text: String, _ grade: RecorderAPI.Notice.Grade) {
        notices.add(text, grade)
        announceChange()
    }
}

// MARK: - Clients that come and go

extension RecorderServer {
    private func acceptClients(of listener: Listener) {
        for _ in 0..<limits.clients {
            do throws(Errno) {
                guard let socket = try listener.socket.accept() else { return }
                admit(socket)
            } catch {
                // No descriptor is left: the client waits, and so does the loop, which would else run in circles.
                rest()
                return
            }
        }
    }

    /// Takes a client in, or tells it why not.
    func admit(_ socket: consuming UnixSocket) {
        do throws(Errno) {
            let peer = try socket.peer()
            admit(socket, peer)
        } catch {
            // The kernel knows nobody on the other side: whoever it was has gone.
        }
    }

    /// Takes in a client of whom it is known who it is.
    func admit(_ socket: consuming UnixSocket, _ peer: SocketPeer) {
        let rights = access.rights(of: peer)
        let connection = Connection(
            nextToken, socket, peer: peer, rights: rights, messageBytes: limits.messageBytes, watched: .readable)
        if rights.isEmpty { return turnAway(connection, access.refusal(of: peer, needing: .look)) }
        // Who may only look leaves places to those who may stop the recording.
        let places = rights.contains(.record) ? limits.clients : limits.clients - limits.clients / 4
        if connections.count >= places { return turnAway(connection, tooMany) }
        guard let raw = connection.raw else { return }
        do throws(Errno) {
            try epoll.add(raw, for: .readable, token: connection.token)
        } catch {
            return
        }
        nextToken += 1
        connections[connection.token] = connection
    }

    private var tooMany: Refusal {
        var refusal = Refusal(
            Failure(
                .busy, "cannot talk to the recorder", because: "\(connections.count) clients are connected already",
                mend: "Close one of them."))
        refusal.state = service?.status.state
        return refusal
    }

    private func turnAway(_ connection: Connection, _ refusal: Refusal) {
        service?.turnedAway(refusal.failure)
        connection.put(Self.message(refusal) ?? [])
        _ = flush(connection)
        connection.close()
    }

    private func close(_ connection: Connection) {
        guard let raw = connection.raw else { return }
        do throws(Errno) {
            try epoll.remove(raw)
        } catch {
            // It was never added, or is gone from it already: either way it is not watched.
        }
        connections[connection.token] = nil
        connection.close()
    }

    /// Lets clients wait for a second.
    private func rest() {
        isResting = true
        for listener in listeners { watch(listener, for: []) }
        setAlarm(at: .now + 1_000_000_000)
    }

    private func watch(_ listener: Listener, for readiness: Epoll.Readiness) {
        guard let index = listeners.firstIndex(where: { $0 === listener }) else { return }
        do throws(Errno) {
            try epoll.modify(listener.socket.raw, for: readiness, token: UInt64(index + 1))
        } catch {
            // It fails for a descriptor that is not in the queue only, and this one is.
        }
    }

    /// Gives up clients of whom something was expected until now.
    func expire(at now: MonotonicTime) {
        alarm = nil
        if isResting {
            isResting = false
            for listener in listeners { watch(listener, for: .readable) }
        }
        for connection in Array(connections.values) {
            guard let deadline = connection.deadline else { continue }
            if deadline > now {
                setAlarm(at: deadline)
            } else if connection.hasOutput || connection.isLeaving {
                close(connection)
            } else {
                refuse(connection, "the message has begun and does not end")
            }
        }
    }

    private func setAlarm(at moment: MonotonicTime) {
        if let alarm, alarm <= moment { return }
        alarm = moment
        do throws(Errno) {
            try timer.arm(at: moment)
        } catch {
            // It fails for times that cannot be only.
        }
    }
}

// MARK: - What a connection goes through

extension RecorderServer {
    private func handle(_ connection: Connection, _ readiness: Epoll.Readiness) {
        let isGone = !readiness.isDisjoint(with: [.hungUp, .failed])
        // Who has gone before its answer is not waited for. What it has sent before it went is done all the same.
        if isGone && connection.phase == .calling { return close(connection) }
        if isGone || readiness.contains(.readable) {
            do throws(Errno) {
                try connection.receive(through: scratch)
            } catch {
                return close(connection)
            }
        }
        advance(connection)
    }

    /// Takes a connection as far as it goes without waiting: sends, and takes calls as long as all has been sent.
    func advance(_ connection: Connection) {
        guard !connection.isAdvancing else { return }
        connection.isAdvancing = true
        defer { connection.isAdvancing = false }
        var taken = 0
        while !connection.isClosed {
            guard let isSent = flush(connection) else { return close(connection) }
            guard isSent else { break }
            if connection.isLeaving { return close(connection) }
            switch connection.phase {
            case .calling: return watch(connection, hasMore: false)
            case .subscribed:
                if connection.isBehind {
                    sendState(to: connection)
                } else if connection.hasEnded {
                    return close(connection)
                } else if connection.input.room == 0 {
                    refuse(connection, "it follows the recorder and sends all the same")
                } else {
                    return watch(connection, hasMore: false)
                }
            case .idle:
                guard taken < Self.messagesInARow else { return watch(connection, hasMore: true) }
                if let message = connection.input.next() {
                    taken += 1
                    connection.deadline = nil
                    take(message, from: connection)
                } else if connection.input.isTooLong {
                    refuse(connection, "the message has more than \(limits.messageBytes) bytes")
                } else if connection.hasEnded {
                    return close(connection)
                } else {
                    return watch(connection, hasMore: false)
                }
            }
        }
        watch(connection, hasMore: false)
    }

    /// - Returns: whether everything is sent; nil when the client has gone.
    private func flush(_ connection: Connection) -> Bool? {
        guard connection.hasOutput else { return true }
        do throws(Errno) {
            let count = try connection.flush()
            if !connection.hasOutput {
                connection.deadline = nil
                return true
            }
            if count > 0 || connection.deadline == nil { connection.deadline = .now + limits.patience }
            return false
        } catch {
            return nil
        }
    }

    /// Waits for what can happen next on a connection.
    private func watch(_ connection: Connection, hasMore: Bool) {
        guard let raw = connection.raw else { return }
        var wanted: Epoll.Readiness = []
        if connection.hasOutput || hasMore { wanted.insert(.writable) }
        if !connection.hasOutput && !connection.hasEnded && !hasMore && connection.phase != .calling {
            wanted.insert(.readable)
        }
        if wanted.contains(.readable) && connection.phase == .idle && !connection.input.isEmpty {
            // The time counts from the message's first byte, so that one byte now and then does not hold the place.
            connection.deadline = connection.deadline ?? .now + limits.patience
        }
        if let deadline = connection.deadline { setAlarm(at: deadline) }
        guard wanted != connection.watched else { return }
        do throws(Errno) {
            try epoll.modify(raw, for: wanted, token: connection.token)
            connection.watched = wanted
        } catch {
            close(connection)
        }
    }

    /// Tells a client that what it sends is no Varlink, and closes the connection.
    func refuse(_ connection: Connection, _ cause: String) {
        let failure = Failure(
            .invalidValue, "cannot read what the client sends", because: cause,
            mend: "Send Varlink: JSON objects of 64 KiB at most, with a NUL byte behind each.")
        connection.put(Self.message(Refusal(failure)) ?? [])
        connection.isLeaving = true
        connection.deadline = nil
        advance(connection)
    }
}
