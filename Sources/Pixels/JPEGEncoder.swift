import CJPEG
import Media

/// Makes JPEG pictures of frames in any layout: baseline, 4:2:0, BT.601 in full range as JFIF has it
/// (Rec. ITU-T T.871). Used by one thread.
public final class JPEGEncoder {
    private let handle: tjhandle
    private let conversion: Conversion
    private let change: MatrixChange?
    private let width: Int
    private let height: Int
    /// Every pixel is converted into it, since a source's frame is never written to.
    private let picture: VideoFrame

    /// - Parameter format: what the frames are; the size is even.
    /// - Throws: `Failure` of kind internalFault when there is no memory.
    public init(_ format: VideoFormat) throws(Failure) {
        width = format.width
        height = format.height
        conversion = try Conversion(
            from: format.pixelFormat, to: .yuv420, width: width, height: height, color: format.color)
        change = MatrixChange(from: conversion.color)
        picture = VideoFrame(index: 0, width: width, height: height, pixelFormat: .yuv420)
        guard let handle = tjInitCompress() else {
            throw Failure(.internalFault, "cannot make a JPEG encoder", because: "there is no memory for it")
        }
        self.handle = handle
    }

    deinit {
        tjDestroy(handle)
    }

    /// Encodes a frame, which the processor must see.
    /// - Parameter quality: 1…100, as everybody counts it; 90 shows no fault to the eye.
    /// - Returns: the bytes of a JFIF file.
    /// - Throws: `Failure` of kind encoderFailed when the frame is broken or the encoder refuses.
    public func encode(_ frame: VideoFrame, quality: Int) throws(Failure) -> [UInt8] {
        guard !frame.planes.isEmpty, conversion.convert(frame, to: picture) else {
            throw Self.failure("the picture is broken")
        }
        change?.apply(to: picture, width: width, height: height)
        var bytes = [UInt8](repeating: 0, count: Int(tjBufSize(Int32(width), Int32(height), Self.sampling)))
        let planes: [UnsafePointer<UInt8>?] = picture.planes.map { UnsafePointer($0.bytes) }
        let strides = picture.planes.map(\.stride)
        let (handle, sampling) = (self.handle, Self.sampling)
        let size = bytes.withUnsafeMutableBufferPointer { buffer -> UInt? in
            var start = buffer.baseAddress
            var size = UInt(buffer.count)
            var planes = planes
            let status = planes.withUnsafeMutableBufferPointer { planes in
                tjCompressFromYUVPlanes(
                    handle, planes.baseAddress, Int32(width), strides, Int32(height), sampling, &start, &size,
                    Int32(quality), TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
            }
            return status == 0 ? size : nil
        }
        guard let size else {
            throw Self.failure(tjGetErrorStr2(handle).map { String(cString: $0) } ?? "the encoder refuses")
        }
        bytes.removeLast(bytes.count - Int(size))
        return bytes
    }

    private static let sampling = Int32(TJSAMP_420.rawValue)

    private static func failure(_ cause: String) -> Failure {
        Failure(.encoderFailed, "cannot make a still", because: cause)
    }
}
