import Media

/// Brings the samples of a YUV420 picture to another meaning of theirs: BT.601 in full range, as JFIF has it
/// (Rec. ITU-T T.871, 7). The colours stay what they are; those that lie outside of what R'G'B' can say are cut.
struct MatrixChange {
    /// Weights in 1/65536: of luma in luma, of both colour differences in luma and in one another.
    private let luma: (y: Int32, cb: Int32, cr: Int32, offset: Int32)
    private let cb: (cb: Int32, cr: Int32)
    private let cr: (cb: Int32, cr: Int32)

    /// - Parameter color: what the samples mean; a matrix other than BT.601's is taken for BT.709's.
    /// - Returns: nil when they mean that already.
    init?(from color: ColorDescription) {
        let isStandard = color.matrix == 5 || color.matrix == 6
        guard !isStandard || !color.isFullRange else { return nil }
        let (kr, kb) = isStandard ? (0.299, 0.114) : (0.2126, 0.0722)
        let kg = 1 - kr - kb
        let (red, green, blue) = (0.299, 0.587, 0.114)
        // What the colour differences of the one matrix add to the luma of the other.
        let fromCb = blue * 2 * (1 - kb) - green * 2 * kb * (1 - kb) / kg
        let fromCr = red * 2 * (1 - kr) - green * 2 * kr * (1 - kr) / kg
        let (lumaRange, chromaRange, black) = color.isFullRange ? (255.0, 255.0, 0.0) : (219.0, 224.0, 16.0)
        func fixed(_ value: Double) -> Int32 { Int32((value * 65536).rounded()) }
        luma = (
            fixed(255 / lumaRange), fixed(255 * fromCb / chromaRange), fixed(255 * fromCr / chromaRange),
            fixed(-255 * black / lumaRange + 0.5)
        )
        let chroma = 255 / chromaRange
        cb = (
            fixed(chroma * (2 * (1 - kb) - fromCb) / (2 * (1 - blue))), fixed(-chroma * fromCr / (2 * (1 - blue)))
        )
        cr = (
            fixed(-chroma * fromCb / (2 * (1 - red))), fixed(chroma * (2 * (1 - kr) - fromCr) / (2 * (1 - red)))
        )
    }

    /// Changes a picture in place.
    /// - Parameter frame: YUV420 of even size.
    func apply(to frame: VideoFrame, width: Int, height: Int) {
        let (yPlane, cbPlane, crPlane) = (frame.planes[0], frame.planes[1], frame.planes[2])
        for line in 0..<(height / 2) {
            let first = yPlane.bytes + 2 * line * yPlane.bytesPerLine
            let second = first + yPlane.bytesPerLine
            let cbLine = cbPlane.bytes + line * cbPlane.bytesPerLine
            let crLine = crPlane.bytes + line * crPlane.bytesPerLine
            for column in 0..<(width / 2) {
                let (u, v) = (Int32(cbLine[column]) - 128, Int32(crLine[column]) - 128)
                let tint = luma.cb &* u &+ luma.cr &* v &+ luma.offset
                first[2 * column] = moved(first[2 * column], tint)
                first[2 * column + 1] = moved(first[2 * column + 1], tint)
                second[2 * column] = moved(second[2 * column], tint)
                second[2 * column + 1] = moved(second[2 * column + 1], tint)
                cbLine[column] = UInt8(clamping: 128 &+ ((cb.cb &* u &+ cb.cr &* v &+ 32768) >> 16))
                crLine[column] = UInt8(clamping: 128 &+ ((cr.cb &* u &+ cr.cr &* v &+ 32768) >> 16))
            }
        }
    }

    @inline(__always)
    private func moved(_ value: UInt8, _ tint: Int32) -> UInt8 {
        UInt8(clamping: (luma.y &* Int32(value) &+ tint) >> 16)
    }
}
