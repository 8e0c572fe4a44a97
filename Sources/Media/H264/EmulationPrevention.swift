/// The bytes 03 that keep start codes from showing up inside a NAL unit (Rec. ITU-T H.264, 7.4.1).
public enum EmulationPrevention {
    /// A NAL unit's bytes without the bytes that prevent emulation.
    public static func removed(from bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var zeros = 0
        for byte in bytes {
            if zeros >= 2 && byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }

    /// The bytes of a NAL unit with what prevents emulation put in.
    public static func inserted(into bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 8)
        var zeros = 0
        for byte in bytes {
            if zeros == 2 && byte <= 3 {
                result.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        // A unit must not end in a zero byte, which a reader would take for padding.
        if result.last == 0 { result.append(3) }
        return result
    }
}
