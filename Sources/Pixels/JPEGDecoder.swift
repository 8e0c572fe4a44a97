import CJPEG
import Glibc
import Media

/// Decodes the JPEG pictures of cameras into NV12 or YUV420, and notices broken ones. Cameras leave out the Huffman tables,
/// and the decoder then takes the usual ones (Rec. ITU-T T.81, K.3). Used by one thread.
final class JPEGDecoder {
    /// Nil only when no memory was left to make a decoder anew.
    private var handle: tjhandle?
    private let width: Int
    private let height: Int
    private let scratch: ScratchPlanes

    /// - Throws: `Failure` of kind internalFault when there is no memory.
    init(width: Int, height: Int, scratch: ScratchPlanes) throws(Failure) {
        guard let handle = tjInitDecompress() else {
            throw Failure(.internalFault, "cannot make a JPEG decoder", because: "there is no memory for it")
        }
        self.handle = handle
        self.width = width
        self.height = height
        self.scratch = scratch
    }

    deinit {
        if let handle { tjDestroy(handle) }
    }

    /// - Parameters:
    ///   - picture: `byteCount` bytes in its first plane.
    ///   - result: a frame of the target's layout.
    ///   - target: NV12 or YUV420.
    /// - Returns: false when the picture is cut off, damaged, of another size or of a kind that no camera sends.
    func decode(_ picture: VideoFrame, to result: VideoFrame, _ target: PixelFormat) -> Bool {
        if let handle, decode(picture, to: result, target, by: handle) { return true }
        // A picture that is refused leaves the decoder amid its headers, and the next one would be refused too.
        if let handle { tjDestroy(handle) }
        handle = tjInitDecompress()
        return false
    }

    private func decode(
        _ picture: VideoFrame, to result: VideoFrame, _ target: PixelFormat, by handle: tjhandle
    ) -> Bool {
        let (bytes, count) = (picture.planes[0].bytes, UInt(picture.byteCount))
        var (foundWidth, foundHeight, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard
            tjDecompressHeader3(handle, bytes, count, &foundWidth, &foundHeight, &sampling, &space) == 0,
            Int(foundWidth) == width, Int(foundHeight) == height
        else { return false }
        let luma = result.planes[0]
        if target == .yuv420 && sampling == Int32(TJSAMP_420.rawValue) {
            return decode(bytes, count, luma, result.planes[1], result.planes[2], by: handle)
        }
        guard let shape = shape(ofSampling: sampling) else {
            guard sampling == Int32(TJSAMP_GRAY.rawValue), decode(bytes, count, luma, luma, luma, by: handle) else {
                return false
            }
            for plane in result.planes.dropFirst() {
                PlaneWork.fill(plane, width: target == .nv12 ? width : width / 2, with: 128)
            }
            return true
        }
        let cb = scratch.plane(0, bytesPerLine: shape.width, lines: shape.lines)
        let cr = scratch.plane(1, bytesPerLine: shape.width, lines: shape.lines)
        guard decode(bytes, count, luma, cb, cr, by: handle) else { return false }
        hand(cb, cr, shape, to: result.planes, target)
        return true
    }

    /// The samples of a chroma plane; nil where there is none, or of another kind.
    private func shape(ofSampling sampling: Int32) -> (width: Int, lines: Int)? {
        switch UInt32(bitPattern: sampling) {
        case TJSAMP_420.rawValue: (width / 2, height / 2)
        case TJSAMP_422.rawValue: (width / 2, height)
        case TJSAMP_444.rawValue: (width, height)
        default: nil
        }
    }

    /// Brings chroma to a quarter, and to where it belongs.
    private func hand(
        _ cb: VideoFrame.Plane, _ cr: VideoFrame.Plane, _ shape: (width: Int, lines: Int),
        to planes: [VideoFrame.Plane], _ target: PixelFormat
    ) {
        // Lines are read before they are written over: what is reduced in place lies at or before where it was.
        var quarters = [cb, cr]
        for index in 0..<2 {
            let whole = quarters[index]
            if target == .yuv420 {
                quarters[index] = planes[index + 1]
            } else {
                quarters[index].bytesPerLine = width / 2
                quarters[index].lines = height / 2
            }
            if shape.width == width {
                PlaneWork.halveBoth(whole, to: quarters[index], width: width / 2)
            } else if shape.lines == height {
                PlaneWork.halveLines(whole, to: quarters[index], width: width / 2)
            }
        }
        if target == .nv12 { PlaneWork.merge(quarters[0], quarters[1], planes[1], pairs: width / 2) }
    }

    private func decode(
        _ bytes: UnsafeMutablePointer<UInt8>, _ count: UInt, _ luma: VideoFrame.Plane, _ cb: VideoFrame.Plane,
        _ cr: VideoFrame.Plane, by handle: tjhandle
    ) -> Bool {
        var planes: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) =
            (luma.bytes, cb.bytes, cr.bytes)
        var strides: (Int32, Int32, Int32) = (luma.stride, cb.stride, cr.stride)
        let status = withUnsafeMutableBytes(of: &planes) { planes in
            withUnsafeMutableBytes(of: &strides) { strides in
                tjDecompressToYUVPlanes(
                    handle, bytes, count,
                    planes.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self).baseAddress, Int32(width),
                    strides.assumingMemoryBound(to: Int32.self).baseAddress, Int32(height), TJFLAG_FASTDCT)
            }
        }
        return status == 0 || Self.isHarmless(handle)
    }

    /// Whether the last complaint is one that whole pictures of common cameras cause: a few bytes between the end of the
    /// samples and the next marker.
    private static func isHarmless(_ handle: tjhandle) -> Bool {
        guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue), let text = tjGetErrorStr2(handle) else {
            return false
        }
        let opening = "Corrupt JPEG data: "
        guard strncmp(text, opening, opening.utf8.count) == 0 else { return false }
        var rest: UnsafeMutablePointer<CChar>?
        let bytes = strtol(text + opening.utf8.count, &rest, 10)
        guard bytes > 0, bytes <= 16, let rest else { return false }
        return strncmp(rest, " extraneous bytes", 17) == 0
    }
}
