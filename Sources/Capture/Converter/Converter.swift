import Glibc
import Linux
import Media
import V4L2

/// A converter that is open: pictures go in by the queue that V4L2 calls OUTPUT, as dma-bufs of the source or in its own
/// buffers that the source fills, and come out by the one called CAPTURE. The processor sees none of them. Used by one
/// thread.
final class Converter {
    /// What a person knows it by.
    let name: String
    /// The pictures that come out.
    private(set) var frames: [VideoFrame] = []
    /// Pictures that went in and of which nothing will come.
    private(set) var lostFrames: UInt64 = 0
    private let device: V4L2Device
    private let types: (input: V4L2BufferType, output: V4L2BufferType)
    private var formats: (input: V4L2Format, output: V4L2Format)?
    private var input: V4L2Queue?
    private var output: V4L2Queue?
    /// Another device's memory that the pictures are written into; empty where it is the converter's own.
    private var lent: [[SharedBuffer]] = []
    /// The source's frames by the number of the buffer in which they went in.
    private var readers: [VideoFrame?] = []
    private var inside = PicturesInside(capacity: 1)
    /// Pictures that came out, whose source's frames were not given back yet.
    private var owed = 0
    private var isAbandoned = false
    /// Buffers of another device that can be inside at once, should the driver take as many.
    private static let mostImported = 32
    private static let ownBuffers = 6

    /// - Throws: `Failure` of kind noSource when it cannot be opened or is no converter.
    init(opening path: String) throws(Failure) {
        let device = try V4L2Device(opening: path)
        guard let types = device.conversionTypes else {
            throw Failure(.noSource, "cannot convert with \(path)", because: "it is no converter")
        }
        self.device = device
        self.types = types
        name = device.card
    }

    deinit {
        // It may hang, and nobody waits for it.
        V4L2Disposal.dispose(device, [input, output].compactMap { $0 })
    }

    /// The descriptor to wait for: readable when a picture has come out.
    var descriptor: Int32 { device.raw }

    /// Whether its queues have memory.
    var isUsed: Bool { input != nil || output != nil }

    /// Pictures that are inside.
    var count: Int { inside.count }

    /// When the picture was captured that has been inside longest; nil when none is.
    var oldest: MonotonicTime? { inside.oldest }

    /// Whether a picture can go in.
    var hasRoom: Bool { readers.contains { $0 == nil } }

    /// Whether the descriptor can be waited for: without any buffer the kernel reports an error to whoever waits.
    var canBeWaitedFor: Bool { inside.count > 0 || output.map { $0.queued > 0 } ?? false }

    /// Sets both sides.
    /// - Returns: what the driver made of the side that gives; it says what the samples mean.
    /// - Throws: `Failure` of kind encoderFailed when the driver does not take them.
    func set(input: V4L2Format, output: V4L2Format) throws(Failure) -> V4L2Format {
        do throws(Errno) {
            let taken = try device.set(input, types.input)
            let given = try device.set(output, types.output)
            guard taken.isAlike(input), given.isAlike(output) else { throw Errno(EINVAL) }
            formats = (taken, given)
            return given
        } catch {
            throw failure("set the format of", error)
        }
    }

    /// Makes the side that takes: its own buffers, for the source to fill.
    /// - Returns: a list of pieces for each.
    func lendBuffers() throws(Failure) -> [[SharedBuffer]] {
        let queue = try makeInput(Self.ownBuffers, .exported)
        var buffers: [[SharedBuffer]] = []
        do throws(Errno) {
            for index in 0..<queue.count { buffers.append(try queue.sharedBuffers(index)) }
        } catch {
            throw failure("share the buffers of", error)
        }
        return buffers
    }

    /// Makes the side that takes: it reads the source's buffers.
    func importBuffers() throws(Failure) {
        _ = try makeInput(Self.mostImported, .imported)
    }

    /// Makes the side that gives, in buffers of its own, or of another device.
    func makeFrames(in lent: [[SharedBuffer]] = []) throws(Failure) {
        guard let format = formats?.output else { throw failure("get buffers of", Errno(EINVAL)) }
        let queue = try V4L2Queue(
            device, types.output, format, count: lent.isEmpty ? Self.ownBuffers : lent.count,
            memory: lent.isEmpty ? .exported : .imported)
        do throws(Errno) {
            for index in 0..<queue.count where lent.isEmpty {
                frames.append(VideoFrame(index: index, buffers: try queue.sharedBuffers(index)))
            }
        } catch {
            throw failure("share the buffers of", error)
        }
        for (index, buffers) in lent.prefix(queue.count).enumerated() {
            frames.append(VideoFrame(index: index, buffers: buffers))
        }
        self.lent = lent
        output = queue
    }

    func start() throws(Failure) {
        guard let input, let output else { throw failure("start", Errno(EINVAL)) }
        do throws(Errno) {
            for frame in frames { try enqueue(frame, output) }
            try input.start()
            try output.start()
        } catch {
            throw failure("start", error)
        }
    }

    /// Lets a picture in; there must be room.
    func convert(_ frame: VideoFrame) throws(Failure) {
        // The same number for the same memory: always where it is the converter's, else where that goes.
        let own = frame.index < readers.count && readers[frame.index] == nil ? frame.index : nil
        let other = input?.memory == .imported ? readers.firstIndex { $0 == nil } : nil
        guard let input, let index = own ?? other else { throw failure("give a picture to", Errno(EINVAL)) }
        do throws(Errno) {
            try input.enqueue(index, input.memory == .imported ? frame.buffers : [], time: frame.time)
        } catch {
            throw failure("give a picture to", error)
        }
        readers[index] = frame
        inside.add(PicturesInside.Picture(frame))
    }

    /// The next picture that has come out, without waiting; nil when there is none.
    func nextFrame() throws(Failure) -> VideoFrame? {
        guard let output else { return nil }
        do throws(Errno) {
            while let buffer = try output.dequeue() {
                let frame = frames[buffer.index]
                guard let (picture, skipped) = inside.match(buffer.time) else {
                    try enqueue(frame, output)
                    continue
                }
                owed += skipped + 1
                lostFrames += UInt64(skipped)
                if buffer.isDamaged {
                    lostFrames += 1
                    try enqueue(frame, output)
                    continue
                }
                (frame.time, frame.sequence, frame.isSlate) = (picture.time, picture.sequence, picture.isSlate)
                return frame
            }
            return nil
        } catch {
            throw failure("take a picture from", error)
        }
    }

    /// A frame of the source that has been read, to be given back to it; nil when there is none.
    func nextRead() throws(Failure) -> VideoFrame? {
        guard owed > 0, let input else { return nil }
        do throws(Errno) {
            guard let buffer = try input.dequeue() else { return nil }
            owed -= 1
            let frame = readers[buffer.index]
            readers[buffer.index] = nil
            return frame
        } catch {
            throw failure("take a picture from", error)
        }
    }

    /// All frames of the source that are inside, to be given back to it; nothing comes out any more. The device may still
    /// read them: it is not stopped here, since that may take as long as it likes.
    func abandon() -> [VideoFrame] {
        isAbandoned = true
        let frames = readers.compactMap { $0 }
        lostFrames += UInt64(inside.count)
        inside = PicturesInside(capacity: 1)
        readers = []
        return frames
    }

    /// Takes a frame back from its reader; those of others are left alone.
    func release(_ frame: VideoFrame) {
        guard let output, output.isStreaming, !isAbandoned, frame.index < frames.count, frames[frame.index] === frame
        else { return }
        // Should the device be gone, the next picture tells of it.
        try? enqueue(frame, output)
    }

    private func enqueue(_ frame: VideoFrame, _ output: V4L2Queue) throws(Errno) {
        try output.enqueue(frame.index, lent.isEmpty ? [] : lent[frame.index])
    }

    private func makeInput(_ count: Int, _ memory: V4L2Memory) throws(Failure) -> V4L2Queue {
        guard let format = formats?.input else { throw failure("get buffers of", Errno(EINVAL)) }
        let queue = try V4L2Queue(device, types.input, format, count: count, memory: memory)
        readers = Array(repeating: nil, count: queue.count)
        inside = PicturesInside(capacity: max(queue.count, 1))
        input = queue
        return queue
    }

    private func failure(_ doing: String, _ reason: Errno) -> Failure {
        Failure(.encoderFailed, "cannot \(doing) the converter", because: "the converter \(name): \(reason)")
    }
}

extension V4L2Format {
    /// Whether pictures lie the same way in memory.
    fileprivate func isAlike(_ other: V4L2Format) -> Bool {
        (width, height, fourcc, planes.count) == (other.width, other.height, other.fourcc, other.planes.count)
            && zip(planes, other.planes).allSatisfy { $0.bytesPerLine == $1.bytesPerLine }
    }
}
