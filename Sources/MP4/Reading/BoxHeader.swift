import Linux
import Media

/// Where a box lies in a file and what it is called (ISO/IEC 14496-12, 4.2). A header that was read keeps to its limits:
/// `offset`, `payload` and `end` never pass the end of what encloses the box, and never overflow.
struct BoxHeader: Hashable, Sendable {
    /// The box's name.
    let type: BoxType
    /// The place of the box's first byte in the file.
    let offset: Int64
    /// Bytes of the whole box, its header among them: at least `headerSize`.
    let size: Int64
    /// Bytes of the header: 8, 16 with a 64-bit size, 16 more for a `uuid` box.
    let headerSize: Int
    /// The 16 bytes that name a `uuid` box, nil for others.
    let userType: Identifier?

    /// The place of the first byte behind the header.
    var payload: Int64 { offset + Int64(headerSize) }
    /// Bytes behind the header.
    var payloadSize: Int64 { size - Int64(headerSize) }
    /// The place of the first byte behind the box.
    var end: Int64 { offset + size }

    /// "'trak' at 1234"
    var name: String { "'\(type)' at \(offset)" }
}

/// Why the bytes at a place in a file are no box.
enum BoxFault: Error, Hashable, Sendable {
    /// Fewer bytes are left than a header has.
    case cutHeader(offset: Int64, left: Int64)
    /// The size that the box gives is smaller than its own header.
    case tooSmall(BoxType, offset: Int64, size: UInt64)
    /// The box reaches beyond the end of what encloses it.
    case tooLarge(BoxType, offset: Int64, size: UInt64, limit: Int64)
    /// The file ends, or cannot be read, before the limit.
    case unreadable(offset: Int64, Errno?)
}

extension BoxHeader {
    /// Reads the header of the box at a place.
    /// - Parameters:
    ///   - window: the file.
    ///   - offset: where the box begins, 0 or greater.
    ///   - limit: where that which encloses the box ends; at most the file's size.
    ///   - openEnded: true at the top of a file, where a size of 0 means "to the end".
    /// - Throws: `BoxFault`, also for a size that would overflow.
    static func read(
        _ window: FileWindow, at offset: Int64, limit: Int64, openEnded: Bool = false
    ) throws(BoxFault) -> BoxHeader {
        let left = limit - offset
        guard offset >= 0, left >= 8 else { throw .cutHeader(offset: offset, left: max(left, 0)) }
        // A size of 32 bits, of 64 bits and a user type together take 32 bytes at most.
        var reader = ByteReader(try window.boxBytes(at: offset, count: Int(min(left, 32))))
        guard let shortSize = reader.take32(), let code = reader.take32() else {
            throw .unreadable(offset: offset, nil)
        }
        let type = BoxType(code)
        var size = UInt64(shortSize)
        if shortSize == 1 {
            guard let longSize = reader.take64() else { throw .cutHeader(offset: offset, left: left) }
            size = longSize
        } else if shortSize == 0 && openEnded {
            size = UInt64(left)
        }
        var userType: Identifier?
        if type == .uuid {
            guard let high = reader.take64(), let low = reader.take64() else {
                throw .cutHeader(offset: offset, left: left)
            }
            userType = Identifier(high: high, low: low)
        }
        guard size >= UInt64(reader.offset) else { throw .tooSmall(type, offset: offset, size: size) }
        guard size <= UInt64(left) else { throw .tooLarge(type, offset: offset, size: size, limit: limit) }
        return BoxHeader(
            type: type, offset: offset, size: Int64(size), headerSize: reader.offset, userType: userType)
    }
}
