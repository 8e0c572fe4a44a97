/// Finds gaps in a driver's 32-bit picture numbers, and makes 64-bit ones of them.
struct SequenceCounter {
    private var last: UInt32?
    /// The number of the last picture, counted from 0.
    private(set) var number: UInt64 = 0

    /// Begins anew with the next picture, which comes after a stop.
    mutating func resume() {
        guard last != nil else { return }
        last = nil
        number += 1
    }

    /// Takes note of a picture.
    /// - Returns: pictures that are missing in front of it.
    mutating func missing(before sequence: UInt32) -> UInt64 {
        defer { last = sequence }
        guard let last else { return 0 }
        let step = sequence &- last
        // A number that stays or goes back is the driver's mistake or a start anew, and tells nothing.
        guard step > 0, step < 1 << 31 else {
            number += 1
            return 0
        }
        number += UInt64(step)
        return UInt64(step) - 1
    }
}
