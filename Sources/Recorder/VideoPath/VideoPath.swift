import V4L2

/// The way of a device's pictures into an encoder: which layout is captured, what encodes, and what lies between.
public struct VideoPath: Hashable, Sendable {
    /// What encodes.
    public enum Encoder: Hashable, Sendable {
        /// A V4L2 memory-to-memory device: "/dev/video11".
        case hardware(path: String)
        /// x264.
        case software
    }

    /// How a picture gets from the capture device's memory into the encoder's.
    public enum Transfer: Hashable, Sendable {
        /// Not at all: the encoder reads the capture device's own buffers.
        case shared
        /// Not at all: the capture device writes into the encoder's buffers.
        case lent
        /// Another V4L2 memory-to-memory device converts, without the processor.
        case converter(path: String)
        /// The processor converts, or copies, from the capture device's buffers into the encoder's.
        case processor
        /// The encoder is in the process itself and reads what was captured, or what was converted once.
        case process
    }

    /// What the capture device is set to (`DeviceVideoSource.choose`).
    public var captureFormat: V4L2Format
    /// What encodes.
    public var encoder: Encoder
    /// What the encoder is fed with: the same as is captured, or what it is converted into. Of the software encoder nil.
    public var encoderFormat: V4L2Format?
    /// What lies between.
    public var transfer: Transfer
    /// Why it is this one and none before it, in words for people.
    public var reason: String

    public init(
        captureFormat: V4L2Format, encoder: Encoder, encoderFormat: V4L2Format?, transfer: Transfer, reason: String
    ) {
        self.captureFormat = captureFormat
        self.encoder = encoder
        self.encoderFormat = encoderFormat
        self.transfer = transfer
        self.reason = reason
    }
}
