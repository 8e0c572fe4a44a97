import Capture
import Encoding
import Glibc
import Judges
import Linux
import Media
import Storage
import Testing

extension TemporaryFolder {
    func name(_ file: String = "a.mp4") throws -> RecordingName {
        try RecordingName(for: "\(path)/\(file)", at: 0, isSynchronised: true)
    }
}

/// A test picture that breaks after some frames, as a device does when it is pulled.
final class BreakingPicture: VideoSource {
    static let cause = "it was unplugged"
    private let pattern: TestPattern
    private let atStart: () -> Void
    private var left: Int

    /// - Parameter atStart: what happens when the first part is there and capture starts.
    init(after frames: Int, atStart: @escaping () -> Void = {}) throws(Failure) {
        pattern = try TestPattern(width: 320, height: 240, rate: .thirty, pace: .onDemand)
        self.atStart = atStart
        left = frames
    }

    var name: String { "breaking picture" }
    var format: VideoFormat { pattern.format }
    var pace: Pace { pattern.pace }
    var descriptor: Int32 { pattern.descriptor }
    var lostFrames: UInt64 { pattern.lostFrames }
    var isFinished: Bool { false }
    func start() throws(Failure) {
        atStart()
        try pattern.start()
    }

    func release(_ frame: VideoFrame) { pattern.release(frame) }
    func stop() { pattern.stop() }

    func nextFrame() throws(Failure) -> VideoFrame? {
        guard left > 0 else { throw Failure(.noSource, "the picture is lost", because: Self.cause) }
        let frame = try pattern.nextFrame()
        if frame != nil { left -= 1 }
        return frame
    }
}

/// A device that gives sound for a while and then breaks.
final class BreakingSound: AudioSource {
    let name = "breaking sound"
    let format = AudioFormat.standard
    let silenceInserted: Int64 = 0
    var descriptors: [Int32] { [event.raw] }
    private let event: EventDescriptor
    private var left: Int
    private var time = MonotonicTime.now

    init(after spans: Int) throws {
        event = try EventDescriptor()
        left = spans
    }

    func start(origin: MonotonicTime) throws(Failure) {
        time = .now
        event.signal()
    }

    func read(
        into buffer: UnsafeMutableBufferPointer<Int16>, before limit: MonotonicTime
    ) throws(Failure) -> AudioSpan? {
        guard left > 0 else { throw Failure(.noSource, "sound is lost", because: "it was unplugged") }
        guard time < .now else { return nil }
        left -= 1
        buffer[..<960].update(repeating: 1000)
        defer { time = time + format.nanoseconds(of: 480) }
        return AudioSpan(time: time, frames: 480)
    }

    func stop() {}
}

/// A live test picture that something will go wrong with.
class FaultyPicture: VideoSource {
    let name: String
    fileprivate let pattern: TestPattern
    /// Pictures until it goes wrong.
    fileprivate var left: Int

    fileprivate init(_ name: String, after frames: Int) throws(Failure) {
        pattern = try TestPattern(width: 320, height: 240, rate: .thirty)
        (self.name, left) = (name, frames)
    }

    var format: VideoFormat { pattern.format }
    let pace = Pace.live
    var descriptor: Int32 { pattern.descriptor }
    var lostFrames: UInt64 { 0 }
    var isFinished: Bool { false }
    func start() throws(Failure) { try pattern.start() }
    func nextFrame() throws(Failure) -> VideoFrame? { try pattern.nextFrame() }
    func release(_ frame: VideoFrame) { pattern.release(frame) }
    func stop() { pattern.stop() }
}

/// A live test picture that stands still after some frames, as a cable does that is loose.
final class StallingPicture: FaultyPicture {
    init(after frames: Int) throws(Failure) { try super.init("stalling picture", after: frames) }

    override func nextFrame() throws(Failure) -> VideoFrame? {
        guard let frame = try pattern.nextFrame() else { return nil }
        guard left > 0 else {
            pattern.release(frame)
            return nil
        }
        left -= 1
        return frame
    }
}

/// A test picture whose device does not come back from a call after some frames, until it is let go.
final class HangingPicture: FaultyPicture {
    private let gate: EventDescriptor

    init(after frames: Int, _ gate: EventDescriptor) throws(Failure) {
        self.gate = gate
        try super.init("hanging picture", after: frames)
    }

    override func nextFrame() throws(Failure) -> VideoFrame? {
        if left == 0 { gate.wait() }
        left -= 1
        return try pattern.nextFrame()
    }
}

/// Gives packets with parameter sets that change when it is told.
final class ChangingEncoder: VideoEncoder {
    let name = "changing encoder"
    private let inner: SoftwareEncoder
    private let changeAt: Int
    private let format: VideoFormat
    private var count = 0

    init(_ format: VideoFormat, changeAt: Int) throws(Failure) {
        var configuration = SoftwareEncoder.Configuration(format: format, bitrate: 500_000)
        configuration.preset = .fixed(.ultrafast)
        inner = try SoftwareEncoder(configuration)
        self.changeAt = changeAt
        self.format = format
    }

    var descriptor: Int32 { inner.descriptor }
    var room: Int { inner.room }
    var isWorking: Bool { inner.isWorking }
    var isDrained: Bool { inner.isDrained }
    func recycle(_ packet: EncodedPacket) { inner.recycle(packet) }
    func nextReleasedFrame() -> VideoFrame? { inner.nextReleasedFrame() }
    func nextNotice() -> EncoderNotice? { inner.nextNotice() }
    func drain() throws(Failure) { try inner.drain() }

    func submit(_ frame: VideoFrame, forcingKeyFrame: Bool) throws(Failure) -> Bool {
        defer { count += 1 }
        return try inner.submit(frame, forcingKeyFrame: forcingKeyFrame || count == changeAt)
    }

    func nextPacket() throws(Failure) -> EncodedPacket? {
        guard let packet = try inner.nextPacket() else { return nil }
        taken += 1
        if taken == changeAt + 1 {
            // Another picture parameter set: the same with one more byte of filling behind it.
            var sets = inner.parameterSets
            sets.picture.append(0x80)
            packet.parameterSets = sets
        }
        return packet
    }

    private var taken = 0
}
