/// Y'CbCr of 8 bits to R'G'B' of 8 bits, all values: weights in 1/65536, each rounded once; the sum is rounded and cut to
/// 0…255 (Rec. ITU-T H.273, 8.3).
struct YCbCrConversion: Hashable {
    let luma: Int32
    /// Of what is added to each sum: half a step, less luma's black.
    let offset: Int32
    let redCr: Int32
    let greenCb: Int32
    let greenCr: Int32
    let blueCb: Int32

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
        func fixed(_ value: Double) -> Int32 { Int32((value * 65536).rounded()) }
        luma = fixed(lumaScale)
        offset = 32768 - (isFullRange ? 0 : 16 * luma)
        redCr = fixed(chromaScale * 2 * (1 - kr))
        blueCb = fixed(chromaScale * 2 * (1 - kb))
        greenCb = fixed(-chromaScale * 2 * kb * (1 - kb) / kg)
        greenCr = fixed(-chromaScale * 2 * kr * (1 - kr) / kg)
    }

    /// B, G, R and 255 from the lowest byte up.
    @inline(__always)
    func pixel(_ y: UInt8, _ cb: UInt8, _ cr: UInt8) -> UInt32 {
        let level = luma &* Int32(y) &+ offset
        let (u, v) = (Int32(cb) &- 128, Int32(cr) &- 128)
        let blue = UInt32(cut(level &+ blueCb &* u))
        let green = UInt32(cut(level &+ greenCb &* u &+ greenCr &* v))
        let red = UInt32(cut(level &+ redCr &* v))
        return blue | green << 8 | red << 16 | 0xFF00_0000
    }

    @inline(__always)
    private func cut(_ value: Int32) -> Int32 { min(max(value >> 16, 0), 255) }
}
