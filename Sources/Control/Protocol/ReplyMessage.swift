/// A Varlink reply as it is sent.
struct ReplyMessage<Parameters: Encodable>: Encodable {
    var parameters: Parameters
    /// Whether further replies follow.
    var continues: Bool?
    /// The error's name with the interface's; nil where it is none.
    var error: String?
}

/// What a Varlink reply says of itself beside its parameters.
struct ReplyHead: Decodable {
    var continues: Bool?
    var error: String?
}

/// The parameters of a reply that was received. Where they are missing or null they are taken for empty.
struct ReceivedReply<Parameters: Decodable>: Decodable {
    let value: Parameters

    init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: AnyName.self)
        let key = AnyName("parameters")
        if message.contains(key), try !message.decodeNil(forKey: key) {
            value = try message.decode(Parameters.self, forKey: key)
        } else {
            value = try JSON.decode(Parameters.self, Array("{}".utf8)[...])
        }
    }
}
