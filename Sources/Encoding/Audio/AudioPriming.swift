/// How sound is fed to the encoder so that the file needs no edit list: what is fed comes back `delay` samples later, and
/// that is not a whole number of packets. So feeding begins a little before the recording's first moment, by as many samples
/// as make it whole, and the packets before that moment are dropped.
///
/// The first packet that is kept begins at the first moment exactly. Each AAC packet overlaps the one before it; since that
/// one is missing, the first 1024 samples fade in.
public struct AudioPriming: Hashable, Sendable {
    /// Samples of a packet for each channel.
    public static let packetSamples = 1024

    /// Samples by which a decoder's output lies behind the encoder's input.
    public let delay: Int

    /// - Parameter delay: samples, 0 or more.
    public init(delay: Int) {
        precondition(delay >= 0, "sound cannot come out before it goes in")
        self.delay = delay
    }

    /// The priming of `AudioEncoder`: 448 samples of lead, 2 packets to drop.
    public static let standard = AudioPriming(delay: AudioEncoder.primingSamples)

    /// Packets that are dropped at the start.
    public var packetsToDrop: Int { (delay + Self.packetSamples - 1) / Self.packetSamples }

    /// Samples to feed from before the recording's first moment: what was captured then, or zeros.
    public var leadSamples: Int { packetsToDrop * Self.packetSamples - delay }

    /// Packets that are kept for a recording of so many samples.
    /// - Parameter samples: for each channel, from the first moment on.
    public func packets(for samples: Int64) -> Int64 {
        (samples + Int64(Self.packetSamples) - 1) / Int64(Self.packetSamples)
    }

    /// Zero samples to feed at the end so that the last sample comes out.
    /// - Parameter samples: for each channel, from the first moment on, without the lead.
    public func zeroSamples(after samples: Int64) -> Int {
        let fed = Int64(leadSamples) + samples
        let needed = (packets(for: samples) + Int64(packetsToDrop)) * Int64(Self.packetSamples)
        return Int(needed - fed)
    }
}
