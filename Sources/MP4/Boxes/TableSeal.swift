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

extension TableSeal {
    /// Whether a `moov` ends with a seal of this session and part that agrees with its bytes.
    /// - Parameter offset: where the `moov` begins.
    /// - Returns: where it ends; nil when it is missing, belongs to another part or is damaged.
    static func endOfSealedMovie(_ window: FileWindow, at offset: Int64, of record: SessionRecord) -> Int64? {
        guard let movie = try? BoxHeader.read(window, at: offset, limit: .max), movie.type == "moov",
            movie.size > Int64(byteCount) + 8, movie.size <= Int64(UInt32.max)
        else { return nil }
        let sealOffset = movie.end - Int64(byteCount)
        guard let checksum = window.checksum(from: offset, count: sealOffset - offset),
            let seal = try? window.bytes(at: sealOffset, count: byteCount)
        else { return nil }
        let expected = TableSeal(session: record.session.identifier, part: record.part, checksum: checksum)
        return seal.elementsEqual(expected.bytes) ? movie.end : nil
    }
}
