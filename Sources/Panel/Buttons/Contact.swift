import Linux

/// A button's contact: its debouncing, then its grammar. A value without clock or device.
struct Contact: Equatable, Sendable {
    /// The button's place in the configuration.
    let button: Int
    private var debounce: Debounce
    private var recogniser: PressRecogniser

    /// - Parameters:
    ///   - button: its place in the configuration.
    ///   - grammar: what is told of it.
    ///   - debounce: nanoseconds that a level has to stay; 0 where driver or kernel see to it.
    ///   - isClosed: how the contact is now.
    ///   - now: the moment of that.
    init(button: Int, _ grammar: PressGrammar, debounce: Int64, isClosed: Bool, at now: MonotonicTime) {
        self.button = button
        self.debounce = Debounce(period: debounce, isClosed: isClosed)
        recogniser = PressRecogniser(grammar, isClosed: isClosed, at: now)
    }

    /// When time alone changes something; nil while it does not, so that no timer has to run.
    var deadline: MonotonicTime? {
        switch (debounce.deadline, recogniser.deadline) {
        case (let first?, let second?): min(first, second)
        case (let first, let second): first ?? second
        }
    }

    /// An edge came.
    mutating func edge(_ change: Debounce.Change) -> [PressRecogniser.Outcome] {
        debounce.edge(change).flatMap { settle($0) }
    }

    /// Time has gone on, and the contact's level, looked at again, is what the edges told.
    mutating func pass(to time: MonotonicTime) -> [PressRecogniser.Outcome] {
        let settled = debounce.rest(until: time).map { settle($0) } ?? []
        return settled + recogniser.reachHolds(until: time)
    }

    private mutating func settle(_ change: Debounce.Change) -> [PressRecogniser.Outcome] {
        recogniser.change(toClosed: change.isClosed, at: change.time, isExact: change.isExact)
    }
}
