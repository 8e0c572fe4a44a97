import CKernel
import Linux

/// A buffer that a device is done with.
public struct V4L2Buffer: Sendable {
    /// Its number in the queue.
    public let index: Int
    /// The picture's number at the driver; 32 bits that start again at 0.
    public let sequence: UInt32
    /// When the picture was captured, rounded down to microseconds by the interface. Encoders hand it on.
    public let time: MonotonicTime
    /// Whether `time` is of CLOCK_MONOTONIC.
    public let isMonotonic: Bool
    /// Whether the driver says that the picture is damaged (V4L2_BUF_FLAG_ERROR).
    public let isDamaged: Bool
    /// Whether no buffer follows, since the device was drained (V4L2_BUF_FLAG_LAST).
    public let isLast: Bool
    /// Bytes of the first piece that the picture takes.
    public let byteCount: Int
    /// Bytes in front of the picture in the first piece.
    public let offset: Int

    init(_ raw: v4l2_buffer, byteCount: Int, offset: Int) {
        index = Int(raw.index)
        sequence = raw.sequence
        time = MonotonicTime(
            nanoseconds: Int64(raw.timestamp.tv_sec) * 1_000_000_000 + Int64(raw.timestamp.tv_usec) * 1000)
        isMonotonic = raw.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        isDamaged = raw.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
        isLast = raw.flags & UInt32(V4L2_BUF_FLAG_LAST) != 0
        self.byteCount = byteCount
        self.offset = offset
    }
}
