/// Bytes that are put one behind the other, numbers most significant byte first as MP4 and H.264 want them.
public struct ByteWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    public init(reserving capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// The number of bytes so far.
    @inlinable public var count: Int { bytes.count }

    public mutating func put8(_ value: UInt8) { bytes.append(value) }

    public mutating func put16(_ value: UInt16) { put(value) }

    /// The lowest 24 bits.
    public mutating func put24(_ value: UInt32) {
        put8(UInt8(truncatingIfNeeded: value >> 16))
        put16(UInt16(truncatingIfNeeded: value))
    }

    public mutating func put32(_ value: UInt32) { put(value) }

    public mutating func put64(_ value: UInt64) { put(value) }

    public mutating func put(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// A text's UTF-8 bytes, without an end mark.
    public mutating func put(text: String) { bytes.append(contentsOf: text.utf8) }

    /// The same byte several times.
    public mutating func put(repeating byte: UInt8, count: Int) {
        bytes.append(contentsOf: repeatElement(byte, count: count))
    }

    /// Puts a number over four bytes that were written before.
    public mutating func replace32(at offset: Int, with value: UInt32) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
    }

    /// Forgets the bytes and keeps their memory.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    private mutating func put<Number: FixedWidthInteger>(_ value: Number) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
