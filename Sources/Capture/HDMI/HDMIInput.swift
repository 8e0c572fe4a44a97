import Glibc
import Linux
import Media
import V4L2

/// Pictures from an HDMI input, a capture dongle or a camera. Used by one thread.
///
/// A device is known by its bus and its card's name, whatever its number. Frames' times are the driver's for as long as
/// they can be believed. When the signal goes, pictures that were captured before still come; then slates, ten a second,
/// until pictures come in again or others do (`nextChange`).
public final class HDMIInput: DeviceVideoSource {
    public let name: String
    public internal(set) var path: String
    public let pace = Pace.live
    public internal(set) var signal: SignalState
    public internal(set) var format: VideoFormat
    public internal(set) var awaitsFrames = false

    let wish: CaptureNode.Wish
    let edid: EDID?
    let drawsSlate: Bool
    let identity: DeviceIdentity
    let watch: SignalWatch
    var gate: CaptureGate
    /// Nil while the device is gone.
    var node: CaptureNode?
    var setting: CaptureSetting
    /// What came in when the device was set up; nil where it does not know.
    var shape: SignalShape?
    var stream: CaptureStream?
    /// Whether the stream's buffers are those of `node`, not of one that is gone.
    var isStreamOfNode = false
    var memory: FrameMemory?
    var reel = SlateReel()
    var phase = Phase.ready
    var changes: [SourceChange] = []
    /// A loss that is told of when what was captured before it has been given out.
    var pendingLoss: SourceChange?
    /// The last moment at which pictures may have come in.
    var lostAt = MonotonicTime(nanoseconds: 0)
    /// When the device was started again after a loss.
    var restartedAt = MonotonicTime(nanoseconds: 0)
    /// A stop of the device that may not have ended yet, and when it began.
    var stopping: (stop: V4L2Stop, since: MonotonicTime)?
    /// A shape that could not be taken over.
    var refused: SignalState?
    /// Captured and not given out yet, oldest last.
    var waiting: [VideoFrame] = []
    /// When the last picture or slate was.
    var lastTime = MonotonicTime(nanoseconds: 0)
    /// Requests that failed since pictures last came for a while.
    var failures = 0
    private var lostBefore: UInt64 = 0
    private var lastNumber: UInt64?

    enum Phase {
        /// Not started yet, or to be set up anew.
        case ready
        case live
        /// No signal.
        case lost
        /// There is a signal again, and the device was started; pictures have not come yet.
        case returning
        /// Another shape comes in, which was not taken over yet.
        case reshaped
        case stopped
    }

    /// Nanoseconds after which a device that does not stop is given up.
    static let patience: Int64 = 3_000_000_000
    private static let mostBroken = 300
    static let mostFailures = 5

    /// Opens a device and sets it up for the signal that is there; nothing is captured before `start`, which waits for the
    /// signal to hold still, 200 ms from here.
    /// - Parameters:
    ///   - device: "/dev/video0", or a card's name or bus as `kinebox devices` prints them.
    ///   - size: the wanted size; nil for the signal's own, or the best.
    ///   - rate: the wanted rate of a camera; nil for 30 or what comes nearest.
    ///   - layout: nil for the best; else pictures are taken in this one only.
    ///   - edid: what the source is shown; nil to leave it as it is. Inputs that have none are left alone.
    ///   - drawsSlate: whether frames that say so come while no signal does.
    /// - Throws: `Failure` of kind noSource or noSignal; of kind invalidValue when the device does not have the size, or no
    ///   room for the EDID.
    public init(
        opening device: String, size: (width: Int, height: Int)? = nil, rate: FrameRate? = nil,
        layout: PixelFormat? = nil, edid: EDID? = nil, drawsSlate: Bool = true
    ) throws(Failure) {
        let node = try CaptureNode(opening: try DeviceList.path(ofVideo: device))
        let wish = CaptureNode.Wish(
            size: size.map { V4L2Sizes.Size($0.width, $0.height) }, rate: rate, layout: layout)
        do {
            watch = try SignalWatch()
            gate = try CaptureGate()
        } catch {
            throw V4L2Failure.using(node.device, "wait for", error)
        }
        name = node.device.name
        path = node.device.path
        identity = DeviceIdentity(node.device)
        (self.wish, self.edid, self.drawsSlate) = (wish, edid, drawsSlate)
        let hasNewEDID = try node.show(edid)
        let first = try Self.setUp(watch, node, wish, isNew: hasNewEDID)
        (signal, shape, setting) = (first.reading.state, first.reading.state.shape, first.setting)
        format = setting.videoFormat
        self.node = node
    }

    deinit {
        // A device that has not stopped yet would not be closed at once either.
        if let stopping, !stopping.stop.hasEnded, let node { V4L2Disposal.dispose(node.device, []) }
    }

    public var descriptor: Int32 { gate.descriptor }
    public var signalDescriptor: Int32 { watch.descriptor }
    public var lostFrames: UInt64 { lostBefore + (stream?.lostFrames ?? 0) }
    public var isReadableByDevices: Bool { node?.hasScatteredMemory != true }
    /// What comes in lies as the device wrote it.
    public func preparation(_ format: V4L2Format) -> String? { nil }
    /// Whether pictures come is looked at with the signal.
    public func noteSilence(at now: MonotonicTime) {}
    public var isFinished: Bool {
        if case .stopped = phase { return waiting.isEmpty }
        return false
    }

    /// Whether the driver's times are believed; false once one of them could not be.
    public var trustsDriverTimes: Bool { stream?.trustsDriverTimes ?? true }

    public func offers() throws(Failure) -> [V4L2Format] {
        try opened().offers(wish, shape)
    }

    public func trying(_ format: V4L2Format) -> V4L2Format? {
        node?.trying(format)
    }

    public func choose(_ format: V4L2Format) throws(Failure) -> V4L2Format {
        let node = try opened()
        dropStream()
        setting = try node.set(format, wish, shape)
        self.format = setting.videoFormat
        return setting.format
    }

    public func prepare(_ memory: FrameMemory) throws(Failure) {
        if let stream {
            reel.unload(into: stream)
            if let stopping, !stopping.stop.wait(milliseconds: 1000) { throw Self.hung(name) }
            let isChanged: Bool
            do throws(Failure) {
                isChanged = try stream.change(to: memory)
            } catch {
                // The frames' old memory may have gone with its encoder.
                dropStream()
                throw error
            }
            if isChanged {
                self.memory = memory
                format = stream.format
                return
            }
        }
        let node = try opened()
        let isStreaming = stream?.isStreaming ?? false
        dropStream()
        let stream: CaptureStream
        do throws(Failure) {
            stream = try CaptureStream(node, setting, memory, after: lastNumber)
        } catch {
            // Buffers that were made before it failed would keep the device at its format.
            try? node.device.freeBuffers(node.type)
            throw error
        }
        (self.stream, self.memory, format, isStreamOfNode) = (stream, memory, stream.format, true)
        guard isStreaming else { return }
        do {
            try stream.start()
            try gate.open(node.device.raw)
        } catch {
            throw V4L2Failure.using(node.device, "start", error)
        }
    }

    public func start() throws(Failure) {
        if stream == nil { try prepare(.process) }
        let node = try opened()
        guard let stream else { throw Self.nothing(name) }
        let reading: V4L2Receiver.Reading
        do throws(Failure) {
            reading = try Self.settle(watch, node)
        } catch {
            // It went before it was recorded: what comes in next is taken over anew.
            letGo()
            throw error
        }
        // What was set up was something that the receiver saw on its way to the signal.
        guard reading.state.isSame(as: .locked(shape)) else { return reshape(reading.state) }
        do {
            try stream.start()
            try gate.open(node.device.raw)
        } catch {
            throw V4L2Failure.using(node.device, "start", error)
        }
        phase = .live
        lastTime = max(lastTime, .now)
        watch.look(after: SignalWatch.alert)
    }

    public func nextFrame() throws(Failure) -> VideoFrame? {
        if !waiting.isEmpty || pendingLoss != nil { return nextWaiting() }
        guard let stream else { return nil }
        switch phase {
        case .live:
            let frame = try picture(stream)
            if let frame { lastTime = frame.time }
            return frame
        case .returning:
            if let frame = try picture(stream) {
                haveReturned(with: frame)
                return nil
            }
            if case .returning = phase { return slate(stream) }
            return nil
        case .lost: return slate(stream)
        case .ready, .reshaped, .stopped: return nil
        }
    }

    public func release(_ frame: VideoFrame) {
        // A frame of a stream that is gone goes with its reader.
        guard !reel.take(frame), let stream, stream.release(frame) else { return }
        // While pictures had no frame to be converted into, there was nothing to wait for.
        if stream.isStreaming, let node { try? gate.open(node.device.raw) }
    }

    public func nextChange() -> SourceChange? {
        changes.isEmpty ? nil : changes.removeFirst()
    }

    public func stop() {
        defer { phase = .stopped }
        try? gate.shut()
        gate.silence()
        guard let stream, stream.isStreaming else { return }
        // What was captured before this moment is taken out of the queue, which the stop empties.
        if case .live = phase { waiting = stream.drain(notAfter: nil).reversed() + waiting }
        guard let stop = try? stream.beginStop() else { return }
        stopping = (stop, .now)
        _ = stop.wait(milliseconds: 300)
    }

    /// The next whole picture; nil when there is none, or the device failed and was taken for lost.
    private func picture(_ stream: CaptureStream) throws(Failure) -> VideoFrame? {
        guard stream.broken < Self.mostBroken else {
            throw Failure(
                .noSource, "cannot record from \(name)", because: "it sends nothing but broken pictures",
                mend: "Try another cable or USB port, or a smaller --size.")
        }
        do {
            let frame = try stream.next()
            if !stream.canTake { try gate.shut() }
            if let node, node.rewatches { try rewatch(node) }
            if let frame, frame.time <= lastTime { frame.time = lastTime + 1 }
            return frame
        } catch {
            failures += 1
            let isGone = error.code == ENODEV || error.code == ENXIO
            guard failures <= Self.mostFailures || isGone else {
                throw Failure(
                    .noSource, "cannot record from \(name)", because: "its driver fails again and again: \(error)",
                    mend: "Unplug it and plug it in again.")
            }
            if case .returning = phase {
                halt(isGone ? .unplugged : .noLock)
            } else {
                lose(isGone ? .unplugged : .noLock, at: .now)
            }
            return nil
        }
    }

    /// v4l2loopback wakes a waiting program only where it began to wait while nothing was there.
    private func rewatch(_ node: CaptureNode) throws(Errno) {
        guard let stream, stream.canTake else { return }
        try gate.shut()
        try gate.open(node.device.raw)
    }

    private func nextWaiting() -> VideoFrame? {
        if let frame = waiting.popLast() {
            if waiting.isEmpty, case .live = phase { gate.silence() }
            lastTime = max(lastTime, frame.time)
            return frame
        }
        if let loss = pendingLoss { changes.append(loss) }
        pendingLoss = nil
        if !drawsSlate { gate.silence() }
        return nil
    }

    private func slate(_ stream: CaptureStream) -> VideoFrame? {
        // Until the device has stopped it may still write into what seems to be free.
        guard gate.takeTicks() > 0, stopping?.stop.hasEnded ?? true,
            let frame = reel.next(signal.slateText, from: stream)
        else {
            return nil
        }
        // Drivers may stamp their last picture a little ahead of time; a millisecond is more than a tick of any file.
        lastTime = max(.now, lastTime + 1_000_000)
        frame.time = lastTime
        return frame
    }

    /// Opens the gate for slates, and for what waits.
    func tickFromNow() {
        if drawsSlate {
            gate.tick(every: SlateReel.interval)
        } else if !waiting.isEmpty || pendingLoss != nil {
            gate.ringOnce()
        } else {
            gate.silence()
        }
    }

    /// Lets go of the buffers; frames that are out stay valid for as long as their readers have them.
    func dropStream() {
        guard let stream else { return }
        lostBefore += stream.lostFrames
        lastNumber = stream.lastNumber
        (reel, awaitsFrames) = (SlateReel(), false)
        try? gate.shut()
        // A device that is gone has nothing to give back.
        if isStreamOfNode { try? stream.free() }
        self.stream = nil
        isStreamOfNode = false
    }

    func opened() throws(Failure) -> CaptureNode {
        guard let node else { throw SignalState.unplugged.failure(of: name) ?? Self.nothing(name) }
        return node
    }

    static func nothing(_ name: String) -> Failure {
        Failure(.noSource, "cannot record from \(name)", because: "it offers no pictures")
    }

    static func hung(_ name: String) -> Failure {
        Failure(
            .noSource, "cannot record from \(name)", because: "its driver does not answer",
            mend: "Unplug it and plug it in again.")
    }
}
