import Linux

/// Reads what one contact does as what a person means. A value without clock or device: edges and the end of holds go in
/// with their times, commands come out.
struct PressRecogniser: Equatable, Sendable {
    /// What was meant, and when.
    struct Outcome: Equatable, Sendable {
        var command: PanelCommand
        var time: MonotonicTime
        var pressed: MonotonicTime
    }

    private enum State: Equatable {
        case open
        /// Closed, but it means nothing until it opens: it was so from the beginning, or the press came too soon.
        case ignored
        /// Closed since a moment; `reached` holds are done.
        case closed(since: MonotonicTime, meaning: PressGrammar.Meaning, reached: Int)
    }

    private let grammar: PressGrammar
    private var state: State
    private var opened: MonotonicTime?

    /// - Parameter isClosed: how the contact is now: a button that is held, or stuck, means nothing until it is let go.
    init(_ grammar: PressGrammar, isClosed: Bool) {
        self.grammar = grammar
        state = isClosed ? .ignored : .open
    }

    /// Whether the contact is closed, as far as was told.
    var isClosed: Bool { state != .open }

    /// When the next hold is reached; nil while none can be, so that no timer has to run.
    var deadline: MonotonicTime? {
        guard case .closed(let since, let meaning, let reached) = state, reached < meaning.holds.count else {
            return nil
        }
        return since + meaning.holds[reached].length
    }

    /// The contact closed or opened.
    /// - Parameters:
    ///   - time: when.
    ///   - isExact: false when nobody saw it happen, and `time` is when it was found so: no hold is believed then.
    ///   - phase: what the recorder does now.
    mutating func change(
        toClosed isClosed: Bool, at time: MonotonicTime, isExact: Bool = true, in phase: PanelPhase
    ) -> [Outcome] {
        if isClosed { return close(at: time, in: phase) }
        if state == .open { return [] }
        defer {
            state = .open
            opened = time
        }
        var outcomes = isExact ? reachHolds(until: time) : []
        if case .closed(let since, let meaning, 0) = state, !meaning.isImmediate, let command = meaning.press {
            outcomes.append(Outcome(command: command, time: since, pressed: since))
        }
        return outcomes
    }

    /// Time has gone on to `time`, and the contact, looked at again, is still closed.
    mutating func reachHolds(until time: MonotonicTime) -> [Outcome] {
        var outcomes: [Outcome] = []
        while let deadline, deadline <= time, case .closed(let since, let meaning, let reached) = state {
            outcomes.append(Outcome(command: meaning.holds[reached].command, time: deadline, pressed: since))
            state = .closed(since: since, meaning: meaning, reached: reached + 1)
        }
        return outcomes
    }

    /// A contact that closes twice has opened in between, unseen: the second time is a press as well.
    private mutating func close(at time: MonotonicTime, in phase: PanelPhase) -> [Outcome] {
        if state == .ignored { return [] }
        if let opened, time - opened < grammar.rest {
            state = .ignored
            return []
        }
        let meaning = grammar.meaning(in: phase)
        state = .closed(since: time, meaning: meaning, reached: 0)
        guard meaning.isImmediate, let command = meaning.press else { return [] }
        return [Outcome(command: command, time: time, pressed: time)]
    }
}
