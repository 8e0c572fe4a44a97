import CKernel
import Linux

/// Bytes on their way to a part's file through a buffer of fixed size, with their checksum. What could not be written is
/// lost with the stream: whoever uses it cuts the file where the stream began.
final class PieceStream {
    private let output: any PartOutput
    private let buffer: UnsafeMutableRawBufferPointer
    private var used = 0
    private var offset: Int64
    private var writtenChecksum: UInt32 = 0

    /// The most bytes that are written at once.
    static let pieceByteCount = 256 << 10

    /// - Parameter offset: where the first byte goes.
    init(_ output: any PartOutput, at offset: Int64) {
        self.output = output
        self.offset = offset
        buffer = .allocate(byteCount: Self.pieceByteCount, alignment: 64)
    }

    deinit {
        buffer.deallocate()
    }

    /// The CRC-32C of all bytes so far.
    var checksum: UInt32 { ckernel_crc32c(writtenChecksum, buffer.baseAddress, used) }

    /// Puts a number, most significant byte first.
    /// - Throws: `Errno` of a write that became necessary.
    func put32(_ value: UInt32) throws(Errno) {
        if used + 4 > buffer.count { try flush() }
        buffer.storeBytes(of: value.bigEndian, toByteOffset: used, as: UInt32.self)
        used += 4
    }

    /// Puts bytes, at most as many as the buffer holds.
    func put(_ bytes: [UInt8]) throws(Errno) {
        if used + bytes.count > buffer.count { try flush() }
        UnsafeMutableRawBufferPointer(rebasing: buffer[used...]).copyBytes(from: bytes)
        used += bytes.count
    }

    /// Puts the header of a table: size, name, version 0 and no flags.
    func putTableHeader(_ type: BoxType, byteCount: Int) throws(Errno) {
        try put32(UInt32(clamping: byteCount))
        try put32(type.code)
        try put32(0)
    }

    /// Writes what waits.
    /// - Returns: where the next byte would go.
    @discardableResult
    func flush() throws(Errno) -> Int64 {
        guard used > 0 else { return offset }
        writtenChecksum = checksum
        let piece = OutputPiece(bytes: UnsafeRawBufferPointer(rebasing: buffer[..<used]), isMedia: false)
        try output.write([piece], at: offset)
        offset += Int64(used)
        used = 0
        return offset
    }
}
