import Encoding
import Media
import Synchronization

/// An encoder that gives a picture only when the next one has come, as devices do and x264 with a look ahead.
final class KeepingEncoder: VideoEncoder {
    /// What went in and came out.
    final class Log: Sendable {
        private let entries = Mutex<[Int]>([])

        /// Of each picture that went in, how many had not come out before.
        var kept: [Int] { entries.withLock { $0 } }
        fileprivate func note(_ kept: Int) { entries.withLock { $0.append(kept) } }
    }

    private let encoder: SoftwareEncoder
    private let log: Log
    private var inside = 0
    private var isDraining = false

    init(_ configuration: SoftwareEncoder.Configuration, _ log: Log) throws(Failure) {
        encoder = try SoftwareEncoder(configuration)
        self.log = log
    }

    var name: String { encoder.name }
    var descriptor: Int32 { encoder.descriptor }
    var room: Int { encoder.room }
    /// As of a device, which does not tell.
    var isWorking: Bool { false }
    var isDrained: Bool { encoder.isDrained }

    func submit(_ frame: VideoFrame, forcingKeyFrame: Bool) throws(Failure) -> Bool {
        let kept = inside
        guard try encoder.submit(frame, forcingKeyFrame: forcingKeyFrame) else { return false }
        log.note(kept)
        inside += 1
        return true
    }

    func nextPacket() throws(Failure) -> EncodedPacket? {
        guard isDraining || inside > 1, let packet = try encoder.nextPacket() else { return nil }
        inside -= 1
        return packet
    }

    func recycle(_ packet: EncodedPacket) { encoder.recycle(packet) }
    func nextReleasedFrame() -> VideoFrame? { encoder.nextReleasedFrame() }
    func nextNotice() -> EncoderNotice? { encoder.nextNotice() }

    func drain() throws(Failure) {
        isDraining = true
        try encoder.drain()
    }
}
