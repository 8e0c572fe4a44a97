import CKernel
import Linux
import Media

/// The shape of a queue's buffers (VIDIOC_G_FMT and VIDIOC_S_FMT), in one form for both interfaces.
public struct V4L2Format: Hashable, Sendable {
    /// A piece of memory of a picture.
    public struct Plane: Hashable, Sendable {
        /// Bytes from one line of luma to the next; 0 for compressed pictures.
        public var bytesPerLine: Int
        /// Bytes of the piece.
        public var byteCount: Int

        public init(bytesPerLine: Int = 0, byteCount: Int = 0) {
            self.bytesPerLine = bytesPerLine
            self.byteCount = byteCount
        }
    }

    public var width: Int
    public var height: Int
    /// V4L2_PIX_FMT_….
    public var fourcc: UInt32
    /// Pieces of memory: one, or several with the "M" codes. The driver decides what is left at 0.
    public var planes: [Plane]
    /// V4L2_FIELD_…: which lines a buffer holds.
    public var field: UInt32
    /// What the samples mean, in V4L2's words.
    public var color: V4L2Color

    /// A progressive picture whose memory and colour the driver decides.
    public init(width: Int, height: Int, fourcc: UInt32, planes: Int = 1) {
        self.width = width
        self.height = height
        self.fourcc = fourcc
        self.planes = Array(repeating: Plane(), count: planes)
        field = UInt32(V4L2_FIELD_NONE.rawValue)
        color = V4L2Color()
    }

    /// Whether a buffer holds a whole picture of consecutive lines.
    public var isProgressive: Bool {
        field == UInt32(V4L2_FIELD_NONE.rawValue) || field == UInt32(V4L2_FIELD_ANY.rawValue)
    }

    init(_ raw: v4l2_format, _ type: V4L2BufferType) {
        if type.isMultiplanar {
            var mp = raw.fmt.pix_mp
            (width, height, fourcc, field) = (Int(mp.width), Int(mp.height), mp.pixelformat, mp.field)
            let count = min(max(Int(mp.num_planes), 1), Int(VIDEO_MAX_PLANES))
            planes = withUnsafeBytes(of: &mp.plane_fmt) { bytes in
                bytes.bindMemory(to: v4l2_plane_pix_format.self).prefix(count).map {
                    Plane(bytesPerLine: Int($0.bytesperline), byteCount: Int($0.sizeimage))
                }
            }
            color = V4L2Color(
                space: mp.colorspace, transfer: UInt32(mp.xfer_func), encoding: UInt32(mp.ycbcr_enc),
                quantization: UInt32(mp.quantization))
        } else {
            let pix = raw.fmt.pix
            (width, height, fourcc, field) = (Int(pix.width), Int(pix.height), pix.pixelformat, pix.field)
            planes = [Plane(bytesPerLine: Int(pix.bytesperline), byteCount: Int(pix.sizeimage))]
            color = V4L2Color(
                space: pix.colorspace, transfer: pix.xfer_func, encoding: pix.ycbcr_enc, quantization: pix.quantization)
        }
    }

    func raw(_ type: V4L2BufferType) -> v4l2_format {
        var raw = v4l2_format()
        raw.type = type.rawValue
        if type.isMultiplanar {
            var mp = v4l2_pix_format_mplane()
            (mp.width, mp.height, mp.pixelformat, mp.field) = (UInt32(width), UInt32(height), fourcc, field)
            mp.num_planes = UInt8(planes.count)
            withUnsafeMutableBytes(of: &mp.plane_fmt) { bytes in
                let list = bytes.bindMemory(to: v4l2_plane_pix_format.self)
                for (index, plane) in planes.enumerated() {
                    list[index].bytesperline = UInt32(plane.bytesPerLine)
                    list[index].sizeimage = UInt32(plane.byteCount)
                }
            }
            (mp.colorspace, mp.xfer_func) = (color.space, UInt8(truncatingIfNeeded: color.transfer))
            mp.ycbcr_enc = UInt8(truncatingIfNeeded: color.encoding)
            mp.quantization = UInt8(truncatingIfNeeded: color.quantization)
            raw.fmt.pix_mp = mp
        } else {
            var pix = v4l2_pix_format()
            (pix.width, pix.height, pix.pixelformat, pix.field) = (UInt32(width), UInt32(height), fourcc, field)
            (pix.bytesperline, pix.sizeimage) = (UInt32(planes[0].bytesPerLine), UInt32(planes[0].byteCount))
            // Without the magic number drivers take the last three fields for garbage.
            pix.priv = UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
            (pix.colorspace, pix.xfer_func) = (color.space, color.transfer)
            (pix.ycbcr_enc, pix.quantization) = (color.encoding, color.quantization)
            raw.fmt.pix = pix
        }
        return raw
    }
}

extension V4L2Device {
    /// The format that a queue has (VIDIOC_G_FMT).
    public func format(_ type: V4L2BufferType) throws(Errno) -> V4L2Format {
        var raw = v4l2_format()
        raw.type = type.rawValue
        try request(CKERNEL_VIDIOC_G_FMT, &raw)
        return V4L2Format(raw, type)
    }

    /// What the driver would make of a queue's format (VIDIOC_TRY_FMT); nothing changes.
    public func trying(_ format: V4L2Format, _ type: V4L2BufferType) throws(Errno) -> V4L2Format {
        var raw = format.raw(type)
        try request(CKERNEL_VIDIOC_TRY_FMT, &raw)
        return V4L2Format(raw, type)
    }

    /// Sets a queue's format (VIDIOC_S_FMT).
    /// - Returns: what the driver made of it; it may differ in everything.
    public func set(_ format: V4L2Format, _ type: V4L2BufferType) throws(Errno) -> V4L2Format {
        var raw = format.raw(type)
        try request(CKERNEL_VIDIOC_S_FMT, &raw)
        return V4L2Format(raw, type)
    }
}
