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
    /// The shape of the frames: of what the device gives, or of what that is converted into.
    let format: VideoFormat
    /// All frames that are handed out.
    let frames: [VideoFrame]
    /// Frames that never came out of `next`.
    private(set) var lostFrames: UInt64 = 0
    private let queue: V4L2Queue
    /// Another device's memory, which this one fills.
    private let lent: [[SharedBuffer]]
    /// The device's buffers where the processor sees them; empty where they are handed on.
    private let mapped: [VideoFrame]
    /// Nil when the device's buffers themselves are handed on.
    private let conversion: Conversion?
    /// Who has each frame.
    private var holders: [Holder]
    /// Frames that nobody has.
    private var freeFrames = 0
    private var clock: ClockGuard
    private var counter = SequenceCounter()
    private let wholeBytes: Int
    /// Whether a whole picture has come: what a device sends before is no loss.
    private var hasBegun = false
    /// Pictures in a row that were of no use.
    private(set) var broken = 0

    private enum Holder {
        case device, reader, nobody
    }

    /// Makes buffers and frames.
    /// - Throws: `Failure` of kind noSource when the device or the kernel cannot share or map the memory so.
    init(_ node: CaptureNode, _ setting: CaptureSetting, _ memory: FrameMemory) throws(Failure) {
        self.setting = setting
        let way = try CaptureWay(node, setting, memory)
        (queue, lent, mapped, frames) = (way.queue, way.lent, way.mapped, way.frames)
        (conversion, format, wholeBytes) = (way.conversion, way.format, way.wholeBytes)
        holders = Array(repeating: .nobody, count: frames.count)
        freeFrames = frames.count
        clock = ClockGuard(rate: setting.rate)
    }

    /// Whether driver times are believed; false once one of them could not be.
    var trustsDriverTimes: Bool { clock.isTrusted }

    /// Whether the device captures.
    var isStreaming: Bool { queue.isStreaming }

    /// Whether a picture can be taken: frames that are converted into can run out.
    var canTake: Bool { conversion == nil || freeFrames > 0 }

    /// Whether no reader has a frame.
    var isWhole: Bool { !holders.contains(.reader) }

    /// Gives the device all buffers that are here and starts it.
    func start() throws(Errno) {
        if conversion == nil {
            for index in frames.indices where holders[index] == .nobody { try giveToDevice(index) }
        } else {
            for index in 0..<queue.count { try queue.enqueue(index) }
        }
        clock.resume()
        counter.resume()
        try queue.start()
    }

    /// Stops the device; its buffers come back.
    func stop() throws(Errno) {
        if conversion == nil {
            for index in holders.indices where holders[index] == .device { hold(index, .nobody) }
        }
        try queue.stop()
    }

    /// Gives the buffers back to the device's driver; the stream is of no use any more.
    func free() throws(Errno) {
        try queue.free()
    }

    /// The next picture that is whole, without waiting; nil when there is none or no frame for it.
    /// - Parameter limit: pictures that were captured later are no pictures of the signal, and no loss.
    /// - Throws: `Errno`, ENODEV when the device is gone.
    func next(notAfter limit: MonotonicTime? = nil) throws(Errno) -> VideoFrame? {
        guard canTake, let buffer = try queue.dequeue() else { return nil }
        return try frame(of: buffer, notAfter: limit)
    }

    /// A frame that nobody has, to draw a slate into it; it is the reader's from now on. Nil when there is none.
    func takeFree() -> VideoFrame? {
        guard let index = holders.firstIndex(of: .nobody) else { return nil }
        hold(index, .reader)
        return frames[index]
    }

    /// Takes a frame back from the reader.
    /// - Returns: false when it is none of these, or nobody has it.
    func release(_ frame: VideoFrame) throws(Errno) -> Bool {
        guard let index = place(of: frame), holders[index] == .reader else { return false }
        hold(index, .nobody)
        if conversion == nil && queue.isStreaming { try giveToDevice(index) }
        return true
    }

    private func place(of frame: VideoFrame) -> Int? {
        let index = frame.index
        if index >= 0, index < frames.count, frames[index] === frame { return index }
        return frames.firstIndex { $0 === frame }
    }

    private func hold(_ index: Int, _ holder: Holder) {
        if holders[index] == .nobody { freeFrames -= 1 }
        if holder == .nobody { freeFrames += 1 }
        holders[index] = holder
    }

    private func giveToDevice(_ index: Int) throws(Errno) {
        if lent.isEmpty {
            try queue.enqueue(index)
        } else {
            try queue.enqueue(index, lent[index])
        }
        hold(index, .device)
    }

    /// A buffer's picture; nil when it is no whole picture.
    private func frame(of buffer: V4L2Buffer, notAfter limit: MonotonicTime?) throws(Errno) -> VideoFrame? {
        if conversion == nil { hold(buffer.index, .nobody) }
        if let limit, buffer.time > limit {
            try giveBack(buffer.index)
            return nil
        }
        let missing = counter.missing(before: buffer.sequence)
        let time = clock.time(buffer.time, isMonotonic: buffer.isMonotonic, now: .now)
        let isWhole = !buffer.isDamaged && buffer.byteCount >= wholeBytes && buffer.offset == 0
        let result = isWhole ? picture(buffer) : nil
        broken = result == nil ? broken + 1 : 0
        if hasBegun { lostFrames += missing + (result == nil ? 1 : 0) }
        hasBegun = hasBegun || result != nil
        if result == nil || conversion != nil { try giveBack(buffer.index) }
        result?.time = time
        result?.sequence = counter.number
        result?.isSlate = false
        return result
    }

    /// A buffer that is not handed on goes back to the device at once.
    private func giveBack(_ index: Int) throws(Errno) {
        guard queue.isStreaming else { return }
        if conversion == nil { try giveToDevice(index) } else { try queue.enqueue(index) }
    }

    private func picture(_ buffer: V4L2Buffer) -> VideoFrame? {
        guard let conversion else {
            hold(buffer.index, .reader)
            return frames[buffer.index]
        }
        guard let free = holders.firstIndex(of: .nobody) else { return nil }
        let source = mapped[buffer.index]
        source.byteCount = buffer.byteCount
        guard conversion.convert(source, to: frames[free]) else { return nil }
        hold(free, .reader)
        return frames[free]
    }
}
