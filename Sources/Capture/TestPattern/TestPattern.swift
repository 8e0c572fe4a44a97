import Linux
import Media

/// A synthetic picture: colour bars in BT.709, a dial and a marker that move, the running time, a strip that carries the
/// frame's number (`FrameNumberStrip`), and a flash once a second (`FlashSchedule`).
///
/// The time of frame n is the time of frame 0 plus n periods, computed afresh for each frame. Used by one thread.
public final class TestPattern: VideoSource {
    public let name = "test picture"
    public let format: VideoFormat
    public let pace: Pace
    private let frameCount: Int64?
    private let painter: PatternPainter
    private let schedule: FlashSchedule
    private var pool: FramePool
    private var holdsFlash: [Bool]
    private var pacer: FramePacer
    private let timer: TimerDescriptor
    private var isRunning = false
    private var isStopped = false
    private var armedFor: MonotonicTime?

    /// Prepares the picture; nothing moves before `start`.
    /// - Parameters:
    ///   - width: even, 160…16384.
    ///   - height: even, 120…16384.
    ///   - rate: any.
    ///   - pixelFormat: NV12 or YUV420.
    ///   - pace: live, or onDemand for a picture that is made as fast as it is taken.
    ///   - frameCount: frames after which the source is finished; nil for one without an end.
    ///   - buffers: frames that can be out at the same time, 1 or more.
    /// - Throws: `Failure` of kind invalidValue for a shape that cannot be, of kind internalFault when no descriptor is
    ///   left.
    public init(
        width: Int, height: Int, rate: FrameRate, pixelFormat: PixelFormat = .nv12, pace: Pace = .live,
        frameCount: Int64? = nil, buffers: Int = 8
    ) throws(Failure) {
        guard (160...16384).contains(width), (120...16384).contains(height), width % 2 == 0, height % 2 == 0 else {
            throw Failure(
                .invalidValue, "cannot make a test picture of \(width)x\(height)",
                because: "width and height must be even numbers from 160x120 to 16384x16384",
                mend: "Choose another --size.")
        }
        guard pixelFormat == .nv12 || pixelFormat == .yuv420 else {
            throw Failure(
                .invalidValue, "cannot make a test picture in \(pixelFormat.rawValue)",
                because: "it is made in NV12 or YUV420")
        }
        do {
            timer = try TimerDescriptor()
        } catch {
            throw Failure(.internalFault, "cannot make a timer for the test picture", because: "\(error)")
        }
        format = VideoFormat(width: width, height: height, pixelFormat: pixelFormat, rate: rate, color: .bt709)
        self.pace = pace
        self.frameCount = frameCount
        let painter = PatternPainter(format: format)
        let frames = (0..<max(buffers, 1)).map {
            VideoFrame(index: $0, width: width, height: height, pixelFormat: pixelFormat)
        }
        for frame in frames { painter.paintGround(frame) }
        self.painter = painter
        schedule = FlashSchedule(rate: rate)
        pool = FramePool(frames)
        holdsFlash = Array(repeating: false, count: frames.count)
        pacer = FramePacer(
            rate: rate, origin: MonotonicTime(nanoseconds: 0), count: frameCount, buffers: frames.count)
    }

    public var descriptor: Int32 { timer.raw }
    public var lostFrames: UInt64 { pacer.lost }
    public var isFinished: Bool { pacer.waiting == 0 && (isStopped || pacer.isExhausted) }

    /// The time of frame 0, after `start`; the test tone must count from the same moment.
    public var origin: MonotonicTime { pacer.origin }

    public func start() throws(Failure) {
        pacer = FramePacer(rate: format.rate, origin: .now, count: frameCount, buffers: pool.capacity)
        isRunning = true
        isStopped = false
        armedFor = nil
        try arm()
    }

    public func nextFrame() throws(Failure) -> VideoFrame? {
        advance()
        guard let number = pacer.take(), let frame = pool.take() else {
            try arm()
            return nil
        }
        painter.paintMotion(frame, number: number, wasFlash: holdsFlash[frame.index])
        holdsFlash[frame.index] = schedule.isFlash(frame: number)
        frame.time = pacer.time(of: number)
        frame.sequence = UInt64(number)
        try arm()
        return frame
    }

    public func release(_ frame: VideoFrame) {
        // What came due up to now found the buffers as they were before this one came back.
        if pace == .live { advance() }
        pool.give(frame)
        // The descriptor was silent while no buffer was free. Should the timer fail, `nextFrame` tells of it.
        if pace == .onDemand { try? arm() }
    }

    public func stop() {
        advance()
        isRunning = false
        isStopped = true
    }

    private func advance() {
        guard isRunning else { return }
        switch pace {
        case .live: pacer.advance(to: .now, free: pool.available)
        case .onDemand: pacer.advanceByOne(free: pool.available)
        }
    }

    /// Makes the descriptor readable when the next frame is due: at once where one waits or is made on demand.
    private func arm() throws(Failure) {
        let never = MonotonicTime(nanoseconds: .max)
        let past = MonotonicTime(nanoseconds: 0)
        let moment: MonotonicTime
        if pacer.waiting > 0 {
            moment = past
        } else if pacer.isExhausted {
            moment = never
        } else if pace == .live {
            moment = pacer.time(of: pacer.next)
        } else {
            moment = pool.available > 0 ? past : never
        }
        guard moment != armedFor else { return }
        do {
            try timer.arm(at: moment)
        } catch {
            throw Failure(.internalFault, "cannot set the timer of the test picture", because: "\(error)")
        }
        armedFor = moment
    }
}
