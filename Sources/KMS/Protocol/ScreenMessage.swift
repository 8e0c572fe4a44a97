import Media

/// What travels between one who wants to see a screen and one who reads it: messages of a Unix socket of the kind
/// SOCK_SEQPACKET, numbers least significant byte first, described in docs/screen.md.
///
/// Each begins with 8 bytes: version (2), what it is (2), its bytes in all (4). Nothing but a whole message that is right in
/// every field is taken.
enum ScreenMessage {
    /// The version of the protocol. The first 8 bytes of a message, and a refusal, are the same in all versions.
    static let version: UInt16 = 1
    /// Bytes in front of each message.
    static let headSize = 8
    /// Bytes of the longest message, which is a view with all planes and all memory.
    static let mostBytes = 104 + 128 * ScreenView.mostPlanes + 8 * ScreenView.mostBuffers
    /// Bytes of a connector's name; the kernel's have 15 at most.
    static let nameSize = 32

    enum Kind: UInt16 {
        /// From the viewer, once and first: which screen. 32 bytes: the connector's name, zeros behind it; none for the one
        /// that is lit.
        case opening = 1
        /// From the viewer: a picture is wanted. Its number (4), 4 zeros, the vertical blank (8), the signature that is
        /// known (8).
        case order = 2
        /// To the viewer, once: the screen is read from now on. Nothing behind the head.
        case opened = 3
        /// To the viewer: a picture, or that there is none. Comes with a descriptor for each piece of memory.
        case view = 4
        /// To the viewer, as the last message: why there is nothing more.
        case refusal = 5
    }

    static let openingSize = headSize + nameSize
    static let orderSize = headSize + 24

    /// What is in a message's head.
    struct Head {
        var version: UInt16
        /// Nil for what this version does not know.
        var kind: Kind?
    }

    /// Reads a head; nil where the message is not whole.
    static func head(of message: UnsafeRawBufferPointer) -> Head? {
        var reader = LittleEndianReader(message)
        guard let version = reader.take(UInt16.self), let kind = reader.take(UInt16.self),
            let size = reader.take(UInt32.self), Int(size) == message.count
        else { return nil }
        return Head(version: version, kind: Kind(rawValue: kind))
    }

    /// A reader of what is behind the head.
    static func body(of message: UnsafeRawBufferPointer) -> LittleEndianReader {
        LittleEndianReader(UnsafeRawBufferPointer(rebasing: message[min(headSize, message.count)...]))
    }

    /// Writes a whole message.
    /// - Parameters:
    ///   - buffer: room for `mostBytes`.
    ///   - body: puts what is behind the head.
    /// - Returns: the message, in the buffer.
    static func write(
        _ kind: Kind, into buffer: UnsafeMutableRawBufferPointer, _ body: (inout LittleEndianWriter) -> Void
    ) -> UnsafeRawBufferPointer {
        var writer = LittleEndianWriter(buffer)
        writer.put(version)
        writer.put(kind.rawValue)
        writer.put(UInt32(0))
        body(&writer)
        writer.replace(at: 4, with: UInt32(writer.count))
        return UnsafeRawBufferPointer(rebasing: buffer[..<writer.count])
    }

    static func writeOpening(of connector: String, into buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer
    {
        write(.opening, into: buffer) { $0.put(connector, in: nameSize) }
    }

    static func readOpening(_ message: UnsafeRawBufferPointer) -> String? {
        guard message.count == openingSize else { return nil }
        var reader = body(of: message)
        return reader.takeName(nameSize)
    }

    static func writeOrder(
        _ order: ScreenOrder, number: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        write(.order, into: buffer) {
            $0.put(number)
            $0.put(UInt32(0))
            $0.put(order.sequence)
            $0.put(order.known)
        }
    }

    static func readOrder(_ message: UnsafeRawBufferPointer) -> (order: ScreenOrder, number: UInt32)? {
        var reader = body(of: message)
        guard message.count == orderSize, let number = reader.take(UInt32.self), reader.take(UInt32.self) == 0,
            let sequence = reader.take(UInt64.self), let known = reader.take(UInt64.self)
        else { return nil }
        return (ScreenOrder(sequence: sequence, known: known), number)
    }
}
