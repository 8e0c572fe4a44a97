import Media

/// A noisy picture that moves: windows into one larger texture, so that no frame has to be drawn.
final class TrialPicture {
    private let width: Int
    private let height: Int
    private let stride: Int
    private let texture: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - width: even, 16 or more.
    ///   - height: even, 16 or more.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        stride = (width + 64 + 63) / 64 * 64
        let lines = height + 64
        let size = stride * lines
        // Chroma windows begin in the same texture: what it shows does not matter, only that it is not flat.
        texture = .allocate(byteCount: size, alignment: 64)
        var random: UInt64 = 1
        for offset in Swift.stride(from: 0, to: size, by: 8) {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let (line, column) = (offset / stride, offset % stride)
            let slope = UInt64(40 + (line / 4 + column / 8) % 128)
            let noise = random >> 16 & 0x0707_0707_0707_0707
            texture.storeBytes(of: slope &* 0x0101_0101_0101_0101 &+ noise, toByteOffset: offset, as: UInt64.self)
        }
    }

    deinit {
        texture.deallocate()
    }

    /// The NV12 frame with this number, 0…9: three pixels further right and two further down than the one before.
    func frame(_ number: Int) -> VideoFrame {
        VideoFrame(
            index: number,
            planes: [
                VideoFrame.Plane(
                    base: texture + (2 * number * stride + 3 * number), bytesPerLine: stride, lines: height),
                VideoFrame.Plane(
                    base: texture + (number * stride + 2 * number), bytesPerLine: stride, lines: height / 2),
            ])
    }
}
