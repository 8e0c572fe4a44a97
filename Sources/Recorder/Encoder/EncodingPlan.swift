import Capture
import Encoding
import Media

/// Who encodes a recording's pictures, and how.
public struct EncodingPlan: Sendable {
    /// Who encodes.
    public var preference: EncoderPreference
    /// The codes of which a device is to give one (V4L2_PIX_FMT_…); nil for the one that makes least work.
    public var codes: [UInt32]?
    /// Bits a second of the picture, 10 000…800 000 000; it also decides how much may wait in memory and how early a split
    /// by size begins. Nil for the usual rate of the picture's size.
    public var bitrate: Int?
    /// How much work the software encoder puts into each frame.
    public var preset: SoftwareEncoder.Preset
    /// Threads of the software encoder; 0 for as many as the machine's cores suggest.
    public var threads: Int
    /// Finds and opens encoders.
    var maker: any EncoderMaker = BoardEncoders()

    public init(
        preference: EncoderPreference = .automatic, codes: [UInt32]? = nil, bitrate: Int? = nil,
        preset: SoftwareEncoder.Preset = .automatic, threads: Int = 0
    ) {
        self.preference = preference
        self.codes = codes
        self.bitrate = bitrate
        self.preset = preset
        self.threads = threads
    }

    /// The bits a second for pictures of a shape.
    func bitrate(for format: VideoFormat) -> Int {
        bitrate
            ?? SoftwareEncoder.Configuration.usualBitrate(
                width: format.width, height: format.height, rate: format.rate)
    }
}
