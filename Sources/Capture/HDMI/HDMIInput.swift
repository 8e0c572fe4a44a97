import Glibc
import Linux
import Media
import V4L2

/// Pictures from an HDMI input, a capture dongle or a camera. Used by one thread.
///
/// A device is known by its bus and its card's name, whatever its number. Frames' times are the driver's for as long as
/// they can be believed.
public final class HDMIInput: DeviceVideoSource {
    public let name: String
    public private(set) var path: String
    public let pace = Pace.live
    public private(set) var signal: SignalState
    public private(set) var format: VideoFormat
    private let wish: CaptureNode.Wish
    private let drawsSlate: Bool
    private let watch: SignalWatch
    private var gate: CaptureGate
    /// Nil while the device is gone.
    private var node: CaptureNode?
    private var setting: CaptureSetting
    private var stream: CaptureStream?
    private var memory: FrameMemory?
    private var phase = Phase.ready
    private var changes: [SourceChange] = []
    private var lostBefore: UInt64 = 0
    /// What had been captured when capturing was stopped, oldest last.
    private var remaining: [VideoFrame] = []
    private static let mostBroken = 300

    private enum Phase {
        /// Not started yet, or to be set up anew.
        case ready
        case live
        /// No signal since a moment.
        case lost(MonotonicTime)
        /// Another shape comes in, which was not taken over yet.
        case reshaped
        case stopped
    }

    /// Opens a device and waits for its signal to hold still, 200 ms; nothing is captured before `start`.
    /// - Parameters:
    ///   - device: "/dev/video0", or a card's name or bus as `kinebox devices` prints them.
    ///   - size: the wanted size; nil for the signal's own, or the best.
    ///   - rate: the wanted rate of a camera; nil for 30 or what comes nearest.
    ///   - layout: nil for the best; else pictures are taken in this one only.
    ///   - edid: what the source is shown; nil to leave it as it is. Inputs that have none are left alone.
    ///   - drawsSlate: whether frames that say so come while no signal does.
    /// - Throws: `Failure` of kind noSource or noSignal; of kind invalidValue when the device does not have the size.
    public init(
        opening device: String, size: (width: Int, height: Int)? = nil, rate: FrameRate? = nil,
        layout: PixelFormat? = nil, edid: EDID? = nil, drawsSlate: Bool = true
    ) throws(Failure) {
        let node = try CaptureNode(opening: try DeviceList.path(ofVideo: device))
        wish = CaptureNode.Wish(
            size: size.map { V4L2Sizes.Size($0.width, $0.height) }, rate: rate, layout: layout)
        self.drawsSlate = drawsSlate
        name = node.device.name
        path = node.device.path
        do {
            watch = try SignalWatch()
            try watch.attach(node.receiver)
            gate = try CaptureGate()
        } catch {
            throw V4L2Failure.using(node.device, "wait for", error)
        }
        let reading = try Self.awaitSignal(watch, name)
        signal = reading.state
        try Self.use(reading, node)
        let shape = signal.shape
        guard let first = try node.offers(wish, shape).first else { throw Self.nothing(name) }
        setting = try node.set(first, wish, shape)
        format = setting.videoFormat
        self.node = node
    }

    public var descriptor: Int32 { gate.descriptor }
    public var signalDescriptor: Int32 { watch.descriptor }
    public var lostFrames: UInt64 { lostBefore + (stream?.lostFrames ?? 0) }
    public var isFinished: Bool {
        if case .stopped = phase { return remaining.isEmpty }
        return false
    }
    public var isReadableByDevices: Bool { node.map { $0.device.driver != "uvcvideo" } ?? true }

    /// Whether the driver's times are believed; false once one of them could not be.
    public var trustsDriverTimes: Bool { stream?.trustsDriverTimes ?? true }

    public func offers() throws(Failure) -> [V4L2Format] {
        try opened().offers(wish, signal.shape)
    }

    public func trying(_ format: V4L2Format) -> V4L2Format? {
        node?.trying(format)
    }

    public func choose(_ format: V4L2Format) throws(Failure) -> V4L2Format {
        let node = try opened()
        setting = try node.set(format, wish, signal.shape)
        self.format = setting.videoFormat
        return setting.format
    }

    public func prepare(_ memory: FrameMemory) throws(Failure) {
        let node = try opened()
        let stream = try CaptureStream(node, setting, memory)
        self.memory = memory
        self.stream = stream
        format = stream.format
    }

    public func start() throws(Failure) {
        if stream == nil { try prepare(.process) }
        guard let node, let stream else { throw Self.nothing(name) }
        do {
            try stream.start()
            try gate.open(node.device.raw)
        } catch {
            throw V4L2Failure.using(node.device, "start", error)
        }
        phase = .live
    }

    public func nextFrame() throws(Failure) -> VideoFrame? {
        switch phase {
        case .live: return try livePicture()
        case .stopped: return remaining.popLast()
        case .ready, .lost, .reshaped: return nil
        }
    }

    public func release(_ frame: VideoFrame) {
        guard let stream, let node else { return }
        // Should the device be gone, `nextFrame` tells of it.
        _ = try? stream.release(frame)
        if case .live = phase { try? gate.open(node.device.raw) }
    }

    public func watchSignal() {
        _ = watch.look()
    }

    public func nextChange() -> SourceChange? {
        changes.isEmpty ? nil : changes.removeFirst()
    }

    public func adopt() throws(Failure) {
    }

    public func stop() {
        guard let stream else { return phase = .stopped }
        // What was captured before this moment is taken out of the queue, which the stop empties.
        if case .live = phase {
            while let frame = try? stream.next() { remaining.append(frame) }
            remaining.reverse()
        }
        phase = .stopped
        try? gate.shut()
        try? stream.stop()
    }

    private func livePicture() throws(Failure) -> VideoFrame? {
        guard let node, let stream else { return nil }
        guard stream.broken < Self.mostBroken else {
            throw Failure(
                .noSource, "cannot record from \(name)", because: "it sends nothing but broken pictures",
                mend: "Try another cable or USB port, or a smaller --size.")
        }
        do {
            let frame = try stream.next()
            if !stream.canTake { try gate.shut() }
            return frame
        } catch {
            throw V4L2Failure.using(node.device, "record from", error)
        }
    }

    private func opened() throws(Failure) -> CaptureNode {
        guard let node else {
            throw SignalState.unplugged.failure(of: name) ?? Self.nothing(name)
        }
        return node
    }

    private static func nothing(_ name: String) -> Failure {
        Failure(.noSource, "cannot record from \(name)", because: "it offers no pictures")
    }

    /// Waits until the signal holds still.
    /// - Throws: `Failure` of kind noSignal or noSource that tells why there is none.
    private static func awaitSignal(_ watch: SignalWatch, _ name: String) throws(Failure) -> V4L2Receiver.Reading {
        var finding = watch.look()
        while !finding.isSettled {
            if case .locked(nil) = finding.reading.state { break }
            watch.wait()
            finding = watch.look()
        }
        if let failure = finding.reading.state.failure(of: name) { throw failure }
        return finding.reading
    }

    private static func use(_ reading: V4L2Receiver.Reading, _ node: CaptureNode) throws(Failure) {
        guard let timings = reading.timings else { return }
        do {
            try node.receiver.use(timings)
        } catch {
            throw V4L2Failure.using(node.device, "set the timings of", error)
        }
    }
}

extension SignalState {
    /// What comes in, where that is known.
    var shape: SignalShape? {
        if case .locked(let shape) = self { return shape }
        return nil
    }
}
