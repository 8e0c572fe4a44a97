import Glibc
import Linux
import Media

/// Writes frames as a YUV4MPEG2 stream in 4:2:0: what any tool, and `kinebox record --video -`, reads. It waits for its
/// reader.
public struct YUV4MPEG2Writer: ~Copyable {
    private let raw: Int32
    private let format: VideoFormat
    private let buffer: UnsafeMutableRawBufferPointer

    /// Writes the first line.
    /// - Parameters:
    ///   - raw: a descriptor that blocks; it stays open for as long as the writer is used.
    ///   - format: NV12 or YUV420.
    /// - Throws: `Errno`, EINVAL for another pixel format.
    public init(to raw: Int32, format: VideoFormat) throws(Errno) {
        guard format.pixelFormat == .nv12 || format.pixelFormat == .yuv420 else { throw Errno(EINVAL) }
        let header = YUV4MPEG2Header(
            width: format.width, height: format.height, rate: format.rate, chroma: .quarter, color: format.color)
        if let reason = Array(header.line.utf8).withUnsafeBytes({ Self.write($0, to: raw) }) { throw reason }
        self.raw = raw
        self.format = format
        buffer = .allocate(byteCount: 6 + header.frameBytes, alignment: 64)
        buffer.copyBytes(from: "FRAME\n".utf8)
    }

    deinit {
        buffer.deallocate()
    }

    /// Writes one frame of the writer's format.
    public func write(_ frame: VideoFrame) throws(Errno) {
        var place = 6
        for (index, shape) in PixelFormat.yuv420.planes(width: format.width, height: format.height).enumerated() {
            for line in 0..<shape.lines {
                let target = UnsafeMutableRawBufferPointer(rebasing: buffer[place..<(place + shape.bytesPerLine)])
                copyLine(line, ofPlane: index, of: frame, to: target)
                place += shape.bytesPerLine
            }
        }
        if let reason = Self.write(UnsafeRawBufferPointer(buffer), to: raw) { throw reason }
    }

    private func copyLine(
        _ line: Int, ofPlane index: Int, of frame: VideoFrame, to target: UnsafeMutableRawBufferPointer
    ) {
        let isInterleaved = format.pixelFormat == .nv12 && index > 0
        let plane = frame.planes[isInterleaved ? 1 : index]
        let source = UnsafeRawPointer(plane.base + line * plane.bytesPerLine)
        guard isInterleaved else {
            target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: target.count))
            return
        }
        for column in 0..<target.count {
            target[column] = source.load(fromByteOffset: 2 * column + index - 1, as: UInt8.self)
        }
    }

    /// Writes all bytes; what went wrong comes back.
    private static func write(_ bytes: UnsafeRawBufferPointer, to raw: Int32) -> Errno? {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(raw, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count >= 0 {
                done += count
            } else {
                let reason = Errno.last
                if reason.code != EINTR { return reason }
            }
        }
        return nil
    }
}
