import Capture
import Encoding
import Media
import V4L2

/// The encoders of the machine that the program runs on.
struct BoardEncoders: EncoderMaker {
    /// Milliseconds that a device may take to open.
    private static let limit: Int32 = 5000

    func paths(for source: any VideoSource, _ plan: EncodingPlan) throws(Failure) -> [VideoPath] {
        // An encoder that is being closed is back in a moment, unless it hangs; then it is gone without.
        _ = V4L2Disposal.isComplete(within: 1000)
        let choice = PathChoice(onThisBoard: plan.preference, codes: plan.codes)
        guard let device = source as? any DeviceVideoSource else { return try choice.paths(for: source.format) }
        return try choice.paths(for: try PathChoice.Source(device))
    }

    func open(
        _ hardware: VideoPath.Hardware, _ format: VideoFormat, _ input: HardwareEncoder.Input, bitrate: Int
    ) throws(Failure) -> any DeviceVideoEncoder {
        var configuration = HardwareEncoder.Configuration(
            path: hardware.path, format: format, layout: hardware.format, input: input, bitrate: bitrate)
        // Buffers of others cost nothing here: as many as any source may have.
        if input == .imported { configuration.bufferCount = 32 }
        return try HardwareEncoder.open(configuration, within: Self.limit)
    }

    func openSoftware(_ configuration: SoftwareEncoder.Configuration) throws(Failure) -> any VideoEncoder {
        try SoftwareEncoder(configuration)
    }
}

extension HardwareEncoder: DeviceVideoEncoder {}
