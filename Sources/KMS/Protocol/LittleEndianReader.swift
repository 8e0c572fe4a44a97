/// Takes numbers, least significant byte first, from bytes that may come from anywhere: one that passes the end is nil.
struct LittleEndianReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// - Parameter bytes: must stay in place for as long as the reader is used.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Bytes that are left.
    var remaining: Int { bytes.count - offset }

    mutating func take<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard remaining >= MemoryLayout<Number>.size else { return nil }
        defer { offset += MemoryLayout<Number>.size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// Takes a text from a field of fixed size. It is nil unless it is printable ASCII with zeros behind it.
    mutating func takeName(_ size: Int) -> String? {
        guard let field = takeBytes(size) else { return nil }
        let length = field.firstIndex(of: 0) ?? size
        let (text, rest) = (field.prefix(length), field.dropFirst(length))
        guard text.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), rest.allSatisfy({ $0 == 0 }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Takes a text of a number of bytes. It is nil where it has control characters, and repaired where it is no UTF-8.
    mutating func takeText(_ size: Int) -> String? {
        guard let field = takeBytes(size), field.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(decoding: field, as: UTF8.self)
    }

    private mutating func takeBytes(_ size: Int) -> UnsafeRawBufferPointer? {
        guard size >= 0, remaining >= size else { return nil }
        defer { offset += size }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size])
    }
}
