import Media

/// Pictures for tests: soft gradients with some noise, in frames whose lines are padded by an odd number of bytes.
struct TestPicture {
    let width: Int
    let height: Int

    /// A frame whose memory stays for as long as the test's process: tests make few.
    func frame(_ pixelFormat: PixelFormat, padding: Int = 7) -> VideoFrame {
        let shapes = pixelFormat.planes(width: width, height: height)
        let planes = shapes.map { shape in
            let stride = shape.bytesPerLine + padding
            let memory = UnsafeMutableRawPointer.allocate(byteCount: stride * shape.lines, alignment: 1)
            memory.initializeMemory(as: UInt8.self, repeating: 0xEE, count: stride * shape.lines)
            return VideoFrame.Plane(base: memory, bytesPerLine: stride, lines: shape.lines)
        }
        return VideoFrame(index: 0, planes: planes)
    }

    /// R', G', B' of a pixel in 0…255, the same for the four pixels that share their chroma when `isBlocky`.
    func rgb(_ x: Int, _ y: Int, isBlocky: Bool = false, low: Int = 0, high: Int = 255) -> (r: Int, g: Int, b: Int) {
        let (x, y) = isBlocky ? (x / 2 * 2, y / 2 * 2) : (x, y)
        func spread(_ value: Int) -> Int { low + value % (high - low + 1) }
        return (spread(x * 7 + y * 3), spread(x * 2 + y * 11 + 40), spread(x * 5 + y * 5 + 90))
    }

    static func sample(_ plane: VideoFrame.Plane, _ x: Int, _ y: Int) -> Int {
        Int(plane.base.load(fromByteOffset: y * plane.bytesPerLine + x, as: UInt8.self))
    }

    static func set(_ plane: VideoFrame.Plane, _ x: Int, _ y: Int, _ value: Int) {
        plane.base.storeBytes(of: UInt8(value), toByteOffset: y * plane.bytesPerLine + x, as: UInt8.self)
    }

    /// Cb and Cr at a place of the quarter planes.
    static func chroma(_ frame: VideoFrame, _ pixelFormat: PixelFormat, _ x: Int, _ y: Int) -> (cb: Int, cr: Int) {
        if pixelFormat == .nv12 {
            return (sample(frame.planes[1], 2 * x, y), sample(frame.planes[1], 2 * x + 1, y))
        }
        return (sample(frame.planes[1], x, y), sample(frame.planes[2], x, y))
    }
}
