import Glibc
import Linux
import Media
import Pixels
import V4L2

/// The buffers of a capture device with one setting, as frames in the memory that was asked for. Used by one thread.
///
/// Frames that the driver marks as damaged, that are short, or whose JPEG is broken are dropped and counted as lost, and so
/// are gaps in the driver's numbers.
final class CaptureStream {
    let setting: CaptureSetting
    /// Frames that never came out of `next`.
    private(set) var lostFrames: UInt64 = 0
    /// Pictures in a row that were of no use.
    private(set) var broken = 0
    private var way: CaptureWay
    /// Who has each frame.
    private var holders: [Holder]
    /// Frames that nobody has.
    private var freeFrames: Int
    /// Buffers that the device did not take; they are offered to it again.
    private var strays: [Int] = []
    private var clock: ClockGuard
    private var counter: SequenceCounter
    /// Whether a whole picture has come since the start: what a device sends before is no loss.
    private var hasBegun = false

    private enum Holder {
        case device, reader, nobody
    }

    /// Makes buffers and frames.
    /// - Parameter sequence: the number of the last picture before.
    /// - Throws: `Failure` of kind noSource when the device or the kernel cannot share or map the memory so.
    init(
        _ node: CaptureNode, _ setting: CaptureSetting, _ memory: FrameMemory, after sequence: UInt64?
    ) throws(Failure) {
        self.setting = setting
        way = try CaptureWay(node, setting, memory)
        holders = Array(repeating: .nobody, count: way.frames.count)
        freeFrames = way.frames.count
        clock = ClockGuard(rate: setting.rate)
        counter = SequenceCounter(after: sequence)
    }

    /// The shape of the frames: of what the device gives, or of what that is converted into.
    var format: VideoFormat { way.format }

    /// Whether driver times are believed; false once one of them could not be.
    var trustsDriverTimes: Bool { clock.isTrusted }

    /// Whether the device captures.
    var isStreaming: Bool { way.queue.isStreaming }

    /// Whether a picture can be taken: frames that are converted into can run out.
    var canTake: Bool { way.conversion == nil || freeFrames > 0 }

    /// Whether no reader has a frame.
    var isWhole: Bool { !holders.contains(.reader) }

    /// The number of the last picture, or of what came in place of one.
    var lastNumber: UInt64 { counter.number }

    /// Gives the device all buffers that are here and starts it.
    /// - Throws: the driver's `Errno`; its buffers are all here again then.
    func start() throws(Errno) {
        strays.removeAll(keepingCapacity: true)
        hasBegun = false
        clock.resume()
        counter.resume()
        do throws(Errno) {
            if way.conversion == nil {
                for index in holders.indices where holders[index] == .nobody { giveToDevice(index) }
            } else {
                for index in 0..<way.queue.count { giveToDevice(index) }
            }
            guard way.queue.queued > 0 else { throw Errno(ENOBUFS) }
            try way.queue.start()
        } catch {
            try? way.queue.stop()
            takeBack()
            throw error
        }
    }

    /// Stops the device, without waiting for it; its buffers count as taken back at once.
    func beginStop() throws(Errno) -> V4L2Stop {
        takeBack()
        return try way.queue.beginStop()
    }

    /// Stops the device; its buffers come back.
    func stop() throws(Errno) {
        takeBack()
        try way.queue.stop()
    }

    /// Gives the buffers back to the driver; the stream is of no use any more.
    func free() throws(Errno) {
        try way.queue.free()
    }

    /// Brings what goes on into other memory, without a stop.
    /// - Returns: false when that takes other buffers of the device.
    func change(to memory: FrameMemory) throws(Failure) -> Bool {
        guard isWhole, try way.change(to: memory, setting) else { return false }
        let isHandedOn = way.conversion == nil
        holders = way.frames.indices.map { _ in isHandedOn && way.queue.isStreaming ? .device : .nobody }
        freeFrames = isHandedOn && way.queue.isStreaming ? 0 : way.frames.count
        return true
    }

    /// The next picture that is whole, without waiting; nil when there is none or no frame for it.
    /// - Parameter limit: pictures that were captured later are no pictures of the signal, and no loss.
    /// - Throws: `Errno`, ENODEV when the device is gone.
    func next(notAfter limit: MonotonicTime? = nil) throws(Errno) -> VideoFrame? {
        guard canTake, let buffer = try way.queue.dequeue() else { return nil }
        if !strays.isEmpty { offerStrays() }
        return frame(of: buffer, notAfter: limit)
    }

    /// All pictures that wait, oldest first.
    /// - Parameter limit: as for `next`.
    func drain(notAfter limit: MonotonicTime?) -> [VideoFrame] {
        var waiting: [VideoFrame] = []
        // Should the device be gone, there is nothing to be had from it.
        for _ in 0..<way.queue.count where canTake {
            guard let buffer = try? way.queue.dequeue() else { break }
            if let frame = frame(of: buffer, notAfter: limit) { waiting.append(frame) }
        }
        return waiting
    }

    /// A frame that nobody has, to draw a slate into it; it is the reader's from now on. Nil when there is none.
    func takeFree() -> VideoFrame? {
        guard let index = holders.firstIndex(of: .nobody) else { return nil }
        hold(index, .reader)
        return way.frames[index]
    }

    /// The number of what comes in place of a picture.
    func takeNumber() -> UInt64 {
        counter.advance()
        return counter.number
    }

    /// Lets the processor draw into a frame, in the frames' shape.
    /// - Throws: `Errno` when its memory cannot be mapped.
    func draw(into frame: VideoFrame, _ body: ([VideoFrame.Plane]) -> Void) throws(Errno) {
        try way.draw(into: frame, setting, body)
    }

    /// Takes a frame back from the reader.
    /// - Returns: false when it is none of these, or nobody has it.
    @discardableResult
    func release(_ frame: VideoFrame) -> Bool {
        guard let index = place(of: frame), holders[index] == .reader else { return false }
        hold(index, .nobody)
        if way.conversion == nil && way.queue.isStreaming { giveToDevice(index) }
        return true
    }

    private func place(of frame: VideoFrame) -> Int? {
        let index = frame.index
        if index >= 0, index < way.frames.count, way.frames[index] === frame { return index }
        return way.frames.firstIndex { $0 === frame }
    }

    private func hold(_ index: Int, _ holder: Holder) {
        if holders[index] == .nobody { freeFrames -= 1 }
        if holder == .nobody { freeFrames += 1 }
        holders[index] = holder
    }

    /// A buffer that the device refuses is offered again later: should the device be gone, the next picture tells.
    private func giveToDevice(_ index: Int) {
        do {
            if way.lent.isEmpty {
                try way.queue.enqueue(index)
            } else {
                try way.queue.enqueue(index, way.lent[index])
            }
            if way.conversion == nil { hold(index, .device) }
        } catch {
            strays.append(index)
        }
    }

    private func offerStrays() {
        let all = strays
        strays.removeAll(keepingCapacity: true)
        for index in all where way.conversion != nil || holders[index] == .nobody { giveToDevice(index) }
    }

    private func takeBack() {
        guard way.conversion == nil else { return }
        for index in holders.indices where holders[index] == .device { hold(index, .nobody) }
    }

    /// A buffer's picture; nil when it is no whole picture.
    private func frame(of buffer: V4L2Buffer, notAfter limit: MonotonicTime?) -> VideoFrame? {
        if way.conversion == nil { hold(buffer.index, .nobody) }
        if let limit, clock.isTrusted, buffer.time > limit {
            giveToDevice(buffer.index)
            return nil
        }
        let missing = counter.missing(before: buffer.sequence)
        let time = clock.time(buffer.time, isMonotonic: buffer.isMonotonic, now: .now)
        let isWhole = !buffer.isDamaged && buffer.byteCount >= way.wholeBytes
        let result = isWhole ? picture(buffer) : nil
        broken = result == nil ? broken + 1 : 0
        if hasBegun { lostFrames += missing + (result == nil ? 1 : 0) }
        hasBegun = hasBegun || result != nil
        if result == nil || way.conversion != nil { giveToDevice(buffer.index) }
        result?.time = time
        result?.sequence = counter.number
        result?.isSlate = false
        return result
    }

    private func picture(_ buffer: V4L2Buffer) -> VideoFrame? {
        guard way.shift(to: buffer.offset) else { return nil }
        guard let conversion = way.conversion else {
            hold(buffer.index, .reader)
            return way.frames[buffer.index]
        }
        guard let free = holders.firstIndex(of: .nobody) else { return nil }
        let source = way.mapped[buffer.index]
        source.byteCount = buffer.byteCount
        guard conversion.convert(source, to: way.frames[free]) else { return nil }
        hold(free, .reader)
        return way.frames[free]
    }
}
