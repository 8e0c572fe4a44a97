import Media

/// Parameter sets as x264 wrote them; what they say was read by another reader (FFmpeg's `trace_headers`).
enum ParameterSetSamples {
    /// 1920x1080, 30 fps, superfast, zerolatency, BT.709 limited.
    static let highDefinition = sets("67640028acb403c0113f2e02d40404050000030001000003003c8f1832a0", "68ef3cb0")
    /// 1366x768, 50 fps, slow, with a reference decoder, overscan, PAL, chroma location.
    static let referenceDecoder = sets(
        "67640028acd98056061e6f01a4a50000030001000003006464a000f424001e84a6d38078c18cd0", "68e97b2c8b")
    /// 1920x1080 with fields, 25 fps, scaling matrix in the picture parameter set.
    static let interlaced = sets("67640028acd94078044fde0220000003002000000643e2c5b2c0", "68faa3cb3002c0")
    /// 640x480, 4:2:2, 10 bits.
    static let tenBits = sets("677a001eb6cd940a03db011000000300100000030320f162d960", "68ebe3cb22c0")
    /// 322x242, 4:4:4.
    static let fullChroma = sets("67f4000d919b282a10f1f1f808800000030080000019078a14cb", "68ebe3c44844")
    /// 640x360, 59.94 fps, Baseline.
    static let baseline = sets("6742c01fd900a02ff9701100000303e90001d4c00f183248", "68cb83cb20")
    /// 160x120, 1 fps, BT.601 full range.
    static let fullRange = sets("6764000aacb41423f2e02dc181819000000300100000030020f1226a", "68ef0fcb")
    /// 1296x972, 29.97 fps, ultrafast.
    static let ultrafast = sets("6742c020da01441efef01100000303e90000ea608f1832a0", "68ce3c80")

    static let all = [
        highDefinition, referenceDecoder, interlaced, tenBits, fullChroma, baseline, fullRange, ultrafast,
    ]

    static func bytes(_ hex: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in hex {
            let value = UInt8(digit.hexDigitValue!)
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    private static func sets(_ sequence: String, _ picture: String) -> ParameterSets {
        ParameterSets(sequence: bytes(sequence), picture: bytes(picture))
    }
}
