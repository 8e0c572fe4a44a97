/// Puts numbers, least significant byte first, into memory that is large enough for all of them.
struct LittleEndianWriter {
    private let bytes: UnsafeMutableRawBufferPointer
    /// Bytes written so far.
    private(set) var count = 0

    init(_ bytes: UnsafeMutableRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        bytes.storeBytes(of: number.littleEndian, toByteOffset: count, as: Number.self)
        count += MemoryLayout<Number>.size
    }

    /// Puts a text into a field of fixed size, with zeros behind it; what does not fit is cut off.
    mutating func put(_ text: String, in size: Int) {
        for byte in text.utf8.prefix(size) { put(byte) }
        for _ in 0..<max(0, size - text.utf8.count) { put(UInt8(0)) }
    }

    /// Puts a number over two bytes or more that were written before.
    func replace<Number: FixedWidthInteger>(at offset: Int, with number: Number) {
        bytes.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }
}
