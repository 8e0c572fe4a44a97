/// Puts the bit fields of a NAL unit together (Rec. ITU-T H.264, 7.2 and 9.1); emulation prevention comes afterwards.
struct BitWriter {
    /// The bits so far, the last byte filled up with zeros.
    private(set) var bytes: [UInt8] = []
    private var used = 0

    /// u(1).
    mutating func flag(_ value: Bool) { bits(value ? 1 : 0, 1) }

    /// u(n), n at most 32.
    mutating func bits(_ value: UInt32, _ count: Int) {
        for index in (0..<count).reversed() {
            if used & 7 == 0 { bytes.append(0) }
            bytes[used >> 3] |= UInt8(value >> UInt32(index) & 1) << UInt8(7 - used & 7)
            used += 1
        }
    }

    /// ue(v), at most 2³² − 2.
    mutating func unsigned(_ value: UInt32) {
        let code = UInt64(value) + 1
        let length = 63 - code.leadingZeroBitCount
        bits(0, length)
        bits(1, 1)
        bits(UInt32(truncatingIfNeeded: code - (1 << UInt64(length))), length)
    }

    /// rbsp_trailing_bits( ).
    mutating func trailingBits() {
        bits(1, 1)
        while used & 7 != 0 { bits(0, 1) }
    }
}
