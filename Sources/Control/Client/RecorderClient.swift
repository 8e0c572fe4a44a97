import Linux
import Media

/// A connection to a recorder. Calls are made one after the other, and wait for their replies; it is used by one
/// thread.
public final class RecorderClient {
    /// Where the recorder is.
    public let place: RecorderPlace
    private var connection: ClientConnection
    private var input = MessageBuffer(limit: ServerLimits().messageBytes)

    /// Connects.
    /// - Throws: `Failure` that says what helps where no recorder is there or this user may not.
    public init(_ place: RecorderPlace) throws(Failure) {
        self.place = place
        connection = try ClientConnection.open(place)
    }

    /// Calls a method and waits for its reply.
    /// - Throws: the recorder's refusal, or one of kind internalFault when the connection is lost.
    public func call<Call: RecorderCall>(_ call: Call.Type, _ parameters: Call.Parameters) throws(Refusal) -> Call.Reply
    {
        let method = Call.method.qualifiedName
        try send(CallMessage(method: method, parameters: parameters))
        return try receive(Call.Reply.self, of: method, within: Call.method.patience).reply
    }

    /// Calls a method that takes nothing.
    public func call<Call: RecorderCall>(_ call: Call.Type) throws(Refusal) -> Call.Reply
    where Call.Parameters == RecorderAPI.Nothing {
        try self.call(call, RecorderAPI.Nothing())
    }

    /// Follows the recorder until `body` returns false or the connection ends.
    /// - Parameter body: is given the present state at once, and what changes from then on.
    public func follow(_ body: (RecorderAPI.Subscribe.Reply) -> Bool) throws(Refusal) {
        let method = RecorderMethod.subscribe.qualifiedName
        try send(CallMessage(method: method, parameters: RecorderAPI.Nothing(), more: true))
        while true {
            let (reply, continues) = try receive(RecorderAPI.Subscribe.Reply.self, of: method)
            guard body(reply), continues else { return }
        }
    }

    /// What the service says of itself.
    public func info() throws(Refusal) -> ServerIdentity {
        let method = "\(InterfaceDescription.service).GetInfo"
        try send(CallMessage(method: method, parameters: RecorderAPI.Nothing()))
        return try receive(ServerIdentity.self, of: method).reply
    }

    private func send<Parameters: Encodable>(_ message: CallMessage<Parameters>) throws(Refusal) {
        guard var bytes = JSON.encode(message), bytes.count <= ServerLimits().messageBytes else {
            throw Refusal(
                Failure(
                    .invalidValue, "cannot call \(message.method)", because: "a message has 64 KiB at most",
                    mend: "Use shorter words."))
        }
        bytes.append(0)
        connection.send(bytes)
    }

    private func receive<Reply: Decodable>(
        _ type: Reply.Type, of method: String, within milliseconds: Int32? = nil
    ) throws(Refusal) -> (reply: Reply, continues: Bool) {
        let message = try nextMessage(within: milliseconds)
        let head = try read(ReplyHead.self, message, of: method)
        if let error = head.error {
            throw try read(ReceivedReply<RefusalFields>.self, message, of: method).value.refusal(error, of: method)
        }
        return (try read(ReceivedReply<Reply>.self, message, of: method).value, head.continues ?? false)
    }

    private func read<Value: Decodable>(
        _ type: Value.Type, _ message: ArraySlice<UInt8>, of method: String
    ) throws(Refusal) -> Value {
        do throws(JSONMismatch) {
            return try JSON.decode(type, message)
        } catch {
            let fault =
                error.path.isEmpty ? "it is no JSON" : "\(error.path.joined(separator: ".")) is missing or wrong"
            throw Refusal(
                Failure(
                    .internalFault, "cannot read the recorder's reply to \(method)", because: fault,
                    mend: "Bring the recorder and this program to the same version."))
        }
    }

    private func nextMessage(within milliseconds: Int32?) throws(Refusal) -> ArraySlice<UInt8> {
        while true {
            if let message = input.next() { return message }
            if input.isTooLong {
                throw Refusal(
                    Failure(.internalFault, "cannot read what the recorder says", because: "it is more than 64 KiB"))
            }
            guard connection.isReadable(within: milliseconds) else {
                throw Refusal(
                    Failure(
                        .internalFault, "cannot talk to the recorder \(place.words)",
                        because: "it has not answered for \((milliseconds ?? 0) / 1000) s",
                        mend: "See \"journalctl -u kinebox\" for what it does."))
            }
            guard try connection.receive(into: &input) else { throw Refusal(connection.loss(of: place)) }
        }
    }
}
