/// How the samples of a picture lie in memory.
public enum PixelFormat: String, Sendable, CaseIterable {
    /// 4:2:0, a luma plane and a plane of interleaved Cb Cr.
    case nv12 = "NV12"
    /// 4:2:0, three planes Y, Cb, Cr.
    case yuv420 = "YUV420"
    /// 4:2:2, a luma plane and a plane of interleaved Cb Cr.
    case nv16 = "NV16"
    /// 4:4:4, a luma plane and a plane of interleaved Cb Cr with a pair for each pixel.
    case nv24 = "NV24"
    /// 4:2:2 packed, Y Cb Y Cr.
    case yuyv = "YUYV"
    /// 4:2:2 packed, Cb Y Cr Y.
    case uyvy = "UYVY"
    /// Three bytes a pixel in memory order R, G, B.
    case rgb24 = "RGB24"
    /// Three bytes a pixel in memory order B, G, R.
    case bgr24 = "BGR24"
    /// Four bytes a pixel in memory order X, R, G, B (V4L2's RGB32 and XRGB32).
    case xrgb32 = "XRGB32"
    /// Four bytes a pixel in memory order B, G, R, X (V4L2's BGR32 and XBGR32).
    case bgrx32 = "BGRX32"
    /// Four bytes a pixel in memory order R, G, B, X (V4L2's RGBX32).
    case rgbx32 = "RGBX32"
    /// A JPEG picture a frame.
    case mjpeg = "MJPEG"

    /// Whether samples are R'G'B', so without a matrix.
    public var isRGB: Bool {
        switch self {
        case .rgb24, .bgr24, .xrgb32, .bgrx32, .rgbx32: true
        case .nv12, .yuv420, .nv16, .nv24, .yuyv, .uyvy, .mjpeg: false
        }
    }

    /// One plane's shape for a picture of `width` × `height`: bytes a line without padding, and lines.
    public func planes(width: Int, height: Int) -> [(bytesPerLine: Int, lines: Int)] {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        return switch self {
        case .nv12: [(width, height), (halfWidth * 2, halfHeight)]
        case .yuv420: [(width, height), (halfWidth, halfHeight), (halfWidth, halfHeight)]
        case .nv16: [(width, height), (halfWidth * 2, height)]
        case .nv24: [(width, height), (width * 2, height)]
        case .yuyv, .uyvy: [(halfWidth * 4, height)]
        case .rgb24, .bgr24: [(width * 3, height)]
        case .xrgb32, .bgrx32, .rgbx32: [(width * 4, height)]
        case .mjpeg: [(width * height * 2, 1)]
        }
    }

    /// Bytes of a picture without padding between lines; for JPEG, the most that is provided for one.
    public func byteCount(width: Int, height: Int) -> Int {
        planes(width: width, height: height).reduce(0) { $0 + $1.bytesPerLine * $1.lines }
    }
}
