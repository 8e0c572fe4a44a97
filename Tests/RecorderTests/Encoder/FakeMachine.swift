import Capture
import Encoding
import Glibc
import Media
import Synchronization
import V4L2

@testable import Recorder

/// A machine with encoders that a test describes.
final class FakeMachine: EncoderMaker {
    /// What a device does each time that it is opened; beyond the end it works for ever.
    enum Fate: Sendable {
        case missing
        /// It opens only after a second.
        case late
        case refusing
        case failing(after: Int)
        case skipping(every: Int)
    }

    static let format = V4L2Format(width: 320, height: 240, fourcc: 0x3231_564e)
    private let ways: [VideoPath]
    private let fates: Mutex<[Fate]>
    private let log = Mutex<[String]>([])

    init(_ ways: [VideoPath], _ fates: [Fate] = []) {
        self.ways = ways
        self.fates = Mutex(fates)
    }

    static func way(_ name: String, _ transfer: VideoPath.Transfer, _ format: V4L2Format = format) -> VideoPath {
        let hardware = VideoPath.Hardware(path: "/dev/\(name)", card: name, format: format)
        return VideoPath(captureFormat: format, encoder: .hardware(hardware), transfer: transfer, reason: name)
    }

    /// What was opened, in order.
    var opened: [String] { log.withLock { $0 } }

    func paths(for source: any VideoSource, _ plan: EncodingPlan) -> [VideoPath] { ways }

    func open(
        _ hardware: VideoPath.Hardware, _ format: VideoFormat, _ input: HardwareEncoder.Input, bitrate: Int
    ) throws(Failure) -> any DeviceVideoEncoder {
        log.withLock { $0.append("\(hardware.card) \(input)") }
        let fate = fates.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        switch fate {
        case .missing: throw Failure(.encoderFailed, "cannot open \(hardware.card)", because: "it is not there")
        case .late:
            usleep(1_000_000)
            return FakeDeviceEncoder(hardware.card, lifetime: .max)
        case .refusing: return FakeDeviceEncoder(hardware.card, lifetime: .max, refuses: true)
        case .failing(let count): return FakeDeviceEncoder(hardware.card, lifetime: count)
        case .skipping(let count): return FakeDeviceEncoder(hardware.card, lifetime: .max, skips: count)
        case nil: return FakeDeviceEncoder(hardware.card, lifetime: .max)
        }
    }

    func openSoftware(_ configuration: SoftwareEncoder.Configuration) -> any VideoEncoder {
        log.withLock { $0.append("software") }
        return FakeDeviceEncoder("x264", lifetime: .max)
    }
}
