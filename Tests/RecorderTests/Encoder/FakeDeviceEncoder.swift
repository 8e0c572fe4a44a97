import Encoding
import Media

@testable import Recorder

/// A device encoder that gives a packet for each frame until it fails.
final class FakeDeviceEncoder: DeviceVideoEncoder {
    let name: String
    let descriptor: Int32 = -1
    let lentBuffers: [[SharedBuffer]] = [[SharedBuffer(descriptor: 0, byteCount: 1)]]
    let frames: [VideoFrame] = []
    let outputColor = ColorDescription.bt709
    private(set) var recycled = 0
    let isWorking = false
    private(set) var isDrained = false
    private let failure = Failure(.encoderFailed, "it gave up", because: "it stands still")
    /// Frames that it encodes before it fails; the one behind them goes in and never comes out.
    private let lifetime: Int
    private let refuses: Bool
    /// Every such frame gives nothing; 0 for none.
    private let skips: Int
    private var taken: [VideoFrame] = []
    private var done: [VideoFrame] = []
    private var count = 0
    private var isDead = false

    init(_ name: String, lifetime: Int, refuses: Bool = false, skips: Int = 0) {
        (self.name, self.lifetime, self.refuses, self.skips) = (name, lifetime, refuses, skips)
    }

    var room: Int { 4 - taken.count - done.count }

    func submit(_ frame: VideoFrame, forcingKeyFrame: Bool) throws(Failure) -> Bool {
        if refuses { throw failure }
        taken.append(frame)
        return true
    }

    func nextPacket() throws(Failure) -> EncodedPacket? {
        if isDead { throw failure }
        while !taken.isEmpty {
            if count == lifetime {
                // Its frames come back all the same.
                done += taken
                taken.removeAll()
                isDead = true
                throw failure
            }
            let frame = taken.removeFirst()
            done.append(frame)
            count += 1
            if skips > 0 && count % skips == 0 { continue }
            let packet = EncodedPacket()
            packet.time = frame.time
            packet.isKeyFrame = count == 1
            return packet
        }
        return nil
    }

    func recycle(_ packet: EncodedPacket) { recycled += 1 }
    func nextReleasedFrame() -> VideoFrame? { done.isEmpty ? nil : done.removeFirst() }
    func nextNotice() -> EncoderNotice? { nil }
    func drain() { isDrained = true }
}
