import CYUV
import Media

extension VideoFrame.Plane {
    var bytes: UnsafeMutablePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }
    var stride: Int32 { Int32(bytesPerLine) }
}

/// What is done to whole planes of samples. Widths count samples of the plane; a pair Cb Cr is two.
enum PlaneWork {
    static func copy(_ from: VideoFrame.Plane, to: VideoFrame.Plane, width: Int) {
        CopyPlane(from.bytes, from.stride, to.bytes, to.stride, Int32(width), Int32(to.lines))
    }

    /// Takes pairs apart.
    static func split(_ pairs: VideoFrame.Plane, _ cb: VideoFrame.Plane, _ cr: VideoFrame.Plane, pairs count: Int) {
        SplitUVPlane(
            pairs.bytes, pairs.stride, cb.bytes, cb.stride, cr.bytes, cr.stride, Int32(count), Int32(cb.lines))
    }

    /// Joins samples to pairs.
    static func merge(_ cb: VideoFrame.Plane, _ cr: VideoFrame.Plane, _ pairs: VideoFrame.Plane, pairs count: Int) {
        MergeUVPlane(
            cb.bytes, cb.stride, cr.bytes, cr.stride, pairs.bytes, pairs.stride, Int32(count), Int32(pairs.lines))
    }

    /// Makes one line out of two.
    static func halveLines(_ from: VideoFrame.Plane, to: VideoFrame.Plane, width: Int) {
        _ = InterpolatePlane(
            from.bytes, 2 * from.stride, from.bytes + from.bytesPerLine, 2 * from.stride, to.bytes, to.stride,
            Int32(width), Int32(to.lines), 128)
    }

    /// Makes one sample out of four.
    static func halveBoth(_ from: VideoFrame.Plane, to: VideoFrame.Plane, width: Int) {
        ScalePlane(
            from.bytes, from.stride, Int32(2 * width), Int32(2 * to.lines), to.bytes, to.stride, Int32(width),
            Int32(to.lines), kFilterBox)
    }

    /// Makes one pair out of four: of two columns and two lines.
    static func halvePairs(_ from: VideoFrame.Plane, to: VideoFrame.Plane, pairs count: Int) {
        _ = UVScale(
            from.bytes, from.stride, Int32(2 * count), Int32(2 * to.lines), to.bytes, to.stride, Int32(count),
            Int32(to.lines), kFilterBox)
    }

    static func fill(_ plane: VideoFrame.Plane, width: Int, with value: UInt8) {
        SetPlane(plane.bytes, plane.stride, Int32(width), Int32(plane.lines), UInt32(value))
    }
}
