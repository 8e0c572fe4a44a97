import Linux
import Media
import Pixels
import V4L2

/// Pictures from a camera or a capture device. NV12 and YUV420 are handed on in the device's own buffers, without a copy;
/// other layouts are converted once, on their way out. Used by one thread.
///
/// Frames that the driver marks as damaged, that are short, or whose JPEG is broken are dropped and counted as lost, and
/// so are gaps in the driver's numbers. Frames' times are the driver's for as long as they can be believed.
public final class V4L2Input: VideoSource {
    public let name: String
    public let format: VideoFormat
    public let pace = Pace.live
    public private(set) var lostFrames: UInt64 = 0
    public var isFinished: Bool { isStopped && remaining.isEmpty }
    private let device: V4L2Device
    private let queue: V4L2Queue
    private var gate: ReadGate
    /// The device's buffers as frames, by their numbers.
    private let buffers: [VideoFrame]
    private let wholeBytes: Int
    /// Nil when the device's buffers themselves are handed on.
    private let conversion: Conversion?
    private var pool: FramePool
    private var clock: ClockGuard
    private var counter = SequenceCounter()
    /// What had been captured when capturing was stopped, oldest last.
    private var remaining: [V4L2Buffer] = []
    private var isStopped = false
    /// v4l2loopback wakes a waiting program only where it began to wait while nothing was there.
    private let mustRewatch: Bool
    /// Whether a whole picture has come: what a device sends before is no loss.
    private var hasBegun = false
    /// Pictures in a row that were of no use.
    private var broken = 0
    private static let mostBroken = 300

    /// Opens a device and sets its format; nothing is captured before `start`.
    /// - Parameters:
    ///   - device: "/dev/video0", or a card's name or bus as `kinebox devices` prints them.
    ///   - size: the wanted size; nil for the best.
    ///   - rate: the wanted rate; nil for 30 or what comes nearest. The device's nearest is taken.
    ///   - layout: nil for the best; else pictures are taken in this one only.
    /// - Throws: `Failure` of kind noSource or noSignal; of kind invalidValue when the device does not have the size.
    public init(
        opening device: String, size: (width: Int, height: Int)? = nil, rate: FrameRate? = nil,
        layout: PixelFormat? = nil
    ) throws(Failure) {
        let device = try V4L2Device(opening: try DeviceList.path(ofVideo: device))
        guard let type = device.captureType else {
            throw Failure(
                .noSource, "cannot record from \(device.name)", because: "it does not capture pictures",
                mend: "kinebox devices lists those that do.")
        }
        let wanted = size.map { V4L2Sizes.Size($0.width, $0.height) }
        let set = try Self.setFormat(device, type, size: wanted, rate: rate, only: layout)
        guard let places = V4L2BufferLayout(set.format, set.layout) else {
            throw Failure(
                .noSource, "cannot record from \(device.name)", because: "its buffers are smaller than its pictures")
        }
        let source = set.layout.pixelFormat
        var color = set.format.color.description(source, width: set.format.width, height: set.format.height)
        let isHandedOn = source == .nv12 || source == .yuv420
        var conversion: Conversion?
        if !isHandedOn {
            let made = try Conversion(
                from: source, to: .nv12, width: set.format.width, height: set.format.height, color: color)
            color = made.color
            conversion = made
        }
        let queue = try V4L2Queue(device, type, set.format, count: isHandedOn ? 8 : 5)
        let buffers = (0..<queue.count).compactMap { index in
            places.frame(index) { queue.memory(index, plane: $0) }
        }
        guard buffers.count == queue.count, !buffers.isEmpty else {
            throw Failure(
                .noSource, "cannot record from \(device.name)", because: "it has no buffers that hold a whole picture")
        }
        do {
            gate = try ReadGate(for: device.raw)
        } catch {
            throw V4L2Failure.using(device, "wait for", error)
        }
        self.device = device
        self.queue = queue
        self.buffers = buffers
        self.conversion = conversion
        name = device.name
        mustRewatch = device.driver == "v4l2 loopback"
        wholeBytes = source == .mjpeg ? 4 : places.firstPieceBytes
        format = VideoFormat(
            width: set.format.width, height: set.format.height, pixelFormat: isHandedOn ? source : .nv12,
            rate: set.rate, color: color)
        clock = ClockGuard(rate: set.rate)
        let shape = format
        pool = FramePool(
            isHandedOn
                ? []
                : (0..<8).map {
                    VideoFrame(index: $0, width: shape.width, height: shape.height, pixelFormat: shape.pixelFormat)
                })
    }

    public var descriptor: Int32 { gate.descriptor }

    /// Whether the driver's times are believed; false once one of them could not be.
    public var trustsDriverTimes: Bool { clock.isTrusted }

    public func start() throws(Failure) {
        do {
            for index in 0..<queue.count { try queue.enqueue(index) }
            try queue.start()
            try gate.set(open: true)
        } catch {
            throw V4L2Failure.using(device, "start", error)
        }
    }

    public func nextFrame() throws(Failure) -> VideoFrame? {
        guard broken < Self.mostBroken else {
            throw Failure(
                .noSource, "cannot record from \(name)", because: "it sends nothing but broken pictures",
                mend: "Try another cable or USB port, or a smaller --size.")
        }
        do {
            while conversion == nil || pool.available > 0 {
                guard let buffer = try takeBuffer() else { return nil }
                if let frame = try frame(of: buffer) { return frame }
            }
            return nil
        } catch {
            throw V4L2Failure.using(device, "record from", error)
        }
    }

    public func release(_ frame: VideoFrame) {
        // Should the device be gone, `nextFrame` tells of it.
        if conversion == nil {
            if queue.isStreaming { try? queue.enqueue(frame.index) }
        } else {
            pool.give(frame)
        }
        try? setGate()
    }

    public func stop() {
        isStopped = true
        guard queue.isStreaming else { return }
        // What was captured before this moment is taken out of the queue, which the stop empties.
        while let buffer = try? queue.dequeue() { remaining.append(buffer) }
        remaining.reverse()
        try? gate.set(open: false)
        try? queue.stop()
    }

    private func takeBuffer() throws(Errno) -> V4L2Buffer? {
        guard queue.isStreaming else { return remaining.popLast() }
        if let buffer = try queue.dequeue() { return buffer }
        if mustRewatch {
            try gate.set(open: false)
            try gate.set(open: true)
        }
        return nil
    }

    /// A buffer's picture; nil when it is no whole picture.
    private func frame(of buffer: V4L2Buffer) throws(Errno) -> VideoFrame? {
        let missing = counter.missing(before: buffer.sequence)
        let time = clock.time(buffer.time, isMonotonic: buffer.isMonotonic, now: .now)
        let source = buffers[buffer.index]
        source.byteCount = buffer.byteCount
        var result: VideoFrame?
        if !buffer.isDamaged && buffer.byteCount >= wholeBytes && buffer.offset == 0 {
            result = convert(source)
        }
        broken = result == nil ? broken + 1 : 0
        if hasBegun { lostFrames += missing + (result == nil ? 1 : 0) }
        hasBegun = hasBegun || result != nil
        // A buffer that is not handed on goes back to the device at once.
        if (result == nil || conversion != nil) && queue.isStreaming { try queue.enqueue(buffer.index) }
        result?.time = time
        result?.sequence = counter.number
        try setGate()
        return result
    }

    private func convert(_ source: VideoFrame) -> VideoFrame? {
        guard let conversion else { return source }
        guard let frame = pool.take() else { return nil }
        if conversion.convert(source, to: frame) { return frame }
        pool.give(frame)
        return nil
    }

    /// While no frame is free to convert into, or the device has no buffer to fill, there is nothing to wait for.
    private func setGate() throws(Errno) {
        let isOpen = queue.isStreaming && (conversion == nil ? queue.queued > 0 : pool.available > 0)
        try gate.set(open: isOpen)
    }
}
