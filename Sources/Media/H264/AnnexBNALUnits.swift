import Glibc

/// The NAL units of a byte stream with start codes (Rec. ITU-T H.264, annex B). Bytes before the first start code, empty
/// units and zeros behind a unit are passed over.
public struct AnnexBNALUnits: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var start: Int

    /// - Parameter bytes: must stay in place for as long as the sequence and its units are used.
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        start = Self.startCode(in: bytes, from: 0).map { $0 + 3 } ?? bytes.count
    }

    /// The next unit; nil at the end.
    public mutating func next() -> NALUnit? {
        while start < bytes.count {
            let code = Self.startCode(in: bytes, from: start)
            var end = code ?? bytes.count
            while end > start && bytes[end - 1] == 0 { end -= 1 }
            defer { start = code.map { $0 + 3 } ?? bytes.count }
            if let unit = NALUnit(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) { return unit }
        }
        return nil
    }

    /// The place of the next 00 00 01. The C library's search for the one is the fastest way through picture data.
    private static func startCode(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var position = offset + 2
        while position < bytes.count {
            guard let found = memchr(base + position, 1, bytes.count - position) else { return nil }
            let one = UnsafeRawPointer(found) - base
            if bytes[one - 1] == 0 && bytes[one - 2] == 0 { return one - 2 }
            position = one + 1
        }
        return nil
    }
}
