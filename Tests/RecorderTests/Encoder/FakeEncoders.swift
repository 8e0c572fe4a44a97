import Capture
import Encoding
import Media

@testable import Recorder

/// A machine without an encoder of its own, on which the software encoder is what a test says.
struct FakeEncoders: EncoderMaker {
    let software: @Sendable (SoftwareEncoder.Configuration) throws(Failure) -> any VideoEncoder

    func paths(for source: any VideoSource, _ plan: EncodingPlan) throws(Failure) -> [VideoPath] {
        [VideoPath(captureFormat: nil, encoder: .software, transfer: .process, reason: "software")]
    }

    func open(
        _ hardware: VideoPath.Hardware, _ format: VideoFormat, _ input: HardwareEncoder.Input, bitrate: Int
    ) throws(Failure) -> any DeviceVideoEncoder {
        throw Failure(.encoderFailed, "cannot open \(hardware.path)", because: "it is not there")
    }

    func openSoftware(_ configuration: SoftwareEncoder.Configuration) throws(Failure) -> any VideoEncoder {
        try software(configuration)
    }
}
