import CYUV
import Media

/// A few lines of a picture on their way to 4:2:0: so few that they stay in the processor's cache, and that a whole picture
/// of R'G'B' is neither written nor read again.
final class LineBand {
    /// Lines that a band has at most; even, since two share chroma.
    static let lines = 16

    let base: UnsafeMutableRawPointer
    let bytesPerLine: Int
    private let width: Int
    /// Cb and Cr on their way to pairs. libyuv's own way to NV12 allocates a line each time.
    private let chroma: UnsafeMutablePointer<UInt8>

    /// - Parameter width: pixels a line, even.
    init(width: Int) {
        self.width = width
        bytesPerLine = (4 * width + 63) & ~63
        base = .allocate(byteCount: bytesPerLine * Self.lines, alignment: 64)
        chroma = .allocate(capacity: width * Self.lines / 2)
    }

    deinit {
        base.deallocate()
        chroma.deallocate()
    }

    /// Puts lines into a frame: by BT.601 in limited range, as `PackedConversion` does.
    /// - Parameters:
    ///   - pixelFormat: NV12 or YUV420.
    ///   - lines: of the picture; an even number of them, from an even one on.
    func reduce(to frame: VideoFrame, _ pixelFormat: PixelFormat, _ lines: Range<Int>) {
        let from = base.assumingMemoryBound(to: UInt8.self)
        let size = (width: Int32(width), height: Int32(lines.count))
        func start(_ index: Int, _ line: Int) -> UnsafeMutablePointer<UInt8> {
            frame.planes[index].bytes + line * frame.planes[index].bytesPerLine
        }
        let isPlanar = pixelFormat == .yuv420
        let half = Int32(width / 2)
        let cb = isPlanar ? start(1, lines.lowerBound / 2) : chroma
        let cr = isPlanar ? start(2, lines.lowerBound / 2) : chroma + width * Self.lines / 4
        let strides = isPlanar ? (frame.planes[1].stride, frame.planes[2].stride) : (half, half)
        _ = ARGBToI420(
            from, Int32(bytesPerLine), start(0, lines.lowerBound), frame.planes[0].stride, cb, strides.0, cr, strides.1,
            size.width, size.height)
        guard !isPlanar else { return }
        MergeUVPlane(
            cb, half, cr, half, start(1, lines.lowerBound / 2), frame.planes[1].stride, half, size.height / 2)
    }
}
