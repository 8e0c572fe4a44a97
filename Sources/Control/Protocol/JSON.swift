import FoundationEssentials

/// JSON (RFC 8259) of values and values of JSON. The one place that knows who does it.
public enum JSON {
    /// A value as text, the names in alphabetical order.
    /// - Parameter isPretty: on several lines, for people; else on one.
    /// - Returns: nil for a value that JSON has no word for, such as a number that is none.
    public static func text<Value: Encodable>(_ value: Value, isPretty: Bool = false) -> String? {
        encode(value, isPretty: isPretty).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A value as bytes; nil for a value that JSON has no word for.
    static func encode<Value: Encodable>(_ value: Value, isPretty: Bool = false) -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        do {
            return [UInt8](try encoder.encode(value))
        } catch {
            return nil
        }
    }

    /// Bytes as a value.
    /// - Throws: `JSONMismatch`, which says where the bytes do not fit.
    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: ArraySlice<UInt8>) throws(JSONMismatch) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let mismatch as JSONMismatch {
            throw mismatch
        } catch DecodingError.keyNotFound(let key, let context) {
            throw JSONMismatch(path: context.codingPath.map(\.stringValue) + [key.stringValue])
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context)
        {
            throw JSONMismatch(path: context.codingPath.map(\.stringValue))
        } catch {
            throw JSONMismatch(path: [])
        }
    }
}

/// Where bytes are not what was to be read: the names that lead there, from the outermost; empty when they are no JSON.
struct JSONMismatch: Error {
    var path: [String]
}
