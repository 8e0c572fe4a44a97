import Capture
import Encoding
import Linux
import Media
import V4L2

/// The encoder of a recording: the best that can be had for its source, and when that fails the next best. To the rest of
/// the recording it is one encoder that never fails for as long as there is another. Used by the pipeline thread.
///
/// A device that fails while it runs is opened once more; when it fails again, the processor encodes from there on. What
/// was inside it is lost and counted.
final class EncoderLadder: VideoEncoder {
    /// What is encoded; the rate is the wanted one where the source is faster.
    var format: VideoFormat
    /// Pictures that went in and that no encoder gave back.
    var lostFrames: Int64 = 0
    /// Whether the encoder has failed and `mend` is to be called, once all frames are back.
    var needsMending: Bool { failure != nil && !isDraining && renewal == nil }

    /// What has to go on while a device is being opened; it answers whether there is any use in waiting on.
    var meanwhile: () -> Bool = { true }

    let source: any VideoSource
    let plan: EncodingPlan
    let wantedRate: FrameRate?
    let epoll: Epoll
    var current: (any VideoEncoder)?
    var watched: Int32?
    var path: VideoPath?
    /// All ways for the source as it is now, the best first.
    var allPaths: [VideoPath] = []
    /// What is left to try, with what is in use in front.
    var paths: ArraySlice<VideoPath> = []
    /// The transfer that the source's memory was prepared for.
    var prepared: VideoPath.Transfer?
    /// An encoder that is being opened for the next recording.
    var renewal: Renewal?
    /// Why the present encoder is of no use.
    var failure: Failure?
    var failures = 0
    /// Whether nothing goes in any more.
    var isDraining = false
    /// Whether a packet came out of the present encoder.
    var hasGiven = false
    var pending = PendingPictures()
    /// The frames that the present encoder has.
    var inside: [VideoFrame] = []
    /// Frames that a dead encoder had.
    var orphans: [VideoFrame] = []
    var notices: [EncoderNotice] = []
    var packetsOut = 0
    /// Packets that are out and belong to an encoder that is no more.
    var strayPackets = 0

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

    /// How the source's frames lie in memory of devices; nil where the processor sees them.
    var layout: V4L2Format? {
        guard case .hardware(let hardware) = path?.encoder else { return nil }
        return hardware.format
    }

    /// The same for all encoders: it stands for the present one's.
    var descriptor: Int32 { epoll.raw }

    var room: Int { failure == nil && renewal == nil ? current?.room ?? 0 : 0 }

    /// Pictures that went in and may still come out.
    var pendingCount: Int { pending.count }

    /// When the picture was captured that comes out next; nil where none is inside.
    var oldestPending: MonotonicTime? { pending.oldest }

    /// Frames that went in and did not come back.
    var framesInside: Int { inside.count + orphans.count }

    var isWorking: Bool { current?.isWorking ?? false }

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

    func nextNotice() -> EncoderNotice? {
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
}
