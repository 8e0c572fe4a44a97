import Linux

@testable import Panel

/// Works a contact on a clock of its own: edges come at their times, and time passes to each deadline in between.
struct Finger {
    private var contact: Contact
    private(set) var isClosed: Bool
    /// Gestures with the milliseconds at which they were: "pressed 1000", "held 1 2000", "released 2500".
    private(set) var told: [String] = []
    /// How often time had to be looked at without an edge.
    private(set) var wakeUps = 0

    init(_ grammar: PressGrammar = PressGrammar(), debounce: Int64 = 0, isClosed: Bool = false) {
        contact = Contact(
            button: 0, grammar, debounce: debounce * 1_000_000, isClosed: isClosed, at: MonotonicTime(nanoseconds: 0))
        self.isClosed = isClosed
    }

    var hasDeadline: Bool { contact.deadline != nil }

    mutating func pass(to milliseconds: Double) {
        let end = time(milliseconds)
        while let deadline = contact.deadline, deadline <= end {
            wakeUps += 1
            take(contact.pass(to: deadline))
        }
    }

    /// An edge to the other level.
    mutating func turn(at milliseconds: Double) {
        pass(to: milliseconds)
        isClosed.toggle()
        edge(at: milliseconds)
    }

    /// An edge to the level that is there, as it may be told twice.
    mutating func edge(at milliseconds: Double, isExact: Bool = true) {
        take(contact.edge(.init(isClosed: isClosed, time: time(milliseconds), isExact: isExact)))
    }

    /// The contact opened, and nobody told.
    mutating func openUnseen() { isClosed = false }

    mutating func press(at milliseconds: Double, for length: Double = 100) {
        turn(at: milliseconds)
        turn(at: milliseconds + length)
    }

    private mutating func take(_ outcomes: [PressRecogniser.Outcome]) {
        for outcome in outcomes {
            let word =
                switch outcome.gesture {
                case .pressed: "pressed"
                case .held(let length): "held \(length / 1_000_000_000)"
                case .released: "released"
                case .stuck: "stuck"
                }
            told.append("\(word) \(outcome.time.nanoseconds / 1_000_000)")
        }
    }

    private func time(_ milliseconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(milliseconds * 1_000_000))
    }
}
