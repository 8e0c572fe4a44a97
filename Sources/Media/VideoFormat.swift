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

    public init(width: Int, height: Int, pixelFormat: PixelFormat, rate: FrameRate, color: ColorDescription) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.rate = rate
        self.color = color
    }
}
