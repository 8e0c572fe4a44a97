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
        /// Closed since a moment, but no press: it was so from the beginning, or came too soon.
        case ignored(since: MonotonicTime)
        /// Closed, and nothing is told of it until it opens: that it is stuck was told.
        case stuck
        /// Closed since a moment; so many holds are told.
        case closed(since: MonotonicTime, holdCount: Int)
    }

    private let grammar: PressGrammar
    private var state: State
    private var opened: MonotonicTime?

    /// - Parameters:
    ///   - isClosed: how the contact is now: a button that is held, or stuck, means nothing until it is let go.
    ///   - now: the moment of that.
    init(_ grammar: PressGrammar, isClosed: Bool, at now: MonotonicTime) {
        self.grammar = grammar
        state = isClosed ? .ignored(since: now) : .open
    }

    /// When the next hold is reached, or the contact counts as stuck; nil while neither can be, so that no timer has to run.
    var deadline: MonotonicTime? {
        switch state {
        case .open, .stuck: nil
        case .ignored(let since): since + grammar.stuck
        case .closed(let since, let holdCount):
            since + (holdCount < grammar.holds.count ? grammar.holds[holdCount] : grammar.stuck)
        }
    }

    /// The contact closed or opened.
    /// - Parameters:
    ///   - time: when.
    ///   - isExact: false when nobody saw it happen, and `time` is when it was found so: no hold is believed then.
    mutating func change(toClosed isClosed: Bool, at time: MonotonicTime, isExact: Bool = true) -> [Outcome] {
        if isClosed { return close(at: time) }
        return state == .open ? [] : open(at: time, isExact: isExact)
    }

    /// Time has gone on to `time`, and the contact, looked at again, is as it was.
    mutating func reachHolds(until time: MonotonicTime) -> [Outcome] {
        var outcomes: [Outcome] = []
        while let deadline, deadline <= time {
            switch state {
            case .closed(let since, let holdCount) where holdCount < grammar.holds.count:
                outcomes.append(Outcome(gesture: .held(grammar.holds[holdCount]), time: deadline, pressed: since))
                state = .closed(since: since, holdCount: holdCount + 1)
            case .closed(let since, _), .ignored(let since):
                outcomes.append(Outcome(gesture: .stuck, time: deadline, pressed: since))
                state = .stuck
            case .open, .stuck: return outcomes
            }
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
        switch state {
        case .ignored, .stuck: return []
        case .open, .closed: break
        }
        let before = state == .open ? [] : open(at: time, isExact: false)
        if before.isEmpty, let opened, time - opened < grammar.rest {
            state = .ignored(since: time)
            return []
        }
        state = .closed(since: time, holdCount: 0)
        return before + [Outcome(gesture: .pressed, time: time, pressed: time)]
    }
}
