import Media
import V4L2

extension HardwareEncoder {
    /// What a hardware encoder is asked to do.
    public struct Configuration: Sendable {
        /// Where the encoder is: "/dev/video11".
        public var path: String
        /// What the frames are: their size, even, their samples' meaning and their nominal rate. For `copied`, the layout
        /// of the frames too; else `layout` has it.
        public var format: VideoFormat
        /// How the raw pictures lie in memory, as the driver would set it. Width and height may be greater than the
        /// picture's, which is then cut out. What is 0 the driver decides.
        public var layout: V4L2Format
        /// Whose memory the frames are.
        public var input: Input
        /// Bits a second.
        public var bitrate: Int
        /// Raw pictures that can be inside at once; the driver may make it more or fewer (`HardwareEncoder.bufferCount`). For
        /// `imported`, at least the number of the source's buffers.
        public var bufferCount = 8
        /// A key frame comes at least this often, 1…600 seconds.
        public var keyFrameSeconds = 2

        /// - Parameters:
        ///   - path: where the encoder is.
        ///   - format: what the frames are.
        ///   - layout: how they lie in memory.
        ///   - input: whose memory they are.
        ///   - bitrate: bits a second; nil chooses by size and rate.
        public init(path: String, format: VideoFormat, layout: V4L2Format, input: Input, bitrate: Int? = nil) {
            self.path = path
            self.format = format
            self.layout = layout
            self.input = input
            self.bitrate =
                bitrate
                ?? SoftwareEncoder.Configuration.usualBitrate(
                    width: format.width, height: format.height, rate: format.rate)
        }
    }

    /// Whose memory the frames are that an encoder takes.
    public enum Input: Hashable, Sendable {
        /// Another device's, as dma-bufs: the encoder reads them where they are. Each keeps its `index`.
        case imported
        /// The encoder's, as dma-bufs (`lentBuffers`): another device writes into them.
        case lent
        /// The encoder's (`frames`): the processor writes into them.
        case written
        /// Anybody's that the processor sees, NV12 or YUV420: each frame is copied and released at once.
        case copied
    }
}
