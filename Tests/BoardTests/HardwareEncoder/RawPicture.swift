import Media

/// A picture of samples that nobody can guess, and what the board's encoder makes of it: the formulas are those of
/// `board/virtual/h264-encoder/README.md`.
struct RawPicture {
    let width: Int
    let height: Int
    let pixelFormat: PixelFormat
    /// The samples, plane behind plane, lines without padding.
    let bytes: [UInt8]

    /// - Parameter number: pictures of different numbers are different.
    init(_ number: Int, width: Int, height: Int, pixelFormat: PixelFormat) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        var random = UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15
        bytes = (0..<pixelFormat.byteCount(width: width, height: height)).map { _ in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: random >> 33)
        }
    }

    /// Writes the samples into a frame.
    func draw(into frame: VideoFrame) {
        var offset = 0
        for (plane, shape) in zip(frame.planes, pixelFormat.planes(width: width, height: height)) {
            for line in 0..<shape.lines {
                let row = UnsafeMutableRawBufferPointer(
                    start: plane.base + line * plane.bytesPerLine, count: shape.bytesPerLine)
                row.copyBytes(from: bytes[offset..<(offset + shape.bytesPerLine)])
                offset += shape.bytesPerLine
            }
        }
    }

    /// The picture as YUV420, plane behind plane.
    var decoded: [UInt8] {
        switch pixelFormat {
        case .yuv420: bytes
        case .nv12:
            bytes[..<(width * height)] + stride(from: width * height, to: bytes.count, by: 2).map { bytes[$0] }
                + stride(from: width * height + 1, to: bytes.count, by: 2).map { bytes[$0] }
        case .yuyv: packed(luma: 0, cb: 1, cr: 3)
        case .uyvy: packed(luma: 1, cb: 0, cr: 2)
        case .bgrx32: colors(red: 2, green: 1, blue: 0)
        case .xrgb32: colors(red: 1, green: 2, blue: 3)
        case .rgbx32: colors(red: 0, green: 1, blue: 2)
        case .nv16, .nv24, .rgb24, .bgr24, .mjpeg: []
        }
    }

    private func packed(luma: Int, cb: Int, cr: Int) -> [UInt8] {
        func chroma(_ offset: Int) -> [UInt8] {
            (0..<(width * height / 4)).map { place in
                let (line, column) = (place / (width / 2), place % (width / 2))
                let above = Int(bytes[4 * width * line + 4 * column + offset])
                return UInt8((above + Int(bytes[4 * width * line + 2 * width + 4 * column + offset]) + 1) >> 1)
            }
        }
        return (0..<(width * height)).map { bytes[2 * $0 + luma] } + chroma(cb) + chroma(cr)
    }

    private func colors(red: Int, green: Int, blue: Int) -> [UInt8] {
        func luma(_ place: Int) -> UInt8 {
            let (r, g, b) = (
                Int(bytes[4 * place + red]), Int(bytes[4 * place + green]), Int(bytes[4 * place + blue])
            )
            return UInt8(((47 * r + 157 * g + 16 * b + 128) >> 8) + 16)
        }
        func sum(_ place: Int, _ offset: Int) -> Int {
            let start = place / (width / 2) * 2 * width + place % (width / 2) * 2
            return [start, start + 1, start + width, start + width + 1].reduce(0) { $0 + Int(bytes[4 * $1 + offset]) }
        }
        func chroma(_ factors: (Int, Int, Int)) -> [UInt8] {
            (0..<(width * height / 4)).map { place in
                let value = factors.0 * sum(place, red) + factors.1 * sum(place, green) + factors.2 * sum(place, blue)
                return UInt8(((value + 512) >> 10) + 128)
            }
        }
        return (0..<(width * height)).map(luma) + chroma((-26, -86, 112)) + chroma((112, -102, -10))
    }
}
