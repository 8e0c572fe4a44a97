import Capture
import Encoding
import Linux
import Media
import Pixels
import V4L2

/// The encoder of a recording: the best that can be had for its source, and when that fails the next best. To the rest of
/// the recording it is one encoder that never fails for as long as there is another. Used by the pipeline thread.
///
/// A device that fails while it runs is opened once more; when it fails again, the processor encodes from there on. What
/// was inside it is lost and counted.
final class EncoderLadder: VideoEncoder {
    /// What is encoded; the rate is the wanted one where the source is faster.
    private(set) var format: VideoFormat
    /// Pictures that went in and that no encoder gave back.
    private(set) var lostFrames: Int64 = 0
    /// Whether the encoder has failed and `mend` is to be called, once all frames are back.
    var needsMending: Bool { failure != nil && !isDraining }

    /// What has to go on while a device is being opened; it answers whether there is any use in waiting on.
    var meanwhile: () -> Bool = { true }

    let source: any VideoSource
    let plan: EncodingPlan
    private let wantedRate: FrameRate?
    private let epoll: Epoll
    private(set) var current: (any VideoEncoder)?
    private var watched: Int32?
    private(set) var path: VideoPath?
    /// What is left to try, with what is in use in front.
    private var paths: ArraySlice<VideoPath> = []
    /// Why the present encoder is of no use.
    private var failure: Failure?
    private var failures = 0
    /// Whether nothing goes in any more.
    private(set) var isDraining = false
    /// Whether a packet came out of the present encoder.
    private var hasGiven = false
    private var pending = PendingPictures()
    /// The frames that the present encoder has.
    private var inside: [VideoFrame] = []
    /// Frames that a dead encoder had.
    private var orphans: [VideoFrame] = []
    private var notices: [String] = []
    private var packetsOut = 0
    /// Packets that are out and belong to an encoder that is no more.
    private var strayPackets = 0

    /// Opens the best encoder that works, and sets the source up for it.
    /// - Parameters:
    ///   - source: not started yet.
    ///   - rate: pictures a second that will be handed over, where that is less than the source has.
    /// - Throws: `Failure` when none works.
    init(for source: any VideoSource, _ plan: EncodingPlan, rate: FrameRate?) throws(Failure) {
        self.source = source
        self.plan = plan
        wantedRate = rate
        format = source.format
        do {
            epoll = try Epoll()
        } catch {
            throw Failure(.internalFault, "cannot watch the encoder", because: "\(error)")
        }
        inside.reserveCapacity(PendingPictures.capacity)
        orphans.reserveCapacity(PendingPictures.capacity)
        try open()
    }

    // MARK: The encoder that the recording sees

    var name: String { current?.name ?? "no encoder" }

    /// Who encodes and why so: "bcm2835-codec-encode (zero copy: ...)".
    var words: String {
        path.map { "\(name) (\($0.reason))" } ?? name
    }

    /// The same for all encoders: it stands for the present one's.
    var descriptor: Int32 { epoll.raw }

    var room: Int { failure == nil ? current?.room ?? 0 : 0 }

    /// Pictures that went in and may still come out.
    var pendingCount: Int { pending.count }

    /// Frames that went in and did not come back.
    var framesInside: Int { inside.count + orphans.count }

    var isDrained: Bool { isDraining && (failure != nil || current?.isDrained ?? true) }

    func submit(_ frame: VideoFrame, forcingKeyFrame: Bool) throws(Failure) -> Bool {
        guard failure == nil, let current else { return false }
        do throws(Failure) {
            guard try current.submit(frame, forcingKeyFrame: forcingKeyFrame) else { return false }
        } catch {
            try lose(error)
            return false
        }
        inside.append(frame)
        lostFrames += pending.add(frame.time)
        return true
    }

    func nextPacket() throws(Failure) -> EncodedPacket? {
        guard failure == nil, let current else { return nil }
        do throws(Failure) {
            guard let packet = try current.nextPacket() else { return nil }
            lostFrames += pending.remove(packet.time)
            packetsOut += 1
            hasGiven = true
            if packet.parameterSets != nil, let device = current as? any DeviceVideoEncoder {
                format.color = device.outputColor
            }
            return packet
        } catch {
            try lose(error)
            return nil
        }
    }

    func recycle(_ packet: EncodedPacket) {
        packetsOut -= 1
        // Packets come back in their order: those of a dead encoder first.
        if strayPackets > 0 {
            strayPackets -= 1
        } else {
            current?.recycle(packet)
        }
    }

    func nextReleasedFrame() -> VideoFrame? {
        if let frame = orphans.popLast() { return frame }
        // A dead encoder would give back what has been given back as an orphan.
        guard failure == nil, let frame = current?.nextReleasedFrame() else { return nil }
        if let place = inside.firstIndex(where: { $0 === frame }) { inside.remove(at: place) }
        return frame
    }

    func nextNotice() -> String? {
        notices.isEmpty ? current?.nextNotice() : notices.removeFirst()
    }

    func drain() throws(Failure) {
        isDraining = true
        guard failure == nil, let current else { return }
        do throws(Failure) {
            try current.drain()
        } catch {
            try lose(error)
        }
    }

    // MARK: One step down

    /// Gives all pictures inside up: their frames come back by `nextReleasedFrame`. Nothing comes out any more until
    /// another encoder was opened.
    func giveUp(because reason: Failure? = nil) {
        lostFrames += pending.removeAll()
        orphans += inside
        inside.removeAll(keepingCapacity: true)
        let usual = Failure(.encoderFailed, "cannot encode", because: "the encoder was given up")
        if failure == nil { failure = reason ?? usual }
    }

    /// Ends the encoder, so that nobody reads frames any more; then they may be taken back and their memory may go.
    func retire() {
        if let watched { try? epoll.remove(watched) }
        (watched, current) = (nil, nil)
        giveUp()
    }

    private func lose(_ error: Failure) throws(Failure) {
        guard case .hardware = path?.encoder else { throw error }
        giveUp()
        failure = error
    }

    /// Puts another encoder in the place of the one that failed. All frames must be back.
    /// - Throws: `Failure` when no other is left.
    func mend() throws(Failure) {
        guard let failure, let broken = path else { return }
        let name = name
        failures += 1
        var reason = failure
        // What never gave anything will not do so the next time; the next way may go without what it cannot.
        let next = hasGiven && failures < 2 ? [broken] : paths.dropFirst().filter(isReachable)
        close()
        for path in next + [softwarePath(instead: broken)] {
            do throws(Failure) {
                try openRunning(path)
                if let place = paths.firstIndex(of: path) { paths = paths[place...] }
                notices.append(Self.words(name, failure, path, isSame: path == broken))
                return
            } catch {
                reason = error
                failures += 1
                if case .software = path.encoder { break }
            }
        }
        throw reason
    }

    private static func words(_ name: String, _ failure: Failure, _ path: VideoPath, isSame: Bool) -> String {
        let what = "\(name) failed (\(failure.cause))"
        if isSame { return "\(what) and was opened again" }
        if case .software = path.encoder { return "\(what): the processor encodes from here on" }
        return "\(what): the recording goes on without it, \(path.reason)"
    }

    /// While a source runs, its layout stays as it is.
    private func isReachable(_ path: VideoPath) -> Bool {
        if case .hardware = path.encoder, failures > 1 { return false }
        return path.captureFormat == self.path?.captureFormat
    }

    private func softwarePath(instead path: VideoPath) -> VideoPath {
        VideoPath(
            captureFormat: path.captureFormat, encoder: .software, transfer: .process,
            reason: "software: the board's encoder failed")
    }

    /// Puts the encoder away; it closes by itself, without being waited for.
    private func close() {
        if let watched { try? epoll.remove(watched) }
        watched = nil
        current = nil
        failure = nil
        strayPackets = packetsOut
        lostFrames += pending.removeAll()
        inside.removeAll(keepingCapacity: true)
        hasGiven = false
        isDraining = false
    }
}

// MARK: Opening

extension EncoderLadder {
    /// Opens the best encoder that works for the source as it is now, in place of the one that was. All frames must be
    /// back, and the source must not be running.
    /// - Throws: `Failure` when none works.
    func open() throws(Failure) {
        close()
        var plan = plan
        // A recording that has been going on is worth more than the wish for hardware.
        if failures > 1 { plan.preference = .software }
        let all = try plan.maker.paths(for: source, plan)
        var reason = Failure(.encoderFailed, "cannot encode", because: "there is no encoder")
        for (number, path) in all.enumerated() {
            do throws(Failure) {
                if let device = source as? any DeviceVideoSource { try choose(path, of: device) }
                try openRunning(path)
                paths = all[number...]
                return
            } catch {
                reason = error
                if number + 1 < all.count { notices.append("not possible: \(path.reason). \(error)") }
            }
        }
        throw reason
    }

    private func choose(_ path: VideoPath, of device: any DeviceVideoSource) throws(Failure) {
        guard let wanted = path.captureFormat else { return }
        let chosen = try device.choose(wanted)
        guard !path.isZeroCopy || (chosen.planes == wanted.planes && chosen.fourcc == wanted.fourcc) else {
            throw Failure(
                .encoderFailed, "cannot share the pictures of \(source.name) with the encoder",
                because: "the driver lays them out otherwise than it had promised")
        }
        guard case .converter(let way) = path.transfer else { return }
        guard let converted = device as? ConvertedSource else {
            throw Failure(
                .encoderFailed, "cannot convert the pictures of \(source.name) by \(way.card)",
                because: "its pictures do not go through converters")
        }
        try converted.convert(
            ConvertedSource.Setting(path: way.path, input: way.input, output: way.output, isLent: way.isLent))
    }

    /// Opens an encoder and prepares the source's memory for it; the source may be running, without a frame out.
    private func openRunning(_ path: VideoPath) throws(Failure) {
        let device = source as? any DeviceVideoSource
        // The converter of a way that failed is left behind.
        if case .converter = path.transfer {} else { try (device as? ConvertedSource)?.convert(nil) }
        switch path.encoder {
        case .software:
            try device?.prepare(.process)
            use(try openSoftware(), path)
        case .hardware(let hardware):
            let encoder = try openHardware(hardware, path.transfer, device)
            use(encoder, path)
        }
    }

    private func openHardware(
        _ hardware: VideoPath.Hardware, _ transfer: VideoPath.Transfer, _ device: (any DeviceVideoSource)?
    ) throws(Failure) -> any VideoEncoder {
        var shape = shape
        let input = HardwareEncoder.Input(transfer)
        if case .written = input, let layout = V4L2Layout.of(hardware.format.fourcc)?.pixelFormat {
            // The encoder's memory must be there before the source can convert into it: what it will get is told ahead.
            shape.color = Conversion.color(of: shape.pixelFormat, shape.color, to: layout)
            shape.pixelFormat = layout
        }
        let encoder = try awaitOpening(hardware, shape, input)
        switch input {
        case .imported: try device?.prepare(.device)
        case .lent: try device?.prepare(.lent(encoder.lentBuffers))
        case .written:
            guard let layout = V4L2Layout.of(hardware.format.fourcc) else {
                throw Failure(.encoderFailed, "cannot write for the encoder", because: "its layout is not known here")
            }
            try device?.prepare(.written(encoder.frames, as: layout.pixelFormat))
        case .copied: break
        }
        return encoder
    }

    private func awaitOpening(
        _ hardware: VideoPath.Hardware, _ shape: VideoFormat, _ input: HardwareEncoder.Input
    ) throws(Failure) -> any DeviceVideoEncoder {
        let (maker, bitrate) = (plan.maker, plan.bitrate(for: shape))
        let opening = try PendingEncoder { () throws(Failure) in
            try maker.open(hardware, shape, input, bitrate: bitrate)
        }
        while true {
            if let result = opening.take() { return try result.get() }
            guard meanwhile() else {
                throw Failure(
                    .encoderFailed, "cannot open \(hardware.card)", because: "the recording ended before it was there")
            }
        }
    }

    private func openSoftware() throws(Failure) -> any VideoEncoder {
        let shape = shape
        var configuration = SoftwareEncoder.Configuration(format: shape, bitrate: plan.bitrate(for: shape))
        configuration.preset = plan.preset
        configuration.threads = plan.threads
        configuration.isLive = source.pace == .live
        return try plan.maker.openSoftware(configuration)
    }

    private func use(_ encoder: any VideoEncoder, _ path: VideoPath) {
        current = encoder
        self.path = path
        format = shape
        let descriptor = encoder.descriptor
        if (try? epoll.add(descriptor, for: .readable, token: 0)) != nil { watched = descriptor }
    }

    /// The source's shape, at the rate that is handed over.
    private var shape: VideoFormat {
        var shape = source.format
        if let wantedRate, wantedRate.perSecond < shape.rate.perSecond { shape.rate = wantedRate }
        return shape
    }
}
