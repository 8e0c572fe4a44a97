import CKernel
import Media

/// The record at the start of every part that says which session it belongs to. `docs/file-format.md` has each byte.
struct SessionRecord: Hashable, Sendable {
    var session: Session
    /// The number of the part within the session, from 1.
    var part: UInt32

    /// Bytes of the whole box.
    static let byteCount = 84
    /// The place of the box in the file, behind `ftyp` and `free`.
    static let offset: Int64 = 48
    /// "kinebox.session1"
    static let userType = Identifier(high: 0x6B69_6E65_626F_782E, low: 0x7365_7373_696F_6E31)

    /// The box.
    var bytes: [UInt8] {
        var writer = ByteWriter(reserving: Self.byteCount)
        writer.put32(UInt32(Self.byteCount))
        writer.put32(BoxType.uuid.code)
        writer.put(Self.userType)
        writer.put32(1 << 24 | (session.isClockSynchronised ? 1 : 0))
        writer.put(session.identifier)
        writer.put(session.boot)
        writer.put32(part)
        writer.put64(UInt64(bitPattern: session.wallClock))
        writer.put64(UInt64(bitPattern: session.monotonicClock))
        writer.put32(writer.bytes.withUnsafeBytes { ckernel_crc32c(0, $0.baseAddress, $0.count) })
        return writer.bytes
    }

    init(session: Session, part: UInt32) {
        self.session = session
        self.part = part
    }

    /// Reads the box.
    /// - Returns: nil when the bytes are no record of version 1, or not as they were written.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.byteCount else { return nil }
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[..<Self.byteCount]))
        guard reader.take32() == UInt32(Self.byteCount), reader.take32() == BoxType.uuid.code,
            reader.takeIdentifier() == Self.userType, let version = reader.take32(), version >> 24 == 1,
            let identifier = reader.takeIdentifier(), let boot = reader.takeIdentifier(), let part = reader.take32(),
            let wallClock = reader.take64(), let monotonicClock = reader.take64(), let checksum = reader.take32(),
            checksum == ckernel_crc32c(0, bytes.baseAddress, Self.byteCount - 4)
        else { return nil }
        self.part = part
        session = Session(
            identifier: identifier, boot: boot, wallClock: Int64(bitPattern: wallClock),
            isClockSynchronised: version & 1 != 0, monotonicClock: Int64(bitPattern: monotonicClock))
    }
}
