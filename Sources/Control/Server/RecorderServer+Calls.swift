import Linux
import Media

// Calls: from a message to the service, and from the service's answer to a message.
extension RecorderServer {
    /// Takes a message for a call and carries it out.
    func take(_ message: ArraySlice<UInt8>, from connection: Connection) {
        let head: CallHead
        do throws(JSONMismatch) {
            head = try JSON.decode(CallHead.self, message)
        } catch {
            return refuse(connection, error.path.isEmpty ? "it is no JSON" : "\(error.path[0]) is missing or wrong")
        }
        connection.phase = .calling
        connection.isOneway = head.oneway ?? false
        if head.upgrade ?? false { return finish(connection, with: .invalidParameter("upgrade")) }
        guard let dot = head.method.lastIndex(of: ".") else {
            return finish(connection, with: .methodNotFound(head.method))
        }
        let interface = String(head.method[..<dot])
        switch interface {
        case InterfaceDescription.service: describe(head.method, message, connection)
        case InterfaceDescription.recorder:
            guard let method = RecorderMethod(rawValue: String(head.method[head.method.index(after: dot)...])) else {
                return finish(connection, with: .methodNotFound(head.method))
            }
            let (peer, rights) = connection.caller
            guard rights.isSuperset(of: method.needed) else {
                let refusal = access.refusal(of: peer, needing: method.needed)
                service?.turnedAway(refusal.failure)
                return finish(connection, Self.message(refusal))
            }
            if method == .subscribe {
                subscribe(connection, message, wantsMore: head.more ?? false)
            } else {
                let caller = Caller(peer: peer, rights: rights, time: .now)
                RecorderDispatch(server: self, connection: connection, message: message, caller: caller).run(method)
            }
        default: finish(connection, with: .interfaceNotFound(interface))
        }
    }

    /// `org.varlink.service`.
    private func describe(_ method: String, _ message: ArraySlice<UInt8>, _ connection: Connection) {
        switch method {
        case "\(InterfaceDescription.service).GetInfo":
            guard parameters(RecorderAPI.Nothing.self, message, connection) != nil else { return }
            finish(connection, Self.message(identity))
        case "\(InterfaceDescription.service).GetInterfaceDescription":
            guard let asked = parameters(InterfaceQuery.self, message, connection) else { return }
            guard let text = InterfaceDescription.text(of: asked.interface) else {
                return finish(connection, with: .interfaceNotFound(asked.interface))
            }
            finish(connection, Self.message(["description": text]))
        default: finish(connection, with: .methodNotFound(method))
        }
    }

    private func subscribe(_ connection: Connection, _ message: ArraySlice<UInt8>, wantsMore: Bool) {
        guard parameters(RecorderAPI.Nothing.self, message, connection) != nil else { return }
        guard wantsMore, !connection.isOneway else { return finish(connection, with: .expectedMore) }
        connection.phase = .subscribed(notices: notices.newest)
        connection.isBehind = true
    }

    /// Puts the newest state, and the notices since the last one, into a subscriber's output.
    func sendState(to connection: Connection) {
        connection.isBehind = false
        guard case .subscribed(let seen) = connection.phase, let service else { return }
        let (new, missed) = notices.after(seen)
        let reply = RecorderAPI.Subscribe.Reply(
            status: service.status, media: service.media, notices: new, missed: missed)
        connection.phase = .subscribed(notices: notices.newest)
        var shorter = reply
        (shorter.notices, shorter.missed) = ([], missed + new.count)
        guard let message = stateMessage(reply) ?? stateMessage(shorter) else {
            connection.isLeaving = true
            return connection.put(Self.unspeakable)
        }
        connection.put(message)
    }

    /// nil where it does not fit.
    private func stateMessage(_ reply: RecorderAPI.Subscribe.Reply) -> [UInt8]? {
        guard let message = JSON.encode(ReplyMessage(parameters: reply, continues: true)) else { return nil }
        return message.count <= limits.messageBytes ? message : nil
    }

    /// The parameters of a call; nil when they do not fit, which the client has been told then.
    func parameters<Parameters: CallParameters>(
        _ type: Parameters.Type, _ message: ArraySlice<UInt8>, _ connection: Connection
    ) -> Parameters? {
        do throws(JSONMismatch) {
            return try JSON.decode(ReceivedParameters<Parameters>.self, message).value
        } catch {
            let name = error.path.first { $0 != "parameters" } ?? "parameters"
            finish(connection, with: .invalidParameter(name))
            return nil
        }
    }

    /// Ends a call with a reply.
    func finish(_ connection: Connection, _ message: [UInt8]?) {
        guard connection.phase == .calling, !connection.isClosed else { return }
        connection.phase = .idle
        // A refusal tells what was asked for, which may be as long as a message itself.
        let fitting = message.flatMap { $0.count <= limits.messageBytes ? $0 : nil }
        if !connection.isOneway { connection.put(fitting ?? Self.unspeakable) }
        advance(connection)
    }

    private func finish(_ connection: Connection, with error: ServiceError) {
        finish(connection, JSON.encode(ReplyMessage(parameters: error.parameters, error: error.name)))
    }

    /// A reply as a message; nil for what JSON has no word for.
    static func message<Reply: Encodable>(_ reply: Reply) -> [UInt8]? {
        JSON.encode(ReplyMessage(parameters: reply))
    }

    /// An error as a message.
    static func message(_ refusal: Refusal) -> [UInt8]? {
        JSON.encode(ReplyMessage(parameters: refusal, error: refusal.errorName))
    }

    /// What is sent in place of a reply that cannot be.
    private static var unspeakable: [UInt8] {
        message(Refusal(Failure(.internalFault, "cannot answer", because: "the answer does not fit into a message")))
            ?? []
    }

    /// The parameters of `GetInterfaceDescription`.
    private struct InterfaceQuery: CallParameters {
        var interface: String

        static var names: [String: [String]] { ["interface": []] }
    }
}
