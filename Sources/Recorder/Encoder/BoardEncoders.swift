import Capture
import Encoding
import Media

/// The encoders of the machine that the program runs on.
struct BoardEncoders: EncoderMaker {
    func paths(for source: any VideoSource, _ plan: EncodingPlan) throws(Failure) -> [VideoPath] {
        [VideoPath(captureFormat: nil, encoder: .software, transfer: .process, reason: "software")]
    }

    func open(
        _ hardware: VideoPath.Hardware, _ format: VideoFormat, _ input: EncoderInput, bitrate: Int
    ) throws(Failure) -> any DeviceVideoEncoder {
        throw Failure(.encoderFailed, "cannot use \(hardware.path)", because: "this version encodes in software only")
    }

    func openSoftware(_ configuration: SoftwareEncoder.Configuration) throws(Failure) -> any VideoEncoder {
        try SoftwareEncoder(configuration)
    }
}
