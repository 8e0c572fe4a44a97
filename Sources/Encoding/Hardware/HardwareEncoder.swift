import Glibc
import Linux
import Media
import V4L2

/// H.264 by an encoder of the board: a V4L2 stateful encoder, memory to memory, with one or several planes, by the kernel or
/// by a plugin of libv4l2. Used by one thread.
///
/// A frame goes into the buffer with its own number, so that the device looks at its memory once. For each picture there are
/// in the long run four system calls: a raw buffer in, a coded one out and in again, a raw one out. Nothing is allocated.
///
/// The encoder may leave pictures out (`skippedFrames`). After a coded picture that is damaged, pictures up to the next key
/// frame are left out too (`damagedFrames`), since they cannot be decoded without it. An encoder that stands still for a
/// second, or whose device fails, makes every call throw from then on; its frames come back all the same.
///
/// Where the device cannot make a key frame when asked, a part of a recording begins with the next that comes by itself.
public final class HardwareEncoder: VideoEncoder {
    public let name: String
    public let descriptor: Int32
    /// For `Input.lent`: the memory that another device writes the frames into, buffer by buffer; a frame's `index` is its
    /// place in this list. Valid until `close`.
    public var lentBuffers: [[SharedBuffer]] { buffers.lent }
    /// For `Input.written`: the frames that the processor writes into; valid until `close`.
    public var frames: [VideoFrame] { buffers.frames }
    /// What the stream's samples mean. It is the frames' colour, but for R'G'B', of which the encoder makes Y'CbCr: then it is
    /// known by the first packet.
    public var outputColor: ColorDescription { header.color }
    /// Raw buffers that the device has in all; for `Input.imported`, frames' numbers are below it.
    public var bufferCount: Int { setup.raw.count }
    /// Pictures that the encoder left out.
    public private(set) var skippedFrames: UInt64 = 0
    /// Pictures that came out damaged, or cannot be decoded without one that did.
    public private(set) var damagedFrames: UInt64 = 0
    private let setup: EncoderSetup
    private var buffers: RawBuffers
    private var pending = PendingPictures(capacity: 64)
    private var header: StreamHeader
    private var probes = ProbePolicy()
    private var stall = StallWatch()
    private var drainage: Drainage?
    private var keyFrames: KeyFrameWish
    /// Pictures are of no use until the next key frame; the first of them, once there was one.
    private var awaitsKeyFrame = true
    private var uselessSince: MonotonicTime?
    /// Nanoseconds that a key frame may let itself be waited for.
    private let longestWait: Int64
    private var notice: EncoderNotice?
    private var idle: [EncodedPacket] = []
    private var failure: Failure?
    private var isClosed = false

    /// Opens an encoder and starts it. A device that hangs holds the caller up: `open` does not.
    /// - Throws: `Failure` of kind encoderFailed that says what the device refuses.
    public init(_ configuration: Configuration) throws(Failure) {
        let setup = try EncoderSetup(configuration)
        do throws(Failure) {
            buffers = try RawBuffers(setup, configuration)
        } catch {
            V4L2Disposal.dispose(setup.device, [setup.raw, setup.coded])
            throw error
        }
        self.setup = setup
        name = setup.device.card
        descriptor = setup.device.raw
        header = StreamHeader(configuration.format, setup.layout.pixelFormat)
        keyFrames = KeyFrameWish(seconds: configuration.keyFrameSeconds, rate: configuration.format.rate)
        longestWait = Int64(configuration.keyFrameSeconds + 2) * 1_000_000_000
        idle.reserveCapacity(64)
    }

    deinit { close() }

    public var room: Int {
        failure == nil && drainage == nil ? buffers.room(queued: setup.raw.queued) : 0
    }

    /// Always false: a device does not tell what it keeps from what it works on.
    public var isWorking: Bool { false }

    public var isDrained: Bool { drainage?.isOver == true }

    public func submit(_ frame: VideoFrame, forcingKeyFrame: Bool) throws(Failure) -> Bool {
        if let failure { throw failure }
        guard drainage == nil, try buffers.hasPlace(for: frame), let index = buffers.take(frame) else { return false }
        if keyFrames.isDue(at: frame.time, forced: forcingKeyFrame) { setup.controls.forceKeyFrame() }
        do throws(Errno) {
            try setup.raw.enqueue(index, frame.buffers, byteCounts: buffers.byteCounts, time: frame.time)
        } catch {
            buffers.undo(index)
            throw fail("giving it a picture", error)
        }
        skippedFrames += UInt64(pending.add(frame.time))
        // The frame was taken: what is found here is told by the next call.
        if stall.noteSubmit() { try? lookAtClock() }
        return true
    }

    public func nextPacket() throws(Failure) -> EncodedPacket? {
        if let failure { throw failure }
        guard drainage?.isOver != true, probes.asksForCoded(pending: pending.count) else { return nil }
        // While draining, all that is there is taken at once; else one buffer a call.
        repeat {
            guard let buffer = try dequeueCoded() else { return nil }
            let packet = try packet(of: buffer)
            if let packet { return packet }
        } while drainage?.isOver == false
        return nil
    }

    public func recycle(_ packet: EncodedPacket) {
        packet.reset()
        idle.append(packet)
    }

    public func nextReleasedFrame() -> VideoFrame? {
        if let frame = buffers.nextCopied() { return frame }
        if failure != nil || drainage?.isGivenUp == true { return buffers.removeAny() }
        while probes.asksForRaw(queued: setup.raw.queued, of: setup.raw.count) {
            // A device that fails tells so by `nextPacket`.
            guard let buffer = try? setup.raw.dequeue() else {
                probes.note(rawFound: false, queued: setup.raw.queued)
                return nil
            }
            probes.note(rawFound: true, queued: setup.raw.queued)
            stall.noteRelease()
            if let frame = buffers.giveBack(buffer.index) { return frame }
        }
        return nil
    }

    public func nextNotice() -> EncoderNotice? { notice.take() }

    public func drain() throws(Failure) {
        if let failure { throw failure }
        guard drainage == nil else { return }
        probes.isEager = true
        do throws(Errno) {
            try setup.device.stopEncoder()
            drainage = Drainage(at: .now, tellsEnd: true)
        } catch {
            // Drivers older than the command have none: what is inside comes out, but nobody says that it is all.
            drainage = Drainage(at: .now, tellsEnd: false)
        }
    }

    /// Gives the device up, without waiting for it: it is stopped and closed on a thread of its own. The encoder's memory must
    /// not be touched any more; frames that were inside come from `nextReleasedFrame`.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        failure = failure ?? Failure(.encoderFailed, "cannot encode with \(name)", because: "it was closed")
        V4L2Disposal.dispose(setup.device, [setup.raw, setup.coded])
    }
}

// MARK: What comes out

extension HardwareEncoder {
    /// The next coded buffer; nil when there is none, or when draining is over.
    private func dequeueCoded() throws(Failure) -> V4L2Buffer? {
        do throws(Errno) {
            if let buffer = try setup.coded.dequeue() {
                stall.noteCoded()
                drainage?.noteCoded()
                return buffer
            }
        } catch {
            guard error.code == EPIPE, drainage != nil else { throw fail("taking pictures from it", error) }
            endDraining()
            return nil
        }
        if drainage != nil {
            drainage?.noteNothing(at: .now, queued: setup.raw.queued, pending: pending.count)
            if drainage?.isOver == true { endDraining() }
        } else if pending.count > 0, stall.noteNothing() {
            try lookAtClock()
        }
        return nil
    }

    /// Copies a coded buffer's picture out and gives the buffer back.
    private func packet(of buffer: V4L2Buffer) throws(Failure) -> EncodedPacket? {
        let packet = idle.popLast() ?? EncodedPacket()
        let memory = setup.coded.memory(buffer.index, plane: 0)
        let end = min(buffer.offset + buffer.byteCount, memory.count)
        let bytes = UnsafeRawBufferPointer(rebasing: memory[min(buffer.offset, end)..<end])
        var content: CodedBuffer.Content
        do throws(Failure) {
            content = try CodedBuffer.sort(bytes, into: packet, &header)
        } catch {
            failure = error
            throw error
        }
        // A picture that fills its buffer to the last byte did not fit.
        if !bytes.isEmpty, buffer.isDamaged || end == memory.count { content = .damaged }
        if buffer.isLast {
            endDraining(keeping: content == .noPicture ? 0 : 1)
        } else {
            do throws(Errno) {
                try setup.coded.enqueue(buffer.index)
            } catch {
                throw fail("giving it a buffer", error)
            }
        }
        if try isUsable(content, packet, at: buffer.time) { return packet }
        recycle(packet)
        return nil
    }

    /// Matches a picture to its frame, and decides whether it goes into the file.
    private func isUsable(
        _ content: CodedBuffer.Content, _ packet: EncodedPacket, at time: MonotonicTime
    ) throws(Failure) -> Bool {
        guard content != .noPicture, let match = pending.match(time) else { return false }
        skippedFrames += UInt64(match.skipped)
        probes.note(finished: 1 + match.skipped)
        guard case .picture(let isKeyFrame) = content, isKeyFrame || !awaitsKeyFrame else {
            try noteUseless(at: match.time, isDamaged: content == .damaged)
            return false
        }
        keyFrames.note(match.time, isKeyFrame: isKeyFrame)
        (awaitsKeyFrame, uselessSince) = (false, nil)
        packet.time = match.time
        packet.parameterSets = header.takeNewSets()
        return true
    }

    /// A picture that is damaged, or that cannot be decoded without one that was.
    private func noteUseless(at time: MonotonicTime, isDamaged: Bool) throws(Failure) {
        damagedFrames += 1
        awaitsKeyFrame = true
        if isDamaged { keyFrames.noteLoss() } else { keyFrames.note(time, isKeyFrame: false) }
        let since = uselessSince ?? time
        uselessSince = since
        guard time - since > longestWait else { return }
        throw fail(because: "it gives no picture that can be decoded")
    }

    private func endDraining(keeping count: Int = 0) {
        let isGivenUp = drainage?.isGivenUp == true
        drainage?.noteLast()
        let left = max(pending.count - count, 0)
        if isGivenUp {
            notice = EncoderNotice(
                .loss, "the encoder was not done after two seconds: \(left) pictures were left in it")
        }
        skippedFrames += UInt64(left)
        if count == 0 { _ = pending.removeAll() }
    }

    private func lookAtClock() throws(Failure) {
        if stall.isStalled(at: .now) {
            throw fail(because: "it stands still with \(pending.count) pictures inside")
        }
    }

    private func fail(_ doing: String, _ reason: Errno) -> Failure {
        fail(because: "\(doing) fails: \(V4L2Failure.using(setup.device, "use", reason).cause)")
    }

    private func fail(because cause: String) -> Failure {
        let failure = Failure(.encoderFailed, "\(name) gave up", because: cause)
        self.failure = failure
        return failure
    }
}
