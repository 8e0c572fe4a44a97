import Encoding
import Linux
import Media

/// An encoder that takes its time for each picture.
final class SlowEncoder: VideoEncoder {
    private let encoder: SoftwareEncoder
    /// Nanoseconds from a picture's coming in to its going out.
    private let time: Int64
    private var submissions: [MonotonicTime] = []

    init(_ configuration: SoftwareEncoder.Configuration, time: Int64) throws(Failure) {
        encoder = try SoftwareEncoder(configuration)
        self.time = time
    }

    var name: String { encoder.name }
    var descriptor: Int32 { encoder.descriptor }
    var room: Int { encoder.room }
    var isWorking: Bool { !submissions.isEmpty }
    var isDrained: Bool { encoder.isDrained }

    func submit(_ frame: VideoFrame, forcingKeyFrame: Bool) throws(Failure) -> Bool {
        guard try encoder.submit(frame, forcingKeyFrame: forcingKeyFrame) else { return false }
        submissions.append(.now)
        return true
    }

    func nextPacket() throws(Failure) -> EncodedPacket? {
        guard let first = submissions.first, .now - first >= time, let packet = try encoder.nextPacket() else {
            return nil
        }
        submissions.removeFirst()
        return packet
    }

    func recycle(_ packet: EncodedPacket) { encoder.recycle(packet) }
    func nextReleasedFrame() -> VideoFrame? { encoder.nextReleasedFrame() }
    func nextNotice() -> EncoderNotice? { encoder.nextNotice() }
    func drain() throws(Failure) { try encoder.drain() }
}
