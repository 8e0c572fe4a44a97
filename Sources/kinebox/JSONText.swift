/// A JSON value (RFC 8259) as the commands print it.
indirect enum JSONText {
    case null
    case flag(Bool)
    case number(Int64)
    case text(String)
    case list([JSONText])
    case object([(String, JSONText)])

    /// The value on lines of its own, two spaces deeper for each level.
    func description(depth: Int = 0) -> String {
        let inner = String(repeating: "  ", count: depth + 1)
        let outer = String(repeating: "  ", count: depth)
        switch self {
        case .null: return "null"
        case .flag(let value): return value ? "true" : "false"
        case .number(let value): return "\(value)"
        case .text(let value): return Self.quoted(value)
        case .list(let values):
            if values.isEmpty { return "[]" }
            let lines = values.map { inner + $0.description(depth: depth + 1) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            let lines = members.map { inner + Self.quoted($0.0) + ": " + $0.1.description(depth: depth + 1) }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
