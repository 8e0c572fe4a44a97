import Linux
import Media
import V4L2

/// A capture device whose pictures can go through a converter of the board on their way to the encoder: all three share
/// buffers, and the processor sees no picture. Without a converter it is the capture device itself. Used by one thread.
///
/// `offers`, `trying` and `choose` are about what the capture device gives; after `choose`, `convert` puts a converter
/// behind it, and `format` tells what comes out of that. A converter that fails throws from `nextFrame`, of kind
/// encoderFailed; `prepare` with memory that the processor writes goes on without it, once all frames are back: the capture
/// device then converts as it does by itself.
public final class ConvertedSource: DeviceVideoSource {
    /// What a converter is set to.
    public struct Setting: Hashable, Sendable {
        /// Where it is: "/dev/video12".
        public var path: String
        /// What it takes; lines and pieces fit the capture device's.
        public var input: V4L2Format
        /// What it gives.
        public var output: V4L2Format
        /// Whether the capture device fills its buffers; else it reads the capture device's.
        public var isLent: Bool

        public init(path: String, input: V4L2Format, output: V4L2Format, isLent: Bool) {
            self.path = path
            self.input = input
            self.output = output
            self.isLent = isLent
        }
    }

    /// The capture device.
    public let source: any DeviceVideoSource
    public private(set) var format: VideoFormat
    private let epoll: Epoll
    /// Nil while pictures do not go through one.
    private var converter: Converter?
    private var setting: Setting?
    /// What the samples of the capture device mean.
    private var color = V4L2Color()
    private var isStarted = false
    /// Whether the converter is waited for.
    private var isWatched = false
    private var lostBefore: UInt64 = 0
    /// A converter that holds a picture while the source gives others for two seconds stands still.
    private static let patience: Int64 = 2_000_000_000
    /// Pictures inside a converter: as many as its stages may need.
    private static let mostInside = 4

    /// - Parameter source: a capture device that was not started.
    /// - Throws: `Failure` of kind internalFault when no descriptor is left.
    public init(_ source: any DeviceVideoSource) throws(Failure) {
        self.source = source
        format = source.format
        do throws(Errno) {
            epoll = try Epoll()
            // The same for as long as the source lives.
            try epoll.add(source.descriptor, for: .readable, token: 0)
        } catch {
            throw Failure(.internalFault, "cannot wait for \(source.name)", because: "\(error)")
        }
    }

    public var name: String { source.name }
    public var path: String { source.path }
    public var pace: Pace { source.pace }
    public var givesOnlyChanges: Bool { source.givesOnlyChanges }
    public var signal: SignalState { source.signal }
    public var descriptor: Int32 { epoll.raw }
    public var signalDescriptor: Int32 { source.signalDescriptor }
    public var lostFrames: UInt64 { source.lostFrames + lostBefore + (converter?.lostFrames ?? 0) }
    public var unfencedFrames: UInt64 { source.unfencedFrames }
    public var nearestFrames: UInt64 { source.nearestFrames }
    public var isFinished: Bool { source.isFinished && (converter?.count ?? 0) == 0 }
    public var isReadableByDevices: Bool { source.isReadableByDevices }
    public func preparation(_ format: V4L2Format) -> String? { source.preparation(format) }
    public func noteSilence(at now: MonotonicTime) { source.noteSilence(at: now) }
    public var awaitsFrames: Bool { source.awaitsFrames }

    public func requestPicture() { source.requestPicture() }
    public func watchSignal() { source.watchSignal() }
    public func nextChange() -> SourceChange? { source.nextChange() }
    public func offers() throws(Failure) -> [V4L2Format] { try source.offers() }
    public func trying(_ format: V4L2Format) -> V4L2Format? { source.trying(format) }

    public func choose(_ format: V4L2Format) throws(Failure) -> V4L2Format {
        let chosen = try source.choose(format)
        color = chosen.color
        try convert(nil)
        return chosen
    }

    /// Has the pictures go through a converter, in place of the one that was. To be called after `choose` and before
    /// `prepare`.
    /// - Parameter setting: nil for none.
    /// - Throws: `Failure` of kind noSource when it cannot be opened, of kind encoderFailed when it cannot be set so.
    public func convert(_ setting: Setting?) throws(Failure) {
        leaveConverter()
        converter = nil
        self.setting = setting
        format = source.format
        if let setting { try openConverter(setting) }
    }

    public func prepare(_ memory: FrameMemory) throws(Failure) {
        leaveConverter()
        switch memory {
        case .device where setting != nil: try prepareConverter(lent: [])
        case .lent(let buffers) where setting != nil: try prepareConverter(lent: buffers)
        case .device, .lent, .written, .process:
            converter = nil
            try source.prepare(memory)
            format = source.format
        }
        if isStarted { try watch() }
    }

    public func start() throws(Failure) {
        try converter?.start()
        try source.start()
        isStarted = true
        try watch()
    }

    public func nextFrame() throws(Failure) -> VideoFrame? {
        guard let converter else { return try source.nextFrame() }
        if converter.count > 0, let frame = try converter.nextFrame() {
            while let read = try converter.nextRead() { source.release(read) }
            try watch()
            return frame
        }
        guard let picture = try source.nextFrame() else { return nil }
        do throws(Failure) {
            try convert(picture, converter)
        } catch {
            source.release(picture)
            throw error
        }
        try watch()
        return nil
    }

    /// Lets a picture into the converter. One that is late gets no more: the capture device needs its buffers.
    private func convert(_ picture: VideoFrame, _ converter: Converter) throws(Failure) {
        if let oldest = converter.oldest, picture.time - oldest > Self.patience {
            throw Failure(
                .encoderFailed, "cannot convert the pictures of \(name)",
                because: "the converter \(converter.name) has stood still for two seconds")
        }
        if converter.count < Self.mostInside && converter.hasRoom {
            try converter.convert(picture)
        } else {
            lostBefore += 1
            source.release(picture)
        }
    }

    public func release(_ frame: VideoFrame) {
        guard let converter else { return source.release(frame) }
        converter.release(frame)
        try? watch()
    }

    public func stop() {
        source.stop()
    }

    public func adopt() throws(Failure) {
        leaveConverter()
        (converter, setting) = (nil, nil)
        isStarted = false
        try source.adopt()
        format = source.format
    }

    /// Takes back what is inside; the source's frames have to be with it whenever its memory changes.
    private func leaveConverter() {
        guard let converter, converter.isUsed else { return }
        for frame in converter.abandon() { source.release(frame) }
        lostBefore += converter.lostFrames
        if isWatched { try? epoll.remove(converter.descriptor) }
        isWatched = false
        self.converter = nil
    }

    private func openConverter(_ setting: Setting) throws(Failure) {
        let converter = try Converter(opening: setting.path)
        var input = setting.input
        input.color = color
        let given = try converter.set(input: input, output: setting.output)
        guard let layout = V4L2Layout.of(given.fourcc) else {
            throw Failure(
                .encoderFailed, "cannot use the converter \(converter.name)", because: "its pictures are not known here"
            )
        }
        self.converter = converter
        format = VideoFormat(
            width: given.width, height: given.height, pixelFormat: layout.pixelFormat, rate: source.format.rate,
            color: given.color.description(layout.pixelFormat, width: given.width, height: given.height))
    }

    private func prepareConverter(lent: [[SharedBuffer]]) throws(Failure) {
        if let setting, converter == nil { try openConverter(setting) }
        guard let setting, let converter else { return }
        if setting.isLent {
            try source.prepare(.lent(try converter.lendBuffers()))
        } else {
            try source.prepare(.device)
            try converter.importBuffers()
        }
        try converter.makeFrames(in: lent)
        if isStarted { try converter.start() }
    }

    /// Waits for the converter while it may have something. Mostly nothing changes, and it costs nothing.
    private func watch() throws(Failure) {
        guard let converter, converter.canBeWaitedFor != isWatched else { return }
        do throws(Errno) {
            if isWatched {
                try epoll.remove(converter.descriptor)
            } else {
                try epoll.add(converter.descriptor, for: .readable, token: 1)
            }
            isWatched.toggle()
        } catch {
            throw Failure(.internalFault, "cannot wait for \(name)", because: "\(error)")
        }
    }
}
