/// The NAL units of an MP4 sample, each behind its length, most significant byte first (ISO/IEC 14496-15, 5.3.4.2).
///
/// The bytes may come from anywhere: a length that leads beyond them ends the sequence and is told by `isDamaged`.
public struct LengthPrefixedNALUnits: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private let lengthSize: Int
    private var offset = 0
    /// True once a unit was met that is empty, has the forbidden bit, or does not lie wholly inside the bytes.
    public private(set) var isDamaged = false

    /// - Parameters:
    ///   - bytes: a sample; must stay in place for as long as the sequence and its units are used.
    ///   - lengthSize: bytes of a length, 1…4.
    public init(_ bytes: UnsafeRawBufferPointer, lengthSize: Int = 4) {
        precondition((1...4).contains(lengthSize), "a NAL unit's length takes one to four bytes")
        self.bytes = bytes
        self.lengthSize = lengthSize
    }

    /// The next unit; nil at the end and at damage.
    public mutating func next() -> NALUnit? {
        guard offset < bytes.count, !isDamaged else { return nil }
        guard bytes.count - offset >= lengthSize else { return damaged() }
        var length = 0
        for index in offset..<(offset + lengthSize) { length = length << 8 | Int(bytes[index]) }
        let start = offset + lengthSize
        guard length <= bytes.count - start,
            let unit = NALUnit(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)]))
        else { return damaged() }
        offset = start + length
        return unit
    }

    private mutating func damaged() -> NALUnit? {
        isDamaged = true
        return nil
    }
}
