import Linux
import Media

/// When vertical blanks are: from the last one that is known, and the mode's rate.
struct BlankClock: Equatable {
    /// A blank's number and moment.
    struct Blank: Equatable {
        var sequence: UInt64
        var time: MonotonicTime
    }

    /// Blanks a second.
    let refresh: FrameRate
    /// The last one that the kernel told of.
    private(set) var last: Blank
    /// Whether blanks are counted from the clock's start, since the driver tells of none.
    private let isCounting: Bool

    /// A blank that is asked for may lie this many ahead of the last one: what is beyond comes of numbers that began anew.
    static let farthest: UInt64 = 10_000

    init(_ refresh: FrameRate, _ last: Blank) {
        self.refresh = refresh
        self.last = last
        isCounting = false
    }

    /// Where the driver has no blanks: they are counted in periods from the clock's start.
    init(counting refresh: FrameRate, until now: MonotonicTime) {
        let sequence = refresh.periods(in: now.nanoseconds)
        let time = MonotonicTime(nanoseconds: refresh.nanoseconds(of: sequence))
        self.refresh = refresh
        last = Blank(sequence: UInt64(max(sequence, 0)), time: time)
        isCounting = true
    }

    /// Nanoseconds from one blank to the next.
    var period: Int64 { refresh.nanoseconds(of: 1) }

    /// Takes over what the kernel told of a blank.
    mutating func note(_ blank: Blank) { last = blank }

    /// The blank for an order: the one with that number, or the next one where it has been.
    func target(_ sequence: UInt64) -> UInt64 {
        let next = last.sequence &+ 1
        return sequence > next && sequence - next < Self.farthest ? sequence : next
    }

    /// When a blank will be. Some periods ahead the error is small, since the display has a clock of its own.
    func time(of sequence: UInt64) -> MonotonicTime {
        if isCounting { return MonotonicTime(nanoseconds: refresh.nanoseconds(of: Int64(clamping: sequence))) }
        // Numbers of two counts may lie farther apart than time can be told.
        let most = Int64.max / 4 / max(period, 1)
        let ahead = min(max(Int64(truncatingIfNeeded: sequence &- last.sequence), -most), most)
        return last.time + refresh.nanoseconds(of: ahead)
    }

    /// The blank for an order where none is told of: the wanted one where it is due, else the last one before the moment, so
    /// that no time is told that is still to come.
    /// - Parameters:
    ///   - sequence: the wanted one.
    ///   - moment: when the picture was read.
    func blank(of sequence: UInt64, at moment: MonotonicTime) -> Blank {
        let reckoned = blank(before: moment)
        let time = time(of: sequence)
        return reckoned.sequence < sequence && time - moment <= period
            ? Blank(sequence: sequence, time: time) : reckoned
    }

    /// The last blank before a moment, reckoned from the one that is known.
    func blank(before moment: MonotonicTime) -> Blank {
        let periods = refresh.periods(in: moment - last.time)
        let sequence = last.sequence &+ UInt64(max(periods, 0))
        return Blank(sequence: sequence, time: time(of: sequence))
    }
}
