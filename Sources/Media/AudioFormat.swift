/// The shape of sound: 16-bit signed samples in the machine's byte order, channels interleaved.
public struct AudioFormat: Hashable, Sendable {
    /// Samples a second for each channel.
    public var rate: Int
    /// 1 or 2.
    public var channels: Int

    public init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }

    /// 48 kHz stereo.
    public static let standard = AudioFormat(rate: 48_000, channels: 2)

    /// Nanoseconds that a number of samples lasts, rounded down.
    public func nanoseconds(of samples: Int64) -> Int64 {
        rescale(samples, by: 1_000_000_000, over: Int64(rate))
    }

    /// Samples in a span of nanoseconds, rounded to the nearest.
    public func samples(in nanoseconds: Int64) -> Int64 {
        ticks(at: nanoseconds, timescale: Int64(rate))
    }
}
