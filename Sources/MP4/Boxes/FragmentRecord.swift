import CKernel
import Media

/// The record in front of every fragment, by which recovery steps from fragment to fragment. `docs/file-format.md` has
/// each byte.
struct FragmentRecord: Hashable, Sendable {
    /// The session and part that the fragment belongs to: what tells it from old bytes of a file that was deleted.
    var session: Identifier
    var part: UInt32
    /// The fragment's number in the part, from 1.
    var sequence: UInt32
    /// Bytes of the `moof` and the header of the `mdat` behind it.
    var headerLength: UInt32
    /// Bytes of the samples.
    var mediaLength: UInt32
    /// All bytes before this place were known to be on the medium when the record was written.
    var durableEnd: Int64
    /// CRC-32C of the `moov` in front of the first fragment.
    var movieChecksum: UInt32
    /// CRC-32C of the samples' bytes.
    var mediaChecksum: UInt32

    /// Bytes of the whole box.
    static let byteCount = 80
    /// "kinebox.fragment"
    static let userType = Identifier(high: 0x6B69_6E65_626F_782E, low: 0x6672_6167_6D65_6E74)
    /// The most bytes that `headerLength` may say.
    static let largestHeader: UInt32 = 1 << 20

    /// Bytes from the record's start to the next fragment's.
    var fragmentByteCount: Int64 { Int64(Self.byteCount) + Int64(headerLength) + Int64(mediaLength) }

    /// Puts the record without its last field; the checksum over it and over what follows it is put by `seal`.
    func put(into writer: inout ByteWriter) {
        writer.put32(UInt32(Self.byteCount))
        writer.put32(BoxType.uuid.code)
        writer.put(Self.userType)
        writer.put32(1 << 24)
        writer.put(session)
        writer.put32(part)
        writer.put32(sequence)
        writer.put32(headerLength)
        writer.put32(mediaLength)
        writer.put64(UInt64(bitPattern: durableEnd))
        writer.put32(movieChecksum)
        writer.put32(mediaChecksum)
        writer.put32(0)
    }

    /// The checksum of a record and the headers that follow it.
    static func checksum(_ record: UnsafeRawBufferPointer, _ headers: UnsafeRawBufferPointer) -> UInt32 {
        let first = ckernel_crc32c(0, record.baseAddress, byteCount - 4)
        return ckernel_crc32c(first, headers.baseAddress, headers.count)
    }

    /// Reads the record's fields; the checksum must be compared by the caller, who has the headers.
    /// - Returns: the record and its checksum, or nil when the bytes are no record of version 1 or name lengths that
    ///   none has.
    static func read(_ bytes: UnsafeRawBufferPointer) -> (record: FragmentRecord, checksum: UInt32)? {
        var reader = ByteReader(bytes)
        guard reader.take32() == UInt32(byteCount), reader.take32() == BoxType.uuid.code,
            reader.takeIdentifier() == userType, let version = reader.take32(), version >> 24 == 1,
            let session = reader.takeIdentifier(), let part = reader.take32(), let sequence = reader.take32(),
            let headerLength = reader.take32(), let mediaLength = reader.take32(), let durableEnd = reader.take64(),
            let movieChecksum = reader.take32(), let mediaChecksum = reader.take32(), let checksum = reader.take32(),
            (16...largestHeader).contains(headerLength), mediaLength <= UInt32(Int32.max),
            durableEnd <= UInt64(Int64.max)
        else { return nil }
        let record = FragmentRecord(
            session: session, part: part, sequence: sequence, headerLength: headerLength, mediaLength: mediaLength,
            durableEnd: Int64(durableEnd), movieChecksum: movieChecksum, mediaChecksum: mediaChecksum)
        return (record, checksum)
    }
}
