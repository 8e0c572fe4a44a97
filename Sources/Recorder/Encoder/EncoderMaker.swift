import Capture
import Encoding
import Media

/// Finds the ways into the encoders that there are, and opens them.
protocol EncoderMaker: Sendable {
    /// All ways for a source's pictures, the best first; each of the others is what is left when those before it fail.
    /// - Throws: `Failure` when there is none.
    func paths(for source: any VideoSource, _ plan: EncodingPlan) throws(Failure) -> [VideoPath]

    /// Opens a device. It returns within a limit, whatever the device does.
    /// - Parameters:
    ///   - hardware: which, and how its pictures lie.
    ///   - format: what the pictures are.
    ///   - input: whose memory they come in.
    ///   - bitrate: bits a second.
    /// - Throws: `Failure` of kind encoderFailed.
    func open(
        _ hardware: VideoPath.Hardware, _ format: VideoFormat, _ input: HardwareEncoder.Input, bitrate: Int
    ) throws(Failure) -> any DeviceVideoEncoder

    /// Opens the software encoder.
    func openSoftware(_ configuration: SoftwareEncoder.Configuration) throws(Failure) -> any VideoEncoder
}

/// An encoder that is a device, with buffers of its own.
protocol DeviceVideoEncoder: VideoEncoder {
    /// Its buffers, for a source that fills them by itself.
    var lentBuffers: [[SharedBuffer]] { get }
    /// Its buffers, for a source that writes into them.
    var frames: [VideoFrame] { get }
    /// What the stream's samples mean, once the first packet is there.
    var outputColor: ColorDescription { get }
}

extension HardwareEncoder.Input {
    init(_ transfer: VideoPath.Transfer) {
        switch transfer {
        case .shared, .converter: self = .imported
        case .lent: self = .lent
        case .processor: self = .written
        case .copied, .process: self = .copied
        }
    }
}
