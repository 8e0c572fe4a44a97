import Linux

@testable import Panel

/// Works a contact on a clock of its own: edges come at their times, and time passes to each deadline in between.
struct Finger {
    private var contact: Contact
    private(set) var isClosed: Bool
    /// Commands with the milliseconds at which they were meant.
    private(set) var meant: [String] = []
    /// How often time had to be looked at without an edge.
    private(set) var wakeUps = 0
    var phase = PanelPhase.idle
    /// Follows the recorder: a start makes it active, a stop idle.
    var isFollowing = true

    init(_ grammar: PressGrammar, debounce: Int64 = 0, isClosed: Bool = false) {
        contact = Contact(button: 0, grammar, debounce: debounce * 1_000_000, isClosed: isClosed)
        self.isClosed = isClosed
    }

    var hasDeadline: Bool { contact.deadline != nil }

    mutating func pass(to milliseconds: Double) {
        let end = time(milliseconds)
        while let deadline = contact.deadline, deadline <= end {
            wakeUps += 1
            take(contact.pass(to: deadline, in: phase))
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
        take(contact.edge(.init(isClosed: isClosed, time: time(milliseconds), isExact: isExact), in: phase))
    }

    /// The contact opened, and nobody told.
    mutating func openUnseen() { isClosed = false }

    mutating func press(at milliseconds: Double, for length: Double = 100) {
        turn(at: milliseconds)
        turn(at: milliseconds + length)
    }

    private mutating func take(_ outcomes: [PressRecogniser.Outcome]) {
        for outcome in outcomes {
            meant.append("\(outcome.command) \(outcome.time.nanoseconds / 1_000_000)")
            guard isFollowing else { continue }
            if outcome.command == .start { phase = .active }
            if outcome.command == .stop { phase = .idle }
        }
    }

    private func time(_ milliseconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(milliseconds * 1_000_000))
    }
}
