import Media

/// When the test picture flashes and the test tone beeps: in the first frame at or after each whole second.
///
/// Both sources compute it from the rate alone, so that they agree to the nanosecond without talking to each other.
public struct FlashSchedule: Hashable, Sendable {
    /// The pictures' rate.
    public let rate: FrameRate

    public init(rate: FrameRate) {
        self.rate = rate
    }

    /// The number of the frame that flashes for a second: the first one at or after it.
    /// - Parameter second: whole seconds since the first frame, 0 or greater.
    public func frame(ofSecond second: Int64) -> Int64 {
        -rescale(-second, by: rate.numerator, over: rate.denominator)
    }

    /// Whether the frame with this number is a flash. The first frame is one.
    public func isFlash(frame: Int64) -> Bool {
        frame == 0 || second(ofFrame: frame) > second(ofFrame: frame - 1)
    }

    /// Whole seconds that have passed when the frame with this number is shown.
    public func second(ofFrame frame: Int64) -> Int64 {
        rescale(frame, by: rate.denominator, over: rate.numerator)
    }

    /// Nanoseconds from the first frame to the flash of a second.
    public func nanoseconds(ofSecond second: Int64) -> Int64 {
        rate.nanoseconds(of: frame(ofSecond: second))
    }

    /// Nanoseconds that a beep lasts: as long as its frame is shown, at most 40 ms.
    public var beepNanoseconds: Int64 { min(rate.nanoseconds(of: 1), 40_000_000) }
}
