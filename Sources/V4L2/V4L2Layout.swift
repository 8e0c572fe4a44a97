import CKernel
import Media

/// How a four-character code of V4L2 lays samples out.
public struct V4L2Layout: Hashable, Sendable {
    /// V4L2_PIX_FMT_….
    public let fourcc: UInt32
    /// The same layout in our words.
    public let pixelFormat: PixelFormat
    /// Whether each plane is a piece of memory of its own (the "M" codes).
    public let hasSeparatePlanes: Bool
    /// Whether Cr lies before Cb.
    public let isSwapped: Bool

    private init(_ fourcc: UInt32, _ pixelFormat: PixelFormat, separate: Bool = false, swapped: Bool = false) {
        self.fourcc = fourcc
        self.pixelFormat = pixelFormat
        hasSeparatePlanes = separate
        isSwapped = swapped
    }

    /// All codes that are understood. Of two with the same layout the one comes first that drivers should prefer.
    public static let all: [V4L2Layout] = [
        V4L2Layout(CKERNEL_FOURCC_NV12, .nv12),
        V4L2Layout(CKERNEL_FOURCC_NV12M, .nv12, separate: true),
        V4L2Layout(CKERNEL_FOURCC_YUV420, .yuv420),
        V4L2Layout(CKERNEL_FOURCC_YUV420M, .yuv420, separate: true),
        V4L2Layout(CKERNEL_FOURCC_YVU420, .yuv420, swapped: true),
        V4L2Layout(CKERNEL_FOURCC_YVU420M, .yuv420, separate: true, swapped: true),
        V4L2Layout(CKERNEL_FOURCC_YUYV, .yuyv),
        V4L2Layout(CKERNEL_FOURCC_UYVY, .uyvy),
        V4L2Layout(CKERNEL_FOURCC_NV16, .nv16),
        V4L2Layout(CKERNEL_FOURCC_NV16M, .nv16, separate: true),
        V4L2Layout(CKERNEL_FOURCC_NV24, .nv24),
        V4L2Layout(CKERNEL_FOURCC_RGB24, .rgb24),
        V4L2Layout(CKERNEL_FOURCC_BGR24, .bgr24),
        V4L2Layout(CKERNEL_FOURCC_XBGR32, .bgrx32),
        V4L2Layout(CKERNEL_FOURCC_BGR32, .bgrx32),
        V4L2Layout(CKERNEL_FOURCC_XRGB32, .xrgb32),
        V4L2Layout(CKERNEL_FOURCC_RGB32, .xrgb32),
        V4L2Layout(CKERNEL_FOURCC_RGBX32, .rgbx32),
        V4L2Layout(CKERNEL_FOURCC_MJPEG, .mjpeg),
        V4L2Layout(CKERNEL_FOURCC_JPEG, .mjpeg),
    ]

    /// The layout of a code; nil for one that is not understood.
    public static func of(_ fourcc: UInt32) -> V4L2Layout? {
        all.first { $0.fourcc == fourcc }
    }

    /// "YUYV": its code's characters.
    public var name: String { Self.name(fourcc) }

    /// "YUYV": a code's characters.
    public static func name(_ fourcc: UInt32) -> String {
        let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: fourcc >> $0 & 0x7F) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
