import CKernel
import Glibc
import Linux
import Media
import Pixels

/// Pictures from a YUV4MPEG2 stream: standard input, a pipe or a file. It waits for its reader, so none is lost but a last
/// one that the stream breaks off in.
///
/// The first frame's time is the moment at which it had arrived; frame n is n periods later. Used by one thread.
public final class YUV4MPEG2Source: VideoSource {
    public let name = "standard input"
    public let format: VideoFormat
    public let pace = Pace.onDemand
    public private(set) var lostFrames: UInt64 = 0
    public private(set) var isFinished = false
    private var reader: YUV4MPEG2Reader
    private var gate: ReadGate
    private let wasBlocking: Bool
    private let chroma: YUV4MPEG2Header.Chroma
    /// Samples in the stream's own layout, where that is not the frames'.
    private let staging: UnsafeMutableRawBufferPointer
    private let frameBytes: Int
    private var pool: FramePool
    /// The frame that is being filled.
    private var current: VideoFrame?
    private var origin: MonotonicTime?
    private var count: UInt64 = 0

    /// Reads the stream's first line, and waits for it.
    /// - Parameters:
    ///   - raw: the descriptor to read; it is duplicated and stays open.
    ///   - rate: the pictures' rate where the stream does not know it.
    ///   - patience: milliseconds to wait for the first line.
    ///   - buffers: frames that can be out at the same time, 1 or more.
    /// - Throws: `Failure` of kind noSource when nothing comes or when it is nothing that can be recorded.
    public init(
        reading raw: Int32, rate: FrameRate? = nil, patience: Int32 = 10_000, buffers: Int = 8
    ) throws(Failure) {
        guard isatty(raw) == 0 else {
            throw YUV4MPEG2Header.refusal(
                "standard input is a terminal",
                mend: "Pipe it in with ffmpeg … -f yuv4mpegpipe - | kinebox record --video - FILE.mp4.")
        }
        // No pipe, or one whose limit is lower: then it stays as it is.
        _ = ckernel_set_pipe_size(raw, 1 << 20)
        let wasBlocking = fcntl(raw, F_GETFL) & O_NONBLOCK == 0
        let reader: YUV4MPEG2Reader
        let gate: ReadGate
        do {
            let descriptor = try FileDescriptor.duplicate(of: raw)
            try descriptor.setNonblocking()
            gate = try ReadGate(for: descriptor.raw)
            reader = YUV4MPEG2Reader(descriptor)
        } catch {
            throw YUV4MPEG2Header.refusal("\(error)")
        }
        let header = try reader.header(milliseconds: patience)
        guard let rate = header.rate ?? rate else {
            throw YUV4MPEG2Header.refusal("it does not say its rate", mend: "Give it with --rate.")
        }
        self.reader = reader
        self.gate = gate
        self.wasBlocking = wasBlocking
        format = VideoFormat(
            width: header.width, height: header.height, pixelFormat: .yuv420, rate: rate, color: header.color)
        chroma = header.chroma
        frameBytes = header.frameBytes
        staging = .allocate(byteCount: chroma == .quarter ? 0 : frameBytes, alignment: 64)
        // Without gaps between lines and planes, so that one call can fill a frame.
        pool = FramePool(
            (0..<max(buffers, 1)).map {
                VideoFrame(
                    index: $0, width: header.width, height: header.height, pixelFormat: .yuv420, lineAlignment: 1)
            })
    }

    deinit {
        staging.deallocate()
        // The flag belongs to the open pipe, which others may go on to use.
        if wasBlocking { ckernel_set_blocking(reader.raw) }
    }

    public var descriptor: Int32 { gate.descriptor }

    public func start() throws(Failure) {
        try setGate()
    }

    public func nextFrame() throws(Failure) -> VideoFrame? {
        guard !isFinished, let frame = current ?? pool.take() else { return nil }
        current = frame
        let memory = UnsafeMutableRawBufferPointer(start: frame.planes[0].base, count: frameBytes)
        let progress = try reader.read(into: chroma == .quarter ? memory : staging)
        switch progress {
        case .waiting:
            return nil
        case .end(let truncated):
            isFinished = true
            current = nil
            pool.give(frame)
            if truncated { lostFrames += 1 }
            try setGate()
            return nil
        case .frame:
            current = nil
            if chroma != .quarter { convert(into: frame) }
            let start = origin ?? .now
            origin = start
            frame.time = start + format.rate.nanoseconds(of: Int64(count))
            frame.sequence = count
            count += 1
            try setGate()
            return frame
        }
    }

    public func release(_ frame: VideoFrame) {
        pool.give(frame)
        // Should the gate fail to open, `nextFrame` tells of it.
        try? setGate()
    }

    public func stop() {
        isFinished = true
        if let frame = current { pool.give(frame) }
        current = nil
        try? setGate()
    }

    private func setGate() throws(Failure) {
        do {
            try gate.set(open: !isFinished && (current != nil || pool.available > 0))
        } catch {
            throw YUV4MPEG2Header.refusal("\(error)")
        }
    }

    private func convert(into frame: VideoFrame) {
        PlanarChroma.reduce(
            UnsafeRawBufferPointer(staging), halvingColumns: chroma == .full, into: frame, width: format.width,
            height: format.height)
    }
}
