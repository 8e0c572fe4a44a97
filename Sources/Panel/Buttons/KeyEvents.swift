import CKernel

/// Reads the events of an input device. A value without device.
///
/// A device of which more happened than its queue holds says so by SYN_DROPPED: what follows up to the end of that report
/// is a torn piece, and only the levels themselves tell what is true then (`Documentation/input/event-codes.rst`).
struct KeyEvents: Equatable, Sendable {
    /// What an event says of keys.
    enum Meaning: Equatable {
        case nothing
        case key(code: UInt16, isDown: Bool)
        /// Events are missing: the levels have to be read.
        case lost
    }

    private var isTorn = false

    /// - Parameters: type, code and value of an event, as in `struct input_event`.
    mutating func take(type: UInt16, code: UInt16, value: Int32) -> Meaning {
        switch (Int32(type), Int32(code)) {
        case (EV_SYN, SYN_DROPPED):
            isTorn = true
            return .nothing
        case (EV_SYN, SYN_REPORT):
            defer { isTorn = false }
            return isTorn ? .lost : .nothing
        case (EV_KEY, _) where !isTorn && (value == 0 || value == 1):
            return .key(code: code, isDown: value == 1)
        default:
            // Among others the value 2: a key that is held repeats itself.
            return .nothing
        }
    }
}
