import Media

/// Sixteen bytes that name something: a session, a boot of the machine, a kind of box.
public struct Identifier: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes, the first one highest.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 32 hexadecimal digits.
    public var description: String { Self.digits(high) + Self.digits(low) }

    /// The sixteen bytes.
    var bytes: [UInt8] {
        var writer = ByteWriter(reserving: 16)
        writer.put(self)
        return writer.bytes
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

extension ByteWriter {
    /// Puts the sixteen bytes.
    mutating func put(_ identifier: Identifier) {
        put64(identifier.high)
        put64(identifier.low)
    }
}

extension ByteReader {
    /// The next sixteen bytes.
    mutating func takeIdentifier() -> Identifier? {
        guard remaining >= 16, let high = take64(), let low = take64() else { return nil }
        return Identifier(high: high, low: low)
    }
}
