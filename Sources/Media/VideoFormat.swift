/// The shape of all frames that a video source gives.
public struct VideoFormat: Hashable, Sendable {
    /// Pixels a line, even, 16…16384.
    public var width: Int
    /// Lines, even, 16…16384.
    public var height: Int
    /// How samples lie in memory.
    public var pixelFormat: PixelFormat
    /// The nominal rate; the frames' own times decide.
    public var rate: FrameRate
    /// What the sample values mean.
    public var color: ColorDescription
    /// Whether a frame comes for each period of the rate. False where one comes only when something has changed, and stands
    /// until the next, for a second or longer.
    public var hasConstantRate = true

    public init(width: Int, height: Int, pixelFormat: PixelFormat, rate: FrameRate, color: ColorDescription) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.rate = rate
        self.color = color
    }
}
