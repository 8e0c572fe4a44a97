import V4L2

/// The way of the pictures from a source into an encoder: what each is set to, whose memory they lie in, and why so.
public struct VideoPath: Hashable, Sendable {
    /// Who encodes.
    public enum Encoder: Hashable, Sendable {
        /// A device.
        case hardware(Hardware)
        /// The processor.
        case software
    }

    /// A stateful encoder of the board ("Memory-to-Memory Stateful Video Encoder Interface" in the kernel's
    /// documentation).
    public struct Hardware: Hashable, Sendable {
        /// Where it is: "/dev/video11".
        public var path: String
        /// What the maker calls it: "bcm2835-codec-encode".
        public var card: String
        /// What its raw side is set to. Width and height may be greater than the picture's: then the picture is cut out.
        public var format: V4L2Format

        public init(path: String, card: String, format: V4L2Format) {
            self.path = path
            self.card = card
            self.format = format
        }
    }

    /// A device that changes pictures' layout on their way.
    public struct Converter: Hashable, Sendable {
        /// Where it is: "/dev/video12".
        public var path: String
        /// What the maker calls it: "bcm2835-isp".
        public var card: String
        /// What it takes; lines and pieces fit the capture device's.
        public var input: V4L2Format
        /// What it gives; lines and pieces fit the encoder's.
        public var output: V4L2Format
        /// Whether its buffers are lent to the capture device; else it reads the capture device's own.
        public var isLent: Bool

        public init(path: String, card: String, input: V4L2Format, output: V4L2Format, isLent: Bool) {
            self.path = path
            self.card = card
            self.input = input
            self.output = output
            self.isLent = isLent
        }
    }

    /// How a picture comes into the encoder.
    public enum Transfer: Hashable, Sendable {
        /// Zero copy: the encoder reads the capture device's own buffers.
        case shared
        /// Zero copy: the capture device writes into buffers of the encoder.
        case lent
        /// A device between the two changes the layout; the processor sees no picture.
        case converter(Converter)
        /// The processor writes each picture of the capture device into the encoder's mapped buffers, in another layout
        /// or with other lengths of lines.
        case processor
        /// The processor copies pictures that lie in memory of the process (a test picture, a pipe) into the encoder's
        /// mapped buffers.
        case copied
        /// Pictures in memory of the process, which the software encoder reads where they lie.
        case process

        /// Whether the processor reads or writes each picture on the way.
        public var isByProcessor: Bool {
            switch self {
            case .shared, .lent, .converter: false
            case .processor, .copied, .process: true
            }
        }
    }

    /// What the capture device is set to; nil for a source that is no device.
    public var captureFormat: V4L2Format?
    /// Who encodes.
    public var encoder: Encoder
    /// How pictures get from the source to the encoder, and in whose memory they lie.
    public var transfer: Transfer
    /// Why this way, as a person is told: "zero copy: the encoder takes NV12 1920x1080 as it comes, 1920 bytes a line".
    public var reason: String

    /// Whether the source's pictures were put together by the processor before they go this way.
    public var isPrepared: Bool

    public init(
        captureFormat: V4L2Format?, encoder: Encoder, transfer: Transfer, reason: String, isPrepared: Bool = false
    ) {
        self.captureFormat = captureFormat
        self.encoder = encoder
        self.transfer = transfer
        self.reason = reason
        self.isPrepared = isPrepared
    }

    /// Whether no processor touches a picture until it is in the encoder.
    public var isZeroCopy: Bool { !isPrepared && !transfer.isByProcessor }
}
