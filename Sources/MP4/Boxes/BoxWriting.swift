import Media

/// Boxes that are written one inside the other (ISO/IEC 14496-12, 4.2).
extension ByteWriter {
    /// Puts a box.
    /// - Parameters:
    ///   - type: its name.
    ///   - following: bytes of the box that somebody else will write behind those of `body`.
    ///   - body: puts what is in it.
    mutating func put(box type: BoxType, following: Int = 0, _ body: (inout ByteWriter) -> Void) {
        let start = count
        put32(0)
        put32(type.code)
        body(&self)
        replace32(at: start, with: UInt32(clamping: count - start + following))
    }

    /// Puts a box with a version and flags in front of its content.
    mutating func put(
        fullBox type: BoxType, version: UInt8 = 0, flags: UInt32 = 0, _ body: (inout ByteWriter) -> Void
    ) {
        put(box: type) { box in
            box.put32(UInt32(version) << 24 | flags & 0xFF_FFFF)
            body(&box)
        }
    }
}
