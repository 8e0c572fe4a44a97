import Linux
import Media

/// Finds out that a program draws into a framebuffer that stays (fbdev, X without page flips): a few of its lines are
/// looked at five times a second, and when they have changed, each blank counts as a change until they have been still for
/// some seconds. A value without side effects.
struct InPlaceWatch {
    /// Nanoseconds from one look to the next.
    static let interval: Int64 = 200_000_000
    /// Nanoseconds without a change after which nobody draws any more.
    static let patience: Int64 = 3_000_000_000
    /// Every so many lines one is looked at: nothing that a person reads is lower.
    static let lineStep = 16
    /// What was seen last; nil when the framebuffer was another one.
    private var print: UInt64?
    private var lastLook: MonotonicTime?
    private var lastChange: MonotonicTime?

    /// Takes note that another framebuffer is shown: whoever flips does not draw into what is seen.
    mutating func noteFlip(at time: MonotonicTime) {
        (print, lastLook, lastChange) = (nil, time, nil)
    }

    /// Whether it is time for a look.
    func isDue(at time: MonotonicTime) -> Bool {
        guard let lastLook else { return true }
        return time - lastLook >= Self.interval
    }

    /// Takes what a look saw.
    /// - Returns: whether that is something else than before.
    mutating func note(_ print: UInt64, at time: MonotonicTime) -> Bool {
        let isOther = self.print.map { $0 != print } ?? false
        (self.print, lastLook) = (print, time)
        if isOther { lastChange = time }
        return isOther
    }

    /// Whether somebody draws, so that each blank may have changed what is seen.
    func isDrawing(at time: MonotonicTime) -> Bool {
        guard let lastChange else { return false }
        return time - lastChange < Self.patience
    }

    /// Sums up every sixteenth line of a plane, from the eighth on.
    /// - Parameter lineBytes: bytes of a line that are seen, a multiple of 2.
    static func print(of plane: VideoFrame.Plane, lineBytes: Int) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for line in stride(from: lineStep / 2, to: plane.lines, by: lineStep) {
            let start = UnsafeRawPointer(plane.base) + line * plane.bytesPerLine
            // Two sums, so that one product need not wait for the other.
            var other = sum ^ UInt64(line)
            var offset = 0
            while offset + 16 <= lineBytes {
                sum = (sum ^ start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x0000_0100_0000_01B3
                other =
                    (other ^ start.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
                    &* 0x9E37_79B9_7F4A_7C15
                offset += 16
            }
            while offset + 2 <= lineBytes {
                sum =
                    (sum ^ UInt64(start.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
                    &* 0x0000_0100_0000_01B3
                offset += 2
            }
            sum ^= other << 29 | other >> 35
        }
        return sum
    }
}
