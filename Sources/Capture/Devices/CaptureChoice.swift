import Media
import V4L2

/// The way in which pictures are taken from a device: chosen from what it offers.
public struct CaptureChoice: Hashable, Sendable {
    public let offer: CaptureOffer
    /// All offers of this size that come as near to the wanted rate, those that make least work first; `offer` leads.
    public let alternatives: [CaptureOffer]
    /// The rate to ask for; nil when the device does not say which it has.
    public let rate: FrameRate?

    /// Chooses. First the size counts: the wanted one, else the largest up to 1920x1080 that reaches 24 pictures a second;
    /// then the rate; then how little work the layout makes, in the order of `V4L2Layout.all`. So compressed pictures are
    /// taken only where raw ones are slower.
    /// - Parameters:
    ///   - offers: what the device has.
    ///   - size: the wanted size; nil for the best.
    ///   - rate: the wanted rate; nil for 30 or what comes nearest.
    /// - Returns: nil when nothing fits.
    public init?(from offers: [CaptureOffer], size: V4L2Sizes.Size?, rate: FrameRate?) {
        let target = rate ?? .thirty
        let even = offers.filter { $0.size.width % 2 == 0 && $0.size.height % 2 == 0 }
        guard let size = size ?? Self.bestSize(even, target) else { return nil }
        let fitting = even.filter { $0.size == size }
        guard let nearest = fitting.map({ Self.distance($0, target) }).min() else { return nil }
        alternatives = fitting.filter { Self.distance($0, target) <= nearest + 0.01 }
            .sorted { Self.work($0) < Self.work($1) }
        guard let offer = alternatives.first else { return nil }
        self.offer = offer
        self.rate = offer.rate(nearest: target)
    }

    /// How far a rate is away from the wanted one, as a part of that.
    private static func distance(_ offer: CaptureOffer, _ target: FrameRate) -> Double {
        guard let rate = offer.rate(nearest: target) else { return 0 }
        return abs(rate.perSecond - target.perSecond) / target.perSecond
    }

    private static func work(_ offer: CaptureOffer) -> Int {
        V4L2Layout.all.firstIndex(of: offer.layout) ?? V4L2Layout.all.count
    }

    private static func bestSize(_ offers: [CaptureOffer], _ target: FrameRate) -> V4L2Sizes.Size? {
        let moderate = offers.filter { $0.size.width <= 1920 && $0.size.height <= 1080 }
        let candidates = moderate.isEmpty ? offers : moderate
        let fluent = candidates.filter { distance($0, target) <= 0.2 }
        if let largest = fluent.max(by: { area($0.size) < area($1.size) }) { return largest.size }
        // None is fluent: the one that comes nearest to it.
        return candidates.min {
            let (first, second) = (distance($0, target), distance($1, target))
            return first == second ? area($0.size) > area($1.size) : first < second
        }?.size
    }

    private static func area(_ size: V4L2Sizes.Size) -> Int { size.width * size.height }
}
