import CYUV
import Media

/// Layouts whose samples lie in one plane, by libyuv: 4:2:2 packed keeps its values; R'G'B' in full range becomes Y'CbCr by
/// BT.601 in limited range.
struct PackedConversion {
    private typealias Bytes = UnsafeMutablePointer<UInt8>?
    private typealias ToYUV420 =
        (UnsafePointer<UInt8>?, Int32, Bytes, Int32, Bytes, Int32, Bytes, Int32, Int32, Int32) -> Int32
    private typealias ToNV12 = (UnsafePointer<UInt8>?, Int32, Bytes, Int32, Bytes, Int32, Int32, Int32) -> Int32
    private let toYUV420: ToYUV420
    /// Nil where libyuv goes by YUV420 only.
    private let toNV12: ToNV12?

    /// - Parameter source: a layout with one plane, not JPEG. libyuv names layouts of 24 and 32 bits from the most
    ///   significant byte of a little-endian word, so from the last byte in memory.
    init(_ source: PixelFormat) {
        switch source {
        case .uyvy: (toYUV420, toNV12) = (UYVYToI420, UYVYToNV12)
        case .rgb24: (toYUV420, toNV12) = (RAWToI420, nil)
        case .bgr24: (toYUV420, toNV12) = (RGB24ToI420, nil)
        case .xrgb32: (toYUV420, toNV12) = (BGRAToI420, nil)
        case .bgrx32: (toYUV420, toNV12) = (ARGBToI420, ARGBToNV12)
        case .rgbx32: (toYUV420, toNV12) = (ABGRToI420, ABGRToNV12)
        default: (toYUV420, toNV12) = (YUY2ToI420, YUY2ToNV12)
        }
    }

    /// - Returns: false when libyuv refuses.
    func convert(
        _ picture: VideoFrame, to result: VideoFrame, _ target: PixelFormat, width: Int, height: Int,
        scratch: ScratchPlanes
    ) -> Bool {
        let (from, luma) = (picture.planes[0], result.planes[0])
        let size = (width: Int32(width), height: Int32(height))
        if target == .nv12, let toNV12 {
            let pairs = result.planes[1]
            return toNV12(
                from.bytes, from.stride, luma.bytes, luma.stride, pairs.bytes, pairs.stride, size.width, size.height)
                == 0
        }
        let isWhole = target == .yuv420
        let cb = isWhole ? result.planes[1] : scratch.plane(0, bytesPerLine: width / 2, lines: height / 2)
        let cr = isWhole ? result.planes[2] : scratch.plane(1, bytesPerLine: width / 2, lines: height / 2)
        let status = toYUV420(
            from.bytes, from.stride, luma.bytes, luma.stride, cb.bytes, cb.stride, cr.bytes, cr.stride, size.width,
            size.height)
        if status == 0 && !isWhole { PlaneWork.merge(cb, cr, result.planes[1], pairs: width / 2) }
        return status == 0
    }
}
