import Media

/// The first 48 bytes of a part: the one place that is written twice. They say whether the file is read as fragments
/// (a `free` box is behind the `ftyp`) or as an ordinary file (an `mdat` that swallows all up to the `moov` at the end).
enum FileHeader {
    /// Bytes of the header; the session record follows.
    static let byteCount = 48
    /// The place of the box behind the `ftyp`.
    static let switchOffset: Int64 = 32

    /// The header of a file that is being written.
    static var fragmented: [UInt8] {
        // Brand iso6 stands for default-base-is-moof. It is not the major one, since readers exist that do not know it.
        var writer = fileType(compatible: ["isom", "iso6", "avc1", "mp41"])
        writer.put32(16)
        writer.put32(BoxType("free").code)
        writer.put64(0)
        return writer.bytes
    }

    /// The header of a finished file.
    /// - Parameter movieOffset: where the `moov` at the end begins.
    static func final(movieOffset: Int64) -> [UInt8] {
        var writer = fileType(compatible: ["isom", "iso2", "avc1", "mp41"])
        let size = UInt64(movieOffset - switchOffset)
        if let shortSize = UInt32(exactly: size) {
            writer.put32(shortSize)
            writer.put32(BoxType("mdat").code)
            writer.put64(0)
        } else {
            writer.put32(1)
            writer.put32(BoxType("mdat").code)
            writer.put64(size)
        }
        return writer.bytes
    }

    private static func fileType(compatible: [BoxType]) -> ByteWriter {
        var writer = ByteWriter(reserving: byteCount)
        writer.put(box: "ftyp") { box in
            box.put32(BoxType("isom").code)
            box.put32(512)
            for brand in compatible { box.put32(brand.code) }
        }
        return writer
    }
}
