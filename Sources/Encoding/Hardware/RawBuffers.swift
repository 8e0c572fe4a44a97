import Linux
import Media
import Pixels
import V4L2

/// The raw side's buffers of a hardware encoder as frames, and which of them are with the device.
struct RawBuffers {
    /// The encoder's own buffers as the processor sees them, for frames that it writes; else empty.
    let frames: [VideoFrame]
    /// The encoder's own buffers as other devices see them, for frames that a device writes; else empty.
    let lent: [[SharedBuffer]]
    /// Frames that are with the device, by their numbers.
    private var inside: [VideoFrame?]
    /// Bytes of each piece.
    let byteCounts: [Int]
    /// Brings the processor's frames into the buffers; nil where they are not copied.
    private let copying: Conversion?
    /// For copied frames: buffers that are free, and frames that have been copied.
    private var free: [Int]
    private var copied: [VideoFrame] = []

    /// - Throws: `Failure` of kind encoderFailed when the device cannot share its memory, or its buffers are too small;
    ///   of kind internalFault when frames cannot be copied into its layout.
    init(_ setup: EncoderSetup, _ configuration: HardwareEncoder.Configuration) throws(Failure) {
        let queue = setup.raw
        let isCopied = configuration.input == .copied
        frames = isCopied || configuration.input == .written ? try Self.frames(setup, configuration.format) : []
        lent = configuration.input == .lent ? try Self.lent(setup) : []
        inside = Array(repeating: nil, count: queue.count)
        byteCounts = setup.format.planes.map(\.byteCount)
        let format = configuration.format
        copying =
            isCopied
            ? try Conversion(
                from: format.pixelFormat, to: setup.layout.pixelFormat, width: format.width, height: format.height,
                color: format.color) : nil
        free = isCopied ? Array((0..<queue.count).reversed()) : []
        copied.reserveCapacity(queue.count)
    }

    /// Buffers that could be taken now.
    /// - Parameter queued: buffers that the device has.
    func room(queued: Int) -> Int { copying == nil ? inside.count - queued : free.count }

    /// Whether there is a buffer for a frame and it is free.
    /// - Throws: `Failure` of kind encoderFailed when the device has no buffer of this number.
    func hasPlace(for frame: VideoFrame) throws(Failure) -> Bool {
        if copying != nil { return !free.isEmpty }
        guard inside.indices.contains(frame.index) else {
            throw Failure(
                .encoderFailed, "cannot hand picture memory \(frame.index) to the encoder",
                because: "it has only \(inside.count) buffers")
        }
        return inside[frame.index] == nil
    }

    /// Takes back what was just taken: the frame was never with the device.
    mutating func undo(_ index: Int) {
        if copying == nil {
            inside[index] = nil
        } else {
            free.append(index)
            copied.removeLast()
        }
    }

    /// The buffer for a frame, which belongs to the device from now on.
    /// - Returns: nil when it is taken, or there is none.
    mutating func take(_ frame: VideoFrame) -> Int? {
        guard let copying else {
            guard inside.indices.contains(frame.index), inside[frame.index] == nil else { return nil }
            inside[frame.index] = frame
            return frame.index
        }
        guard let index = free.popLast() else { return nil }
        // What cannot be converted is a broken JPEG, which no source hands on.
        _ = copying.convert(frame, to: frames[index])
        copied.append(frame)
        return index
    }

    /// Takes a buffer back from the device.
    /// - Returns: its frame, where that was not released before.
    mutating func giveBack(_ index: Int) -> VideoFrame? {
        guard inside.indices.contains(index) else { return nil }
        if copying != nil {
            free.append(index)
            return nil
        }
        defer { inside[index] = nil }
        return inside[index]
    }

    /// A frame that was copied and is no longer needed.
    mutating func nextCopied() -> VideoFrame? { copied.isEmpty ? nil : copied.removeFirst() }

    /// Any frame that is with the device, which is being given up.
    mutating func removeAny() -> VideoFrame? {
        for index in inside.indices {
            guard let frame = inside[index] else { continue }
            inside[index] = nil
            return frame
        }
        return nil
    }

    private static func frames(_ setup: EncoderSetup, _ format: VideoFormat) throws(Failure) -> [VideoFrame] {
        let shapes = setup.layout.pixelFormat.planes(width: format.width, height: format.height)
        let places = V4L2BufferLayout(setup.format, setup.layout)
        return try (0..<setup.raw.count).map { index throws(Failure) in
            guard let whole = places?.frame(index, memory: { setup.raw.memory(index, plane: $0) }) else {
                throw Failure(
                    .encoderFailed, "cannot write into the buffers of \(setup.device.name)",
                    because: "they are smaller than its pictures")
            }
            // The device's picture may have more lines than ours.
            let planes = zip(whole.planes, shapes).map { plane, shape in
                VideoFrame.Plane(base: plane.base, bytesPerLine: plane.bytesPerLine, lines: shape.lines)
            }
            return VideoFrame(index: index, planes: planes)
        }
    }

    private static func lent(_ setup: EncoderSetup) throws(Failure) -> [[SharedBuffer]] {
        var list: [[SharedBuffer]] = []
        do throws(Errno) {
            for index in 0..<setup.raw.count { list.append(try setup.raw.sharedBuffers(index)) }
        } catch {
            throw Failure(
                .encoderFailed, "cannot lend the buffers of \(setup.device.name)", because: "\(error)")
        }
        return list
    }
}
