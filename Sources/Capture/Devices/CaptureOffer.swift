import Media
import V4L2

/// One way in which a device can give pictures.
public struct CaptureOffer: Hashable, Sendable {
    public var layout: V4L2Layout
    public var size: V4L2Sizes.Size
    public var rates: V4L2Rates

    public init(layout: V4L2Layout, size: V4L2Sizes.Size, rates: V4L2Rates) {
        self.layout = layout
        self.size = size
        self.rates = rates
    }

    /// The rate that comes nearest to a wanted one, the higher of two; nil when the device does not say.
    public func rate(nearest wanted: FrameRate) -> FrameRate? {
        switch rates {
        case .unknown:
            return nil
        case .discrete(let rates):
            func distance(_ rate: FrameRate) -> Double { abs(rate.perSecond - wanted.perSecond) }
            return rates.min {
                distance($0) == distance($1) ? $0.perSecond > $1.perSecond : distance($0) < distance($1)
            }
        case .range(let slowest, let fastest):
            if wanted.perSecond > fastest.perSecond { return fastest }
            return wanted.perSecond < slowest.perSecond ? slowest : wanted
        }
    }

    /// "YUYV 640x480 at 30, 15".
    public var description: String {
        let rates =
            switch rates {
            case .unknown: ""
            case .discrete(let rates): " at " + rates.map { "\($0)" }.joined(separator: ", ")
            case .range(let slowest, let fastest): " at \(slowest) to \(fastest)"
            }
        return "\(V4L2Layout.name(layout.fourcc)) \(size)\(rates)"
    }
}

extension V4L2Device {
    /// All ways in which the device can give pictures that we understand.
    /// - Parameters:
    ///   - type: the capture queue.
    ///   - wanted: a size to ask for where the device takes any of a range.
    func offers(_ type: V4L2BufferType, wanted: V4L2Sizes.Size?) -> [CaptureOffer] {
        var offers: [CaptureOffer] = []
        for fourcc in layouts(type) {
            guard let layout = V4L2Layout.of(fourcc) else { continue }
            for size in candidates(type, fourcc, wanted: wanted) {
                offers.append(CaptureOffer(layout: layout, size: size, rates: rates(fourcc, size)))
            }
        }
        return offers
    }

    private func candidates(
        _ type: V4L2BufferType, _ fourcc: UInt32, wanted: V4L2Sizes.Size?
    ) -> [V4L2Sizes.Size] {
        switch sizes(fourcc) {
        case .discrete(let sizes):
            return sizes
        case .stepwise(let smallest, let largest, let step):
            let usual = [(1920, 1080), (1280, 720), (1024, 768), (800, 600), (640, 480), (320, 240)]
            let sizes = (wanted.map { [$0] } ?? []) + usual.map { V4L2Sizes.Size($0.0, $0.1) } + [largest]
            var fitting: [V4L2Sizes.Size] = []
            for size in sizes where !fitting.contains(size) {
                let fits =
                    (smallest.width...largest.width).contains(size.width)
                    && (smallest.height...largest.height).contains(size.height)
                    && (size.width - smallest.width) % step.width == 0
                    && (size.height - smallest.height) % step.height == 0
                if fits { fitting.append(size) }
            }
            return fitting
        case nil:
            // The signal decides, and the driver knows it.
            return (try? format(type)).map { [V4L2Sizes.Size($0.width, $0.height)] } ?? []
        }
    }
}
