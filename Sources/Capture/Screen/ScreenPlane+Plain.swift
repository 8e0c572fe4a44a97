import CKernel
import KMS
import Media
import Pixels

extension ScreenPlane {
    /// DRM_FORMAT_XRGB8888, which V4L2 calls XBGR32: both give it the same number.
    static let xrgb8888 = CKERNEL_FOURCC_XBGR32
    /// DRM_FORMAT_ARGB8888: the same with an alpha.
    static let argb8888: UInt32 = 0x3432_5241
    /// DRM_FORMAT_NV12, which V4L2 gives the same number.
    static let nv12 = CKERNEL_FOURCC_NV12
    /// DRM_MODE_REFLECT_X and DRM_MODE_REFLECT_Y.
    private static let reflections: UInt32 = 0x30

    /// The layout in which the plane's framebuffer is the picture as it lies, in V4L2's word (XBGR32 or NV12): the plane
    /// covers the whole screen and is neither scaled nor seen through, nor turned once the picture is, and its framebuffer's
    /// pixels, from the first on, are those that are seen. Nil where the picture has to be put together.
    func plainCode(_ mode: ScreenMode, _ turn: Turn) -> UInt32? {
        guard modifier == 0, alpha == 0xFFFF, !pieces.isEmpty, pieces[0].offset == 0 else { return nil }
        guard rotation & Self.reflections == 0, Turn(undoing: rotation) == turn else { return nil }
        guard x == 0, y == 0, targetWidth == mode.width, targetHeight == mode.height else { return nil }
        let size = turn.exchangesAxes ? (targetHeight, targetWidth) : (targetWidth, targetHeight)
        guard sourceX == 0, sourceY == 0, (Int(sourceWidth), Int(sourceHeight)) == (size.0 << 16, size.1 << 16),
            width >= size.0, height >= size.1
        else { return nil }
        switch fourcc {
        case Self.xrgb8888 where pieces.count == 1: return CKERNEL_FOURCC_XBGR32
        // Over black, colours that have been multiplied by their alpha are what is seen.
        case Self.argb8888 where pieces.count == 1 && blend != .coverage: return CKERNEL_FOURCC_XBGR32
        case Self.nv12 where isOnePiece(width: size.0, height: size.1): return CKERNEL_FOURCC_NV12
        default: return nil
        }
    }

    /// Whether the display shows the plane in another size than it has in its framebuffer.
    var isScaled: Bool {
        let isTurned = Turn(undoing: rotation).exchangesAxes
        let (width, height) = isTurned ? (targetHeight, targetWidth) : (targetWidth, targetHeight)
        return (Int(sourceWidth), Int(sourceHeight)) != (width << 16, height << 16)
    }

    /// What the samples of a plain NV12 plane mean: Y'CbCr of what is shown, which is sRGB.
    var plainColor: ColorDescription {
        ColorDescription(primaries: 1, transfer: 13, matrix: matrix, isFullRange: isFullRange)
    }

    /// Whether NV12 lies as V4L2 has it in one piece of memory: chroma right behind the lines of luma that are seen. What is
    /// put together beside it must mean the same, which is known of two matrices.
    private func isOnePiece(width: Int, height: Int) -> Bool {
        pieces.count == 2 && pieces[0].buffer == pieces[1].buffer && pieces[0].bytesPerLine >= width
            && pieces[1].bytesPerLine == pieces[0].bytesPerLine && pieces[1].offset == height * pieces[0].bytesPerLine
            && width % 2 == 0 && height % 2 == 0 && (matrix == 1 || matrix == 6)
    }
}
