/// Which pixel of a source stands at a pixel of the target, along one axis. The source is sampled at the middle of the
/// target's pixel, and the pixel that contains this place is taken: for the target's pixel `i` of `n` and a part of the
/// source that begins at `start` and is `length` long (both in 1/65536 pixel), it is
/// `(start + ((2i + 1) × length) / (2n)) / 65536`, both divisions rounded down.
struct SampleAxis {
    let start: UInt64
    let length: UInt64
    /// Pixels of the target, 1 or more.
    let count: Int
    let isReversed: Bool

    /// Whether neighbours in the target are neighbours in the source.
    var isUnscaled: Bool { length == UInt64(count) << 16 }

    /// - Parameter place: 0..<count.
    func index(_ place: Int) -> Int {
        let place = isReversed ? count - 1 - place : place
        return Int((start &+ (UInt64(2 * place + 1) &* length) / UInt64(2 * count)) >> 16)
    }

    /// Writes the indices of neighbouring places, less `origin`.
    func write(_ places: Range<Int>, less origin: Int, to table: UnsafeMutablePointer<UInt32>) {
        let divisor = UInt64(2 * count)
        let first = isReversed ? count - places.upperBound : places.lowerBound
        // One division for all: quotient and remainder grow by the same amounts from place to place.
        let numerator = UInt64(2 * first + 1) &* length
        var (whole, rest) = numerator.quotientAndRemainder(dividingBy: divisor)
        let (step, restStep) = (2 &* length).quotientAndRemainder(dividingBy: divisor)
        for number in 0..<places.count {
            let index = Int((start &+ whole) >> 16) - origin
            table[isReversed ? places.count - 1 - number : number] = UInt32(truncatingIfNeeded: index)
            whole &+= step
            rest &+= restStep
            if rest >= divisor { (whole, rest) = (whole &+ 1, rest &- divisor) }
        }
    }
}
