import Linux
import Media
import Pixels
import V4L2

/// How pictures get from a device's buffers into frames: the buffers, the frames, and what lies between.
struct CaptureWay {
    let queue: V4L2Queue
    /// Another device's memory, which this one fills; empty for its own.
    private(set) var lent: [[SharedBuffer]] = []
    /// The device's buffers where the processor sees them; empty where it does not.
    private(set) var mapped: [VideoFrame] = []
    /// What is handed out.
    private(set) var frames: [VideoFrame]
    /// Nil when the device's buffers themselves are handed on.
    private(set) var conversion: Conversion?
    /// The shape of what is handed out.
    private(set) var format: VideoFormat
    /// Bytes of the first piece that a whole picture has.
    let wholeBytes: Int
    private let places: V4L2BufferLayout
    /// Shared buffers that were mapped later on.
    private var maps: [Map] = []
    /// Bytes in front of the picture in the first piece.
    private var offset = 0

    /// Holds a map that cannot be copied in an array.
    final class Map {
        let map: SharedMap
        init(_ buffer: SharedBuffer) throws(Errno) { map = try SharedMap(buffer) }
    }

    /// - Throws: `Failure` of kind noSource when the device or the kernel cannot share or map the memory so.
    init(_ node: CaptureNode, _ setting: CaptureSetting, _ memory: FrameMemory) throws(Failure) {
        let device = node.device
        guard let places = V4L2BufferLayout(setting.format, setting.layout) else {
            throw Failure(
                .noSource, "cannot record from \(device.name)", because: "its buffers are smaller than its pictures")
        }
        self.places = places
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
        case .written, .process:
            let queue = try V4L2Queue(
                device, node.type, setting.format, count: Self.isHandedOn(memory, format.pixelFormat) ? 8 : 5)
            mapped = (0..<queue.count).compactMap { index in places.frame(index) { queue.memory(index, plane: $0) } }
            if mapped.count != queue.count { mapped = [] }
            self.queue = queue
            frames = []
            try convert(to: memory, setting)
        }
        if frames.isEmpty || queue.count == 0 {
            throw Failure(
                .noSource, "cannot record from \(device.name)", because: "it has no buffers that hold a whole picture")
        }
    }

    /// Brings what the device goes on to give into memory that the processor reaches, with the device's buffers as they are.
    /// - Returns: false when that takes other buffers, or the memory is one that it does not reach.
    mutating func change(to memory: FrameMemory, _ setting: CaptureSetting) throws(Failure) -> Bool {
        switch memory {
        case .device, .lent: return false
        case .written, .process: break
        }
        if mapped.isEmpty {
            guard lent.isEmpty, (try? map()) != nil else { return false }
        }
        try convert(to: memory, setting)
        return true
    }

    /// Says how far behind the first piece's start the pictures begin.
    /// - Returns: false when they would end behind its end, or nobody here sees them.
    mutating func shift(to offset: Int) -> Bool {
        guard offset != self.offset else { return true }
        guard !mapped.isEmpty, places.firstPieceBytes + offset <= queue.format.planes[0].byteCount else { return false }
        for frame in mapped {
            frame.show(
                at: zip(frame.planes, places.places).map { plane, place in
                    guard place.piece == 0 else { return plane }
                    var plane = plane
                    plane.base += offset - self.offset
                    return plane
                })
        }
        self.offset = offset
        return true
    }

    /// Lets the processor draw into a frame that nobody else uses.
    func draw(
        into frame: VideoFrame, _ setting: CaptureSetting, _ body: ([VideoFrame.Plane]) -> Void
    ) throws(Errno) {
        guard frame.planes.isEmpty else { return body(frame.planes) }
        var maps: [Map] = []
        for buffer in frame.buffers { maps.append(try Map(buffer)) }
        guard let view = places.frame(frame.index, memory: { maps[$0].map.bytes }) else { return }
        for map in maps { try map.map.begin(.writing) }
        body(view.planes)
        for map in maps { try map.map.end(.writing) }
    }

    /// Maps the device's shared buffers. The driver takes care of caches when it gives a buffer out.
    private mutating func map() throws(Errno) {
        var maps: [Map] = []
        for frame in frames {
            let first = maps.count
            for buffer in frame.buffers { maps.append(try Map(buffer)) }
            let view = places.frame(frame.index) { maps[first + $0].map.bytes }
            frame.show(at: view?.planes ?? [])
        }
        self.maps = maps
        mapped = frames
    }

    private mutating func convert(to memory: FrameMemory, _ setting: CaptureSetting) throws(Failure) {
        let source = setting.videoFormat
        format = source
        conversion = nil
        if case .written(let given, let layout) = memory {
            frames = given
            conversion = try Self.conversion(&format, to: layout)
        } else if Self.isHandedOn(memory, source.pixelFormat) {
            frames = mapped
        } else {
            conversion = try Self.conversion(&format, to: .nv12)
            let format = self.format
            frames = (0..<8).map {
                VideoFrame(index: $0, width: format.width, height: format.height, pixelFormat: format.pixelFormat)
            }
        }
    }

    private static func isHandedOn(_ memory: FrameMemory, _ layout: PixelFormat) -> Bool {
        if case .process = memory { return layout == .nv12 || layout == .yuv420 }
        return false
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

    /// Changes a format to what its pictures are converted into.
    private static func conversion(_ format: inout VideoFormat, to layout: PixelFormat) throws(Failure) -> Conversion {
        let conversion = try Conversion(
            from: format.pixelFormat, to: layout, width: format.width, height: format.height, color: format.color)
        (format.pixelFormat, format.color) = (layout, conversion.color)
        return conversion
    }
}
