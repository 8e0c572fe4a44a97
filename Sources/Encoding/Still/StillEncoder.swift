import Media
import Pixels

/// Makes a file of a picture: a JPEG with the colours that the picture had, and with the time at which it was taken. Used
/// by one thread, and made for frames of one format.
public final class StillEncoder {
    private let encoder: JPEGEncoder
    private let quality: Int

    /// - Parameters:
    ///   - format: what the frames are, in any layout.
    ///   - quality: 1…100, as everybody counts it; 90 shows no fault to the eye.
    /// - Throws: `Failure` of kind internalFault when there is no memory.
    public init(_ format: VideoFormat, quality: Int = 90) throws(Failure) {
        encoder = try JPEGEncoder(format)
        self.quality = min(max(quality, 1), 100)
    }

    /// Encodes a frame, which the processor must see and which nobody may change meanwhile.
    /// - Parameters:
    ///   - frame: of the format that the encoder was made for.
    ///   - time: seconds since 1970 (UTC) at which it was captured; nil when the wall clock is not to be trusted.
    /// - Returns: the bytes of a JPEG file.
    /// - Throws: `Failure` of kind encoderFailed when the frame is broken.
    public func encode(_ frame: VideoFrame, at time: Int64?) throws(Failure) -> [UInt8] {
        let picture = try encoder.encode(frame, quality: quality)
        // Behind the start of the image and JFIF's own segment, which must be the first one.
        let place = Self.endOfFirstSegment(picture)
        return Array(picture[..<place]) + ExifSegment.bytes(at: time) + Array(picture[place...])
    }

    private static func endOfFirstSegment(_ picture: [UInt8]) -> Int {
        guard picture.count > 6, picture[2] == 0xFF, picture[3] == 0xE0 else { return 2 }
        return min(4 + (Int(picture[4]) << 8 | Int(picture[5])), picture.count)
    }
}
