/// What a Varlink call says of itself beside its parameters.
struct CallHead: Decodable {
    /// With the interface's name.
    var method: String
    /// Whether the caller wants further replies.
    var more: Bool?
    /// Whether the caller wants no reply.
    var oneway: Bool?
    /// Whether the caller wants to speak something else afterwards, which this service does not.
    var upgrade: Bool?
}

/// A Varlink call as it is sent.
struct CallMessage<Parameters: Encodable>: Encodable {
    var method: String
    var parameters: Parameters
    var more: Bool?
    var oneway: Bool?
}

/// The parameters of a call that was received. Where they are missing or null they are taken for empty.
struct ReceivedParameters<Parameters: CallParameters>: Decodable {
    let value: Parameters

    init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: AnyName.self)
        let key = AnyName("parameters")
        guard message.contains(key), try !message.decodeNil(forKey: key) else {
            value = try JSON.decode(Parameters.self, Array("{}".utf8)[...])
            return
        }
        let given = try message.nestedContainer(keyedBy: AnyName.self, forKey: key)
        for name in given.allKeys {
            guard let inside = Parameters.names[name.stringValue] else { throw JSONMismatch(path: [name.stringValue]) }
            guard !inside.isEmpty, try !given.decodeNil(forKey: name) else { continue }
            let object = try given.nestedContainer(keyedBy: AnyName.self, forKey: name)
            for name in object.allKeys where !inside.contains(name.stringValue) {
                throw JSONMismatch(path: [name.stringValue])
            }
        }
        value = try message.decode(Parameters.self, forKey: key)
    }
}

/// Whatever name stands in an object.
struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) {
        stringValue = name
    }

    init?(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        return nil
    }
}
