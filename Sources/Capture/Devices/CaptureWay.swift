import Linux
import Media
import Pixels
import V4L2

/// How pictures get from a device's buffers into frames: made once for each setting and memory.
struct CaptureWay {
    let queue: V4L2Queue
    /// Another device's memory, which this one fills; empty for its own.
    var lent: [[SharedBuffer]] = []
    /// The device's buffers where the processor sees them.
    var mapped: [VideoFrame] = []
    /// What is handed out.
    let frames: [VideoFrame]
    /// Nil when the device's buffers themselves are handed on.
    var conversion: Conversion?
    /// The shape of what is handed out.
    var format: VideoFormat
    /// Bytes of the first piece that a whole picture has.
    let wholeBytes: Int

    /// - Throws: `Failure` of kind noSource when the device or the kernel cannot share or map the memory so.
    init(_ node: CaptureNode, _ setting: CaptureSetting, _ memory: FrameMemory) throws(Failure) {
        let device = node.device
        guard let places = V4L2BufferLayout(setting.format, setting.layout) else {
            throw Failure(
                .noSource, "cannot record from \(device.name)", because: "its buffers are smaller than its pictures")
        }
        format = setting.videoFormat
        wholeBytes = format.pixelFormat == .mjpeg ? 4 : places.firstPieceBytes
        switch memory {
        case .device:
            queue = try V4L2Queue(device, node.type, setting.format, count: 8, memory: .exported)
            frames = try Self.shared(queue, device)
        case .lent(let buffers):
            queue = try V4L2Queue(device, node.type, setting.format, count: buffers.count, memory: .imported)
            lent = Array(buffers.prefix(queue.count))
            frames = lent.enumerated().map { VideoFrame(index: $0.offset, buffers: $0.element) }
        case .written(let given, let layout):
            (queue, mapped) = try Self.mapped(node, setting, places, count: 5)
            conversion = try Self.conversion(&format, to: layout)
            frames = given
        case .process:
            let isHandedOn = format.pixelFormat == .nv12 || format.pixelFormat == .yuv420
            (queue, mapped) = try Self.mapped(node, setting, places, count: isHandedOn ? 8 : 5)
            if isHandedOn {
                frames = mapped
            } else {
                conversion = try Self.conversion(&format, to: .nv12)
                let format = self.format
                frames = (0..<8).map {
                    VideoFrame(
                        index: $0, width: format.width, height: format.height, pixelFormat: format.pixelFormat)
                }
            }
        }
        if frames.isEmpty {
            throw Failure(
                .noSource, "cannot record from \(device.name)", because: "it has no buffers that hold a whole picture")
        }
    }

    private static func shared(_ queue: V4L2Queue, _ device: V4L2Device) throws(Failure) -> [VideoFrame] {
        var frames: [VideoFrame] = []
        do {
            for index in 0..<queue.count {
                frames.append(VideoFrame(index: index, buffers: try queue.sharedBuffers(index)))
            }
        } catch {
            throw V4L2Failure.using(device, "share the buffers of", error)
        }
        return frames
    }

    private static func mapped(
        _ node: CaptureNode, _ setting: CaptureSetting, _ places: V4L2BufferLayout, count: Int
    ) throws(Failure) -> (V4L2Queue, [VideoFrame]) {
        let queue = try V4L2Queue(node.device, node.type, setting.format, count: count)
        let frames = (0..<queue.count).compactMap { index in
            places.frame(index) { queue.memory(index, plane: $0) }
        }
        return (queue, frames.count == queue.count ? frames : [])
    }

    /// Changes a format to what its pictures are converted into.
    private static func conversion(_ format: inout VideoFormat, to layout: PixelFormat) throws(Failure) -> Conversion {
        let conversion = try Conversion(
            from: format.pixelFormat, to: layout, width: format.width, height: format.height, color: format.color)
        (format.pixelFormat, format.color) = (layout, conversion.color)
        return conversion
    }
}
