import Media

/// Brings pictures of one layout into NV12 or YUV420, or copies them, with the same size. It keeps what it needs for that,
/// so that nothing is allocated for a picture. Used by one thread.
public final class Conversion {
    /// What the results' samples mean. Layouts of luma and chroma keep what they mean. R'G'B' becomes Y'CbCr of limited
    /// range: by BT.601's matrix where it used all values, else by the matrix of its primaries; or what it is wanted to
    /// become. JPEG is BT.601 in full range.
    public let color: ColorDescription
    private let source: PixelFormat
    private let target: PixelFormat
    private let width: Int
    private let height: Int
    private let way: Way
    /// Bytes of a line of each of the target's planes.
    private let lineBytes: [Int]
    private let scratch: ScratchPlanes

    /// How a layout is converted.
    private enum Way {
        case copy
        case planes
        case packed(PackedConversion)
        case reduction(RGBReduction)
        case jpeg(JPEGDecoder)
    }

    /// - Parameters:
    ///   - source: any layout.
    ///   - target: NV12 or YUV420, or the source's own layout, but for JPEG.
    ///   - width: pixels a line, even.
    ///   - height: lines, even.
    ///   - color: what the source's samples mean. The matrix of R'G'B' and of JPEG is not looked at.
    ///   - meaning: what R'G'B' is to become, by BT.601's or BT.709's matrix, in any range; nil for what is said at `color`.
    ///     Other layouts keep what they mean.
    /// - Throws: `Failure` of kind internalFault for another target, or when no JPEG decoder can be made.
    public init(
        from source: PixelFormat, to target: PixelFormat, width: Int, height: Int, color: ColorDescription,
        meaning: ColorDescription? = nil
    ) throws(Failure) {
        let isCopy = target == source && source != .mjpeg
        let isKnown = target == .nv12 || target == .yuv420 || isCopy
        guard isKnown, width > 0, height > 0, width % 2 == 0, height % 2 == 0 else {
            throw Failure(
                .internalFault, "cannot convert \(source.rawValue) to \(target.rawValue) at \(width)x\(height)",
                because: "results are NV12, YUV420 or copies, of even size")
        }
        let usual = Self.color(of: source, color, to: target)
        let result = source.isRGB && !isCopy ? meaning ?? usual : usual
        let scratch = ScratchPlanes(width: width, height: height)
        switch source {
        case _ where isCopy: way = .copy
        case .nv12, .yuv420, .nv16, .nv24: way = .planes
        case .yuyv, .uyvy: way = .packed(PackedConversion(source))
        case .rgb24, .bgr24, .xrgb32, .bgrx32, .rgbx32:
            // libyuv knows full range to limited range by BT.601 only; its other functions would squeeze chroma.
            way =
                color.isFullRange && result.matrix == 6 && !result.isFullRange
                ? .packed(PackedConversion(source))
                : .reduction(RGBReduction(source, isFullRange: color.isFullRange, to: result))
        case .mjpeg:
            way = .jpeg(try JPEGDecoder(width: width, height: height, scratch: scratch))
        }
        self.color = result
        self.source = source
        self.target = target
        lineBytes = target.planes(width: width, height: height).map(\.bytesPerLine)
        self.width = width
        self.height = height
        self.scratch = scratch
    }

    /// What a conversion's results mean, before there is one: `color` of the conversion tells the same.
    /// - Parameters:
    ///   - source: the layout that is converted.
    ///   - color: what its samples mean.
    ///   - target: the layout of the results.
    public static func color(
        of source: PixelFormat, _ color: ColorDescription, to target: PixelFormat
    ) -> ColorDescription {
        var result = color
        switch source {
        case _ where source == target: break
        case .nv12, .yuv420, .nv16, .nv24, .yuyv, .uyvy: break
        case .rgb24, .bgr24, .xrgb32, .bgrx32, .rgbx32:
            result.matrix = color.isFullRange || color.primaries != 1 ? 6 : 1
            result.isFullRange = false
        case .mjpeg:
            // Rec. ITU-T T.871 (JFIF), 7: the matrix of BT.601, all values.
            result.matrix = 6
            result.isFullRange = true
        }
        return result
    }

    /// Converts one picture.
    /// - Parameters:
    ///   - picture: in the source's layout; for JPEG, `byteCount` bytes of its first plane.
    ///   - result: a frame of the target's layout. Its time and sequence are not touched.
    /// - Returns: false when the picture is broken; the result's samples are of no use then.
    public func convert(_ picture: VideoFrame, to result: VideoFrame) -> Bool {
        switch way {
        case .copy:
            for (index, bytesPerLine) in lineBytes.enumerated() {
                PlaneWork.copy(picture.planes[index], to: result.planes[index], width: bytesPerLine)
            }
            return true
        case .planes:
            convertPlanes(picture.planes, result.planes)
            return true
        case .packed(let packed):
            return packed.convert(picture, to: result, target, width: width, height: height, scratch: scratch)
        case .reduction(let reduction):
            reduction.reduce(picture, to: result, target, width: width, height: height)
            return true
        case .jpeg(let decoder):
            return decoder.decode(picture, to: result, target)
        }
    }

    private func convertPlanes(_ picture: [VideoFrame.Plane], _ result: [VideoFrame.Plane]) {
        PlaneWork.copy(picture[0], to: result[0], width: width)
        switch (source, target) {
        case (.nv12, _):
            PlaneWork.split(picture[1], result[1], result[2], pairs: width / 2)
        case (.yuv420, _):
            PlaneWork.merge(picture[1], picture[2], result[1], pairs: width / 2)
        case (.nv24, .nv12):
            PlaneWork.halvePairs(picture[1], to: result[1], pairs: width / 2)
        case (.nv24, _):
            let half = scratch.plane(0, bytesPerLine: width, lines: height / 2)
            PlaneWork.halvePairs(picture[1], to: half, pairs: width / 2)
            PlaneWork.split(half, result[1], result[2], pairs: width / 2)
        case (_, .nv12):
            PlaneWork.halveLines(picture[1], to: result[1], width: width)
        default:
            let half = scratch.plane(0, bytesPerLine: width, lines: height / 2)
            PlaneWork.halveLines(picture[1], to: half, width: width)
            PlaneWork.split(half, result[1], result[2], pairs: width / 2)
        }
    }
}
