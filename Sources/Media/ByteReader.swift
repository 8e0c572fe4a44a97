/// Reads numbers, most significant byte first, from bytes that may come from anywhere: every read that would pass the end
/// gives nil and moves nothing.
public struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    /// The place of the next byte.
    public private(set) var offset = 0

    /// - Parameter bytes: must stay in place for as long as the reader is used.
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Bytes that are left.
    public var remaining: Int { bytes.count - offset }

    public mutating func take8() -> UInt8? { take(UInt8.self) }
    public mutating func take16() -> UInt16? { take(UInt16.self) }
    public mutating func take32() -> UInt32? { take(UInt32.self) }
    public mutating func take64() -> UInt64? { take(UInt64.self) }

    public mutating func take24() -> UInt32? {
        guard remaining >= 3, let high = take8(), let low = take16() else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }

    /// The next bytes, in place.
    public mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= remaining else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    /// Passes over bytes.
    /// - Returns: false, and nothing is moved, when there are fewer.
    public mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    private mutating func take<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard remaining >= MemoryLayout<Number>.size else { return nil }
        defer { offset += MemoryLayout<Number>.size }
        return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
