import CKernel
import Media

/// The last box of a final `moov`: proves that the tables before it are whole, so that a finished file is known without
/// reading its media. `docs/file-format.md` has each byte.
struct TableSeal: Hashable, Sendable {
    var session: Identifier
    var part: UInt32
    /// CRC-32C of the `moov` from its first byte to this box.
    var checksum: UInt32

    /// Bytes of the whole box.
    static let byteCount = 52
    /// "kinebox.moovseal"
    static let userType = Identifier(high: 0x6B69_6E65_626F_782E, low: 0x6D6F_6F76_7365_616C)

    /// The box.
    var bytes: [UInt8] {
        var writer = ByteWriter(reserving: Self.byteCount)
        writer.put32(UInt32(Self.byteCount))
        writer.put32(BoxType.uuid.code)
        writer.put(Self.userType)
        writer.put32(1 << 24)
        writer.put(session)
        writer.put32(part)
        writer.put32(checksum)
        return writer.bytes
    }
}
