import Media

/// R'G'B' to Y'CbCr 4:2:0 by any of the known matrices, where libyuv has no function for it: R'G'B' that itself keeps
/// to 16…235, and results that are not BT.601 in limited range. Chroma is the mean of four pixels.
struct RGBReduction: Sendable {
    /// Where the three components lie within a pixel, and the pixel's bytes.
    private let red: Int
    private let green: Int
    private let blue: Int
    private let pixelBytes: Int
    /// What is added to luma, in 1/65536: half a step, and how far black lies apart.
    private let offset: Int32
    /// Weights in 1/65536.
    private let luma: (red: Int32, green: Int32, blue: Int32)
    private let cb: (red: Int32, green: Int32, blue: Int32)
    private let cr: (red: Int32, green: Int32, blue: Int32)

    /// - Parameters:
    ///   - source: a layout of R'G'B'.
    ///   - isFullRange: whether that uses all values, or keeps to 16…235.
    ///   - color: the result's matrix, BT.709 or BT.601, and range.
    init(_ source: PixelFormat, isFullRange: Bool, to color: ColorDescription) {
        (red, green, blue, pixelBytes) =
            switch source {
            case .bgr24: (2, 1, 0, 3)
            case .xrgb32: (1, 2, 3, 4)
            case .bgrx32: (2, 1, 0, 4)
            case .rgbx32: (0, 1, 2, 4)
            default: (0, 1, 2, 3)
            }
        let (kr, kb) = color.matrix == 1 ? (0.2126, 0.0722) : (0.299, 0.114)
        let kg = 1 - kr - kb
        func weights(_ red: Double, _ green: Double, _ blue: Double, _ scale: Double) -> (Int32, Int32, Int32) {
            // Rounded so that the sum stays exact: grey must have no colour.
            let (first, third) = ((red * scale * 65536).rounded(), (blue * scale * 65536).rounded())
            let sum = ((red + green + blue) * scale * 65536).rounded()
            return (Int32(first), Int32(sum - first - third), Int32(third))
        }
        // Steps from black to white, and of chroma from the one end to the other.
        let given = isFullRange ? 255.0 : 219
        let (white, chroma) = color.isFullRange ? (255.0, 255.0) : (219.0, 224.0)
        luma = weights(kr, kg, kb, white / given)
        cb = weights(-kr, -kg, 1 - kb, chroma / given / (2 * (1 - kb)))
        cr = weights(1 - kr, -kg, -kb, chroma / given / (2 * (1 - kr)))
        let black = (color.isFullRange ? 0.0 : 16) - (isFullRange ? 0 : 16) * white / given
        offset = Int32((black * 65536).rounded()) + 32768
    }

    func reduce(_ picture: VideoFrame, to result: VideoFrame, _ target: PixelFormat, width: Int, height: Int) {
        let (from, to) = (picture.planes[0], result.planes[0])
        // One step from one Cb to the next: in NV12 a Cr lies between.
        let step = target == .nv12 ? 2 : 1
        let cbPlane = result.planes[1]
        let crBase = target == .nv12 ? cbPlane.bytes + 1 : result.planes[2].bytes
        let crStride = target == .nv12 ? cbPlane.bytesPerLine : result.planes[2].bytesPerLine
        for row in 0..<(height / 2) {
            let lines = from.bytes + 2 * row * from.bytesPerLine
            let lumaLines = to.bytes + 2 * row * to.bytesPerLine
            let (cbLine, crLine) = (cbPlane.bytes + row * cbPlane.bytesPerLine, crBase + row * crStride)
            for column in 0..<(width / 2) {
                var sum: (red: Int32, green: Int32, blue: Int32) = (0, 0, 0)
                for pixel in 0..<4 {
                    let (x, y) = (2 * column + (pixel & 1), pixel >> 1)
                    let place = lines + y * from.bytesPerLine + x * pixelBytes
                    let (r, g, b) = (Int32(place[red]), Int32(place[green]), Int32(place[blue]))
                    sum = (sum.red &+ r, sum.green &+ g, sum.blue &+ b)
                    let value = (luma.red &* r &+ luma.green &* g &+ luma.blue &* b &+ offset) >> 16
                    lumaLines[y * to.bytesPerLine + x] = UInt8(clamping: value)
                }
                cbLine[column * step] = chroma(cb, sum)
                crLine[column * step] = chroma(cr, sum)
            }
        }
    }

    @inline(__always)
    private func chroma(
        _ weights: (red: Int32, green: Int32, blue: Int32), _ sum: (red: Int32, green: Int32, blue: Int32)
    ) -> UInt8 {
        let value = weights.red &* sum.red &+ weights.green &* sum.green &+ weights.blue &* sum.blue
        return UInt8(clamping: 128 &+ ((value &+ 131_072) >> 18))
    }
}
