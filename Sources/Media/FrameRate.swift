/// Pictures a second as an exact ratio, such as 30000/1001.
public struct FrameRate: Hashable, Sendable, CustomStringConvertible {
    /// Pictures in `denominator` seconds, 1 or greater.
    public let numerator: Int64
    /// Seconds for `numerator` pictures, 1 or greater.
    public let denominator: Int64

    /// The rate in lowest terms; nil when either number is below 1 or the rate is above 1000 a second.
    public init?(_ numerator: Int64, _ denominator: Int64 = 1) {
        guard numerator > 0, denominator > 0, numerator <= 1 << 32, denominator <= 1 << 32,
            numerator / denominator <= 1000
        else { return nil }
        var (large, small) = (numerator, denominator)
        while small != 0 { (large, small) = (small, large % small) }
        self.numerator = numerator / large
        self.denominator = denominator / large
    }

    /// 30 pictures a second.
    public static let thirty = FrameRate(exactly: 30)

    private init(exactly rate: Int64) {
        numerator = rate
        denominator = 1
    }

    /// Nanoseconds from the first picture to the picture with this number, rounded down. Computed afresh for each number,
    /// so that nothing adds up over days.
    public func nanoseconds(of index: Int64) -> Int64 {
        rescale(index, by: 1_000_000_000 * denominator, over: numerator)
    }

    /// How many whole periods lie in a span, rounded down.
    /// - Parameter nanoseconds: the span's length; negative for one that goes backwards.
    public func periods(in nanoseconds: Int64) -> Int64 {
        rescale(nanoseconds, by: numerator, over: 1_000_000_000 * denominator)
    }

    /// The smaller of the usual timescales (ticks a second) in which a picture lasts a whole number of ticks: 90 000,
    /// else 120 000, else the numerator itself where it fits, else 90 000.
    public var timescale: Int64 {
        for scale: Int64 in [90_000, 120_000] where (scale * denominator) % numerator == 0 { return scale }
        return numerator >= 1000 && numerator <= 1_000_000 ? numerator : 90_000
    }

    /// Pictures a second as a number, for display and for choosing.
    public var perSecond: Double { Double(numerator) / Double(denominator) }

    /// "30", "29.97", "59.94".
    public var description: String {
        if denominator == 1 { return "\(numerator)" }
        let hundredths = (numerator * 100 + denominator / 2) / denominator
        let fraction = hundredths % 100
        return "\(hundredths / 100)." + (fraction < 10 ? "0" : "") + "\(fraction)"
    }
}

/// The tick of a timescale (ticks a second) that lies nearest to a time in nanoseconds.
public func ticks(at nanoseconds: Int64, timescale: Int64) -> Int64 {
    rescale(nanoseconds + 500_000_000 / timescale, by: timescale, over: 1_000_000_000)
}

/// `value * multiplier / divisor`, rounded down, with a 128-bit product so that it cannot overflow on the way.
public func rescale(_ value: Int64, by multiplier: Int64, over divisor: Int64) -> Int64 {
    let product = value.multipliedFullWidth(by: multiplier)
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    return remainder < 0 ? quotient - 1 : quotient
}
