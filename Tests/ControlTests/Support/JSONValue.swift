/// Any JSON value, read by itself: what the service says is looked at as others see it.
enum JSONValue: Decodable, Equatable {
    case null
    case flag(Bool)
    case whole(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let whole = try? value.decode(Int64.self) {
            self = .whole(whole)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// A member of an object; null where there is none.
    subscript(name: String) -> JSONValue {
        if case .object(let members) = self { return members[name] ?? .null }
        return .null
    }

    /// An element of a list; null where there is none.
    subscript(index: Int) -> JSONValue {
        if case .list(let elements) = self, elements.indices.contains(index) { return elements[index] }
        return .null
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var whole: Int64? { if case .whole(let whole) = self { whole } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var count: Int? {
        switch self {
        case .list(let elements): elements.count
        case .object(let members): members.count
        default: nil
        }
    }
}
