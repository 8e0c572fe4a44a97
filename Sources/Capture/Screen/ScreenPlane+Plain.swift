import CKernel
import KMS
import Pixels

extension ScreenPlane {
    /// DRM_FORMAT_XRGB8888, which V4L2 calls XBGR32: both give it the same number.
    static let xrgb8888 = CKERNEL_FOURCC_XBGR32
    /// DRM_FORMAT_ARGB8888: the same with an alpha.
    static let argb8888: UInt32 = 0x3432_5241
    /// DRM_MODE_REFLECT_X and DRM_MODE_REFLECT_Y.
    private static let reflections: UInt32 = 0x30

    /// Whether the plane alone is the picture, and its framebuffer's pixels, from the first on, are those that are seen: it
    /// covers the whole screen, and is neither scaled nor seen through, nor turned once the picture is.
    func isPlain(_ mode: ScreenMode, _ turn: Turn) -> Bool {
        guard modifier == 0, alpha == 0xFFFF, pieces.count == 1, pieces[0].offset == 0 else { return false }
        // Over black, colours that have been multiplied by their alpha are what is seen.
        guard fourcc == Self.xrgb8888 || (fourcc == Self.argb8888 && blend != .coverage) else { return false }
        guard rotation & Self.reflections == 0, Turn(undoing: rotation) == turn else { return false }
        guard x == 0, y == 0, targetWidth == mode.width, targetHeight == mode.height else { return false }
        let size = turn.exchangesAxes ? (targetHeight, targetWidth) : (targetWidth, targetHeight)
        return sourceX == 0 && sourceY == 0 && (Int(sourceWidth), Int(sourceHeight)) == (size.0 << 16, size.1 << 16)
            && width >= size.0 && height >= size.1
    }
}
