import Media

/// What an `esds` box says of a stream (ISO/IEC 14496-1, 7.2.6.5 and 7.2.6.6). Its descriptors must nest and fill exactly.
struct ElementaryStreamDescriptor: Hashable {
    /// 0x40 for MPEG-4 sound.
    var objectType: UInt8
    /// 5 for sound.
    var streamType: UInt8
    /// The decoder's own configuration; empty where there is none.
    var decoderInformation: [UInt8]

    /// - Parameter content: the fields of the box, version and flags first.
    init(_ content: UnsafeRawBufferPointer) throws(ContentFault) {
        var reader = ByteReader(content)
        guard let full = reader.take32(), full == 0 else { throw ContentFault("has no version 0") }
        var stream = ByteReader(try Self.descriptor(&reader, tag: 3))
        guard reader.remaining == 0 else { throw ContentFault("has \(reader.remaining) bytes behind its descriptors") }
        guard stream.skip(2), let flags = stream.take8() else { throw ContentFault("ends within its first descriptor") }
        if flags & 0x80 != 0 { _ = stream.skip(2) }
        if flags & 0x40 != 0, let length = stream.take8() { _ = stream.skip(Int(length)) }
        if flags & 0x20 != 0 { _ = stream.skip(2) }
        var decoder = ByteReader(try Self.descriptor(&stream, tag: 4))
        _ = try Self.descriptor(&stream, tag: 6)
        guard let objectType = decoder.take8(), let streamByte = decoder.take8(), decoder.skip(11) else {
            throw ContentFault("ends within its decoder descriptor")
        }
        self.objectType = objectType
        streamType = streamByte >> 2
        decoderInformation = []
        while decoder.remaining > 0 {
            guard let (tag, payload) = Self.descriptor(&decoder) else {
                throw ContentFault("has descriptors that do not nest within the decoder's")
            }
            if tag == 5 { decoderInformation = Array(payload) }
        }
        while stream.remaining > 0 {
            guard Self.descriptor(&stream) != nil else {
                throw ContentFault("has descriptors that do not nest within the stream's")
            }
        }
    }

    private static func descriptor(_ reader: inout ByteReader, tag: UInt8) throws(ContentFault)
        -> UnsafeRawBufferPointer
    {
        guard let found = descriptor(&reader) else {
            throw ContentFault("has a descriptor that does not fit where number \(tag) belongs")
        }
        guard found.tag == tag else { throw ContentFault("has descriptor \(found.tag) where number \(tag) belongs") }
        return found.payload
    }

    private static func descriptor(_ reader: inout ByteReader) -> (tag: UInt8, payload: UnsafeRawBufferPointer)? {
        guard let tag = reader.take8() else { return nil }
        var length = 0
        for _ in 0..<4 {
            guard let byte = reader.take8() else { return nil }
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return reader.take(length).map { (tag, $0) } }
        }
        return nil
    }
}
