import Media

/// Which vertical blanks are wanted of a screen: for each moment of a rate the blank that lies nearest to it. It counts
/// blanks, not time, so that pictures come exactly as often as the display's own clock says. Of a rate that is not below
/// the display's, each blank is wanted. A value without side effects.
///
/// Numbers above 2^62, to which no display comes, count as 2^62: nothing overflows that is computed of them.
struct ScreenPace {
    /// Blanks from one wanted moment to the next, as a ratio.
    private let blanks: Int64
    private let moments: Int64
    /// The blank of the first moment.
    private var anchor: Int64 = 0

    /// - Parameters:
    ///   - refresh: blanks a second.
    ///   - rate: pictures a second that are wanted; nil for all.
    init(refresh: FrameRate, rate: FrameRate?) {
        guard let rate, rate.perSecond < refresh.perSecond else {
            (blanks, moments) = (1, 1)
            return
        }
        // Both products fit: rates of displays and of recordings have terms of at most nine digits.
        let up = refresh.numerator.multipliedReportingOverflow(by: rate.denominator)
        let down = refresh.denominator.multipliedReportingOverflow(by: rate.numerator)
        (blanks, moments) = up.overflow || down.overflow ? (1, 1) : (up.partialValue, down.partialValue)
    }

    private static let farthest: Int64 = 1 << 62

    /// Counts from this blank on: it is the first that is wanted.
    mutating func begin(at sequence: UInt64) {
        anchor = Self.clamped(sequence)
    }

    /// The first wanted blank behind one.
    func next(after sequence: UInt64) -> UInt64 {
        blank(of: moment(of: sequence) + 1)
    }

    /// How many moments went by between two blanks without a picture of their own: the later blank's picture is that of the
    /// last moment that is not behind it.
    func missed(from first: UInt64, to last: UInt64) -> UInt64 {
        UInt64(max(moment(of: last) - moment(of: first) - 1, 0))
    }

    private static func clamped(_ sequence: UInt64) -> Int64 { min(Int64(clamping: sequence), farthest) }

    /// The last moment whose blank is not behind this one.
    private func moment(of sequence: UInt64) -> Int64 {
        let behind = Self.clamped(sequence) - anchor
        // Rounding is towards the nearest blank, so the moment may be one further than the division says.
        var moment = rescale(behind, by: moments, over: blanks)
        while distance(of: moment + 1) <= behind { moment += 1 }
        return moment
    }

    private func blank(of moment: Int64) -> UInt64 {
        UInt64(max(anchor + distance(of: moment), 0))
    }

    /// Blanks from the anchor to the one that lies nearest to a moment.
    private func distance(of moment: Int64) -> Int64 {
        let whole = rescale(moment, by: blanks, over: moments)
        // What is left over, without a product that could overflow: it is compared with what is missing to a whole one.
        let rest = moment.multipliedFullWidth(by: blanks).low &- UInt64(bitPattern: whole &* moments)
        return Int64(rest) >= moments - Int64(rest) ? whole + 1 : whole
    }
}
