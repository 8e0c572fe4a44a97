/// Y'CbCr of 8 bits to R'G'B' of 8 bits, all values: weights in 1/8192, each rounded once; the sum is rounded and cut to
/// 0…255 (Rec. ITU-T H.273, 8.3). Weights and samples of 16 bits are what processors multiply fastest.
struct YCbCrConversion: Hashable {
    private let luma: Int16
    /// What is added to each sum: half a step, less luma's black.
    private let offset: Int32
    private let redCr: Int16
    private let greenCb: Int16
    private let greenCr: Int16
    private let blueCb: Int16

    /// - Parameter matrix: H.273's number: 1 BT.709, 9 BT.2020; any other is taken for BT.601.
    init(matrix: UInt8, isFullRange: Bool) {
        let (kr, kb) =
            switch matrix {
            case 1: (0.2126, 0.0722)
            case 9: (0.2627, 0.0593)
            default: (0.299, 0.114)
            }
        let kg = 1 - kr - kb
        let (lumaScale, chromaScale) = isFullRange ? (1.0, 1.0) : (255.0 / 219, 255.0 / 224)
        func fixed(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
        luma = fixed(lumaScale)
        offset = 4096 - (isFullRange ? 0 : 16 * Int32(luma))
        redCr = fixed(chromaScale * 2 * (1 - kr))
        blueCb = fixed(chromaScale * 2 * (1 - kb))
        greenCb = fixed(-chromaScale * 2 * kb * (1 - kb) / kg)
        greenCr = fixed(-chromaScale * 2 * kr * (1 - kr) / kg)
    }

    /// What chroma adds to the three colours.
    struct Tint {
        var blue: Int32
        var green: Int32
        var red: Int32
    }

    /// - Parameters:
    ///   - cb: 0…255.
    ///   - cr: 0…255.
    @inline(__always)
    func tint(_ cb: UInt32, _ cr: UInt32) -> Tint {
        let (u, v) = (Int16(truncatingIfNeeded: cb) &- 128, Int16(truncatingIfNeeded: cr) &- 128)
        return Tint(
            blue: Int32(blueCb) &* Int32(u) &+ offset,
            green: Int32(greenCb) &* Int32(u) &+ Int32(greenCr) &* Int32(v) &+ offset,
            red: Int32(redCr) &* Int32(v) &+ offset)
    }

    /// B, G, R and 255 from the lowest byte up.
    /// - Parameter y: 0…255.
    @inline(__always)
    func pixel(_ y: UInt32, _ tint: Tint) -> UInt32 {
        let level = Int32(luma) &* Int32(Int16(truncatingIfNeeded: y))
        return cut(level &+ tint.blue) | cut(level &+ tint.green) << 8 | cut(level &+ tint.red) << 16 | 0xFF00_0000
    }

    @inline(__always)
    private func cut(_ value: Int32) -> UInt32 { UInt32(truncatingIfNeeded: min(max(value >> 13, 0), 255)) }
}
