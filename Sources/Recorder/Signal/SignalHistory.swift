import Capture
import Linux
import Media

/// What a recording knows of its source's signal, and what follows from each change by its policy. A value without side
/// effects.
struct SignalHistory {
    /// What the recording has to do.
    enum Consequence: Hashable {
        /// Nothing.
        case goesOn
        /// There is nothing to record: no picture has come yet.
        case refuses(SignalState)
        /// Goes on in a new part when pictures come in again.
        case pauses
        /// Ends.
        case ends(SignalState)
        /// Begins anew with a picture that needs no other one.
        case resumes
        /// Takes the source's new shape over.
        case reshapes
    }

    let policy: SignalLossPolicy
    /// What the source last said; nil before it has said anything.
    private(set) var state: SignalState?
    /// The losses that are over.
    private(set) var gaps: [SignalGap] = []
    /// The loss that is not over: since when no picture comes in, and why.
    private var open: (start: MonotonicTime, state: SignalState)?
    /// Whether the policy was followed for the loss that is not over.
    private var hasFollowedPolicy = false
    /// Whether pictures come in again, of which none was captured yet: the next one ends a loss.
    private(set) var isReturning = false

    /// Whether the last picture stands in for those that do not come.
    var isHolding: Bool { policy == .hold && open != nil && !isReturning }

    init(_ policy: SignalLossPolicy) {
        self.policy = policy
    }

    /// Takes a change in.
    /// - Parameter hasPicture: whether the recording has a picture.
    mutating func take(_ change: SourceChange, hasPicture: Bool) -> Consequence {
        switch change {
        case .lost(let state, let moment):
            self.state = state
            guard hasPicture else { return .refuses(state) }
            // A loss that comes back before a picture did is the same one.
            open = (open?.start ?? moment, state)
            isReturning = false
            guard !hasFollowedPolicy else { return .goesOn }
            hasFollowedPolicy = true
            switch policy {
            case .slate, .hold: return .goesOn
            case .split: return .pauses
            case .stop: return .ends(state)
            }
        case .returned:
            state = .locked(nil)
            guard open != nil else { return .goesOn }
            isReturning = true
            return .resumes
        case .reshaped(let moment):
            state = .locked(nil)
            // Pictures of the new shape come only once everything was set up for them.
            if open == nil { open = (moment, .noLock) }
            isReturning = true
            return .reshapes
        }
    }

    /// The source's own word for what comes in, in place of a mere "locked".
    mutating func note(_ state: SignalState) {
        self.state = state
    }

    /// Begins a recording in the midst of a loss.
    /// - Parameter moment: the recording's start.
    mutating func begin(with state: SignalState, at moment: MonotonicTime) {
        self.state = state
        open = (moment, state)
        hasFollowedPolicy = true
    }

    /// Takes in that a picture was captured.
    /// - Parameters:
    ///   - moment: when.
    ///   - timeline: the recording's.
    /// - Returns: the loss that is over now.
    mutating func end(at moment: MonotonicTime, on timeline: TakeTimeline) -> SignalGap? {
        guard let (start, state) = open else { return nil }
        open = nil
        (isReturning, hasFollowedPolicy) = (false, false)
        let first = max(0, timeline.time(of: start))
        let gap = SignalGap(start: first, end: max(first, timeline.time(of: moment)), state: state)
        guard gap.end > gap.start else { return nil }
        gaps.append(gap)
        return gap
    }
}
