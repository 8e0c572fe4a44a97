import Linux

/// Reads what one contact does as gestures of a hand. A value without clock or device: edges and the passing of time go in,
/// gestures come out.
struct PressRecogniser: Equatable, Sendable {
    /// A gesture, and when.
    struct Outcome: Equatable, Sendable {
        var gesture: PressGesture
        var time: MonotonicTime
        var pressed: MonotonicTime
    }

    private enum State: Equatable {
        case open
        /// Closed, but nothing is told of it until it opens: it was so from the beginning, or the press came too soon.
        case ignored
        /// Closed since a moment; so many holds are told.
        case closed(since: MonotonicTime, holdCount: Int)
    }

    private let grammar: PressGrammar
    private var state: State
    private var opened: MonotonicTime?

    /// - Parameter isClosed: how the contact is now: a button that is held, or stuck, means nothing until it is let go.
    init(_ grammar: PressGrammar, isClosed: Bool) {
        self.grammar = grammar
        state = isClosed ? .ignored : .open
    }

    /// When the next hold is reached; nil while none can be, so that no timer has to run.
    var deadline: MonotonicTime? {
        guard case .closed(let since, let holdCount) = state, holdCount < grammar.holds.count else { return nil }
        return since + grammar.holds[holdCount]
    }

    /// The contact closed or opened.
    /// - Parameters:
    ///   - time: when.
    ///   - isExact: false when nobody saw it happen, and `time` is when it was found so: no hold is believed then.
    mutating func change(toClosed isClosed: Bool, at time: MonotonicTime, isExact: Bool = true) -> [Outcome] {
        if isClosed { return close(at: time) }
        return state == .open ? [] : open(at: time, isExact: isExact)
    }

    /// Time has gone on to `time`, and the contact, looked at again, is still closed.
    mutating func reachHolds(until time: MonotonicTime) -> [Outcome] {
        var outcomes: [Outcome] = []
        while let deadline, deadline <= time, case .closed(let since, let holdCount) = state {
            outcomes.append(Outcome(gesture: .held(grammar.holds[holdCount]), time: deadline, pressed: since))
            state = .closed(since: since, holdCount: holdCount + 1)
        }
        return outcomes
    }

    private mutating func open(at time: MonotonicTime, isExact: Bool) -> [Outcome] {
        var outcomes = isExact ? reachHolds(until: time) : []
        if case .closed(let since, _) = state {
            outcomes.append(Outcome(gesture: .released, time: time, pressed: since))
        }
        state = .open
        opened = time
        return outcomes
    }

    /// A contact that closes twice has opened in between, unseen: the second time is a press as well.
    private mutating func close(at time: MonotonicTime) -> [Outcome] {
        if state == .ignored { return [] }
        let before = state == .open ? [] : open(at: time, isExact: false)
        if before.isEmpty, let opened, time - opened < grammar.rest {
            state = .ignored
            return []
        }
        state = .closed(since: time, holdCount: 0)
        return before + [Outcome(gesture: .pressed, time: time, pressed: time)]
    }
}
