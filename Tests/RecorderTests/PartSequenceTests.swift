import Capture
import Encoding
import Glibc
import Linux
import MP4
import Media
import Storage
import Synchronization
import Testing

@testable import Recorder

/// An encoder that only takes its packets back.
private final class PacketSink: VideoEncoder {
    let name = "packet sink"
    let descriptor: Int32 = -1
    let room = 1
    let isWorking = false
    let isDrained = true
    private(set) var recycled = 0

    func submit(_ frame: VideoFrame, forcingKeyFrame: Bool) -> Bool { false }
    func nextPacket() -> EncodedPacket? { nil }
    func recycle(_ packet: EncodedPacket) { recycled += 1 }
    func nextReleasedFrame() -> VideoFrame? { nil }
    func nextNotice() -> EncoderNotice? { nil }
    func drain() {}
}

@Suite("A medium that is too slow")
struct PartSequenceTests {
    private static let period = FrameRate.thirty.nanoseconds(of: 1)
    private static let format = VideoFormat(
        width: 640, height: 480, pixelFormat: .nv12, rate: .thirty, color: .bt601)

    /// The writer thread's jobs, held back while the gate is closed.
    private final class SlowMedium: Sendable {
        struct Stored: Sendable, Equatable {
            var part: Int
            var end: Int64
        }

        let stored = Mutex<[Stored]>([])
        let finalised = Mutex<[Int]>([])
        let isStuck = Atomic<Bool>(false)
        let isInside: EventDescriptor
        let gate: EventDescriptor

        init() throws {
            isInside = try EventDescriptor()
            gate = try EventDescriptor()
        }

        func perform(_ jobs: [PartJob]) {
            for job in jobs {
                switch job {
                case .append(let part, _, let end):
                    if isStuck.load(ordering: .acquiring) {
                        isInside.signal()
                        gate.wait()
                    }
                    stored.withLock { $0.append(Stored(part: part, end: end)) }
                case .finalise(let part): finalised.withLock { $0.append(part) }
                case .create, .begin, .end: break
                }
            }
        }
    }

    private func packet(key: Bool, byteCount: Int) -> EncodedPacket {
        let packet = EncodedPacket()
        packet.isKeyFrame = key
        packet.parameterSets = key ? ParameterSets(sequence: [0x67, 1], picture: [0x68, 1]) : nil
        [UInt8](repeating: 7, count: byteCount).withUnsafeBytes { packet.append($0) }
        return packet
    }

    private func sequence(_ medium: SlowMedium, _ encoder: PacketSink, queueLimit: Int) throws -> (
        PartSequence, WriterThread<PartJob>
    ) {
        let writer = try WriterThread<PartJob>(name: "slow", byteLimit: queueLimit) { medium.perform($0) }
        let shape = PartShape(
            Self.format, bitrate: 8_000_000, limits: SplitLimits(byteCount: 0, nanoseconds: 0), sound: [])
        let sequence = PartSequence(encoder: encoder, lanes: [], shape: shape, writer: writer, queueLimit: queueLimit)
        return (sequence, writer)
    }

    @Test("whole groups of pictures are discarded and counted, and the recording goes on at a key frame")
    func discards() throws {
        let medium = try SlowMedium()
        let encoder = PacketSink()
        let (sequence, writer) = try sequence(medium, encoder, queueLimit: 3_000_000)
        medium.isStuck.store(true, ordering: .releasing)
        var keyWasAskedFor = 0
        var submitted = 0
        var number: Int64 = 0
        /// Ten kilobytes a picture, a key frame every two seconds or when one is asked for.
        func feed(pictures: Int) {
            for _ in 0..<pictures {
                let time = FrameRate.thirty.nanoseconds(of: number)
                let isAsked = sequence.needsKeyFrame(at: time)
                if isAsked { keyWasAskedFor += 1 }
                sequence.take(packet(key: isAsked || number % 60 == 0, byteCount: 30_000), at: time)
                number += 1
                submitted += 1
            }
        }
        feed(pictures: 30)
        medium.isInside.wait()
        feed(pictures: 170)
        #expect(sequence.discardedFrames > 30, "the queue was full for more than a second")
        let discardedAtEnd = sequence.discardedFrames
        // The medium wakes up: everything that waited is written, and the next picture is asked to be a key frame.
        medium.isStuck.store(false, ordering: .releasing)
        medium.gate.signal()
        while writer.waitingByteCount > 0 { usleep(1000) }
        feed(pictures: 60)
        #expect(keyWasAskedFor == 1)
        #expect(sequence.discardedFrames == discardedAtEnd, "nothing is discarded once there is room")
        sequence.finish(at: FrameRate.thirty.nanoseconds(of: number))
        writer.finish()
        #expect(medium.stored.withLock { $0.last?.end } == FrameRate.thirty.nanoseconds(of: number))
        #expect(medium.finalised.withLock { $0 } == [1])
        #expect(encoder.recycled == submitted, "every packet goes back to its encoder")
    }

    @Test("a medium that keeps up loses nothing")
    func keepsUp() throws {
        let medium = try SlowMedium()
        let encoder = PacketSink()
        let (sequence, writer) = try sequence(medium, encoder, queueLimit: 3_000_000)
        for number in 0..<300 {
            let time = FrameRate.thirty.nanoseconds(of: Int64(number))
            #expect(!sequence.needsKeyFrame(at: time))
            sequence.take(packet(key: number % 60 == 0, byteCount: 10_000), at: time)
            while writer.waitingByteCount > 1_000_000 { usleep(100) }
        }
        sequence.finish(at: 10_000_000_000)
        writer.finish()
        #expect(sequence.discardedFrames == 0)
        let ends = medium.stored.withLock { $0.map(\.end) }
        #expect(ends.first == 200_000_000, "the first fragment is short")
        #expect(ends == ends.sorted() && Set(ends).count == ends.count)
        for (earlier, later) in zip(ends, ends.dropFirst()) {
            #expect(later - earlier <= 1_000_000_000 + Self.period, "a fragment a second")
        }
    }
}
