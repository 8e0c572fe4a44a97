/// Finds gaps in a driver's 32-bit picture numbers, and makes 64-bit ones of them.
struct SequenceCounter {
    private var last: UInt32?
    /// The number of the last picture, counted from 0.
    private(set) var number: UInt64 = 0
    /// Whether `number` is that of a picture.
    private var hasBegun = false

    /// - Parameter number: of the last picture before; nil when there was none.
    init(after number: UInt64? = nil) {
        guard let number else { return }
        self.number = number
        hasBegun = true
    }

    /// Counts something that the driver does not number.
    mutating func advance() {
        if hasBegun { number += 1 }
        hasBegun = true
    }

    /// Begins anew with the next picture, which comes after a stop.
    mutating func resume() {
        last = nil
    }

    /// Takes note of a picture.
    /// - Returns: pictures that are missing in front of it.
    mutating func missing(before sequence: UInt32) -> UInt64 {
        defer { last = sequence }
        guard let last else {
            advance()
            return 0
        }
        let step = sequence &- last
        // A number that stays or goes back is the driver's mistake or a start anew, and tells nothing.
        guard step > 0, step < 1 << 31 else {
            advance()
            return 0
        }
        number += UInt64(step)
        return UInt64(step) - 1
    }
}
