import Linux

/// One picture in a buffer that its source owns. It is used by one thread at a time and must be given back to its source
/// (`VideoSource.release`) before the source can fill it again. Sources make all their frames once and reuse them.
public final class VideoFrame: @unchecked Sendable {
    // Unchecked because frames travel through queues: whoever took the frame from the queue is its only user.

    /// A part of the picture in memory.
    public struct Plane {
        /// The first line's first byte.
        public var base: UnsafeMutableRawPointer
        /// Bytes from one line's start to the next line's.
        public var bytesPerLine: Int
        /// Lines in this plane.
        public var lines: Int

        public init(base: UnsafeMutableRawPointer, bytesPerLine: Int, lines: Int) {
            self.base = base
            self.bytesPerLine = bytesPerLine
            self.lines = lines
        }
    }

    /// The number of the buffer among its source's buffers.
    public let index: Int
    /// The picture's planes, as its format says; empty for a picture that only devices see, until somebody maps it.
    public private(set) var planes: [Plane]
    /// The picture's pieces of memory as devices share them; empty for memory that the processor alone reaches.
    public let buffers: [SharedBuffer]
    /// When the picture was captured.
    public var time = MonotonicTime(nanoseconds: 0)
    /// The picture's number at its source; a gap means pictures that were lost before they came here.
    public var sequence: UInt64 = 0
    /// Whether it was drawn in place of a picture, since none comes in.
    public var isSlate = false
    /// Bytes in use, for compressed pictures (JPEG); else the buffer's whole size.
    public var byteCount: Int
    private let owned: UnsafeMutableRawPointer?

    /// A frame over memory that somebody else owns and keeps for as long as the frame lives.
    public init(index: Int, planes: [Plane]) {
        self.index = index
        self.planes = planes
        buffers = []
        byteCount = planes.reduce(0) { $0 + $1.bytesPerLine * $1.lines }
        owned = nil
    }

    /// A frame over memory of devices, which stays theirs for as long as the frame lives.
    /// - Parameters:
    ///   - index: the number among the buffers, the same at each device that has them.
    ///   - buffers: its pieces, one or more.
    ///   - planes: where the processor sees the picture; empty when it does not.
    public init(index: Int, buffers: [SharedBuffer], planes: [Plane] = []) {
        self.index = index
        self.planes = planes
        self.buffers = buffers
        byteCount = buffers.reduce(0) { $0 + $1.byteCount }
        owned = nil
    }

    /// Says where the processor sees the picture from now on; whoever mapped the memory keeps it so for as long as the
    /// frame lives.
    public func show(at planes: [Plane]) {
        self.planes = planes
    }

    /// A frame with memory of its own, not cleared, that begins at a multiple of 64 bytes; plane follows plane.
    /// - Parameters:
    ///   - index: the number among its source's frames.
    ///   - lineAlignment: bytes to a multiple of which lines are padded; 1 for a picture without any gap.
    public init(index: Int, width: Int, height: Int, pixelFormat: PixelFormat, lineAlignment: Int = 64) {
        let shapes = pixelFormat.planes(width: width, height: height)
        let strides = shapes.map { ($0.bytesPerLine + lineAlignment - 1) / lineAlignment * lineAlignment }
        let total = zip(shapes, strides).reduce(0) { $0 + $1.0.lines * $1.1 }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(total, 64), alignment: 64)
        var planes: [Plane] = []
        var offset = 0
        for (shape, stride) in zip(shapes, strides) {
            planes.append(Plane(base: memory + offset, bytesPerLine: stride, lines: shape.lines))
            offset += stride * shape.lines
        }
        self.index = index
        self.planes = planes
        buffers = []
        byteCount = total
        owned = memory
    }

    deinit {
        owned?.deallocate()
    }
}
