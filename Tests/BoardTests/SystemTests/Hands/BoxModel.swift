/// What a box is expected to do, told in as few words as a person would: each wish has one answer.
struct BoxModel {
    /// What somebody wants of the box.
    enum Wish: String, CaseIterable {
        case start, stop, pause, resume, split, mark, snapshot
        /// A hand pulls the stick, or plugs it in.
        case pull, plug
    }

    enum State: String {
        /// Nothing is recorded; a refusal may still be shown.
        case idle, recording, paused
        /// A recording was lost, and nobody has done anything since.
        case lost
    }

    private(set) var state = State.idle
    private(set) var hasStick = true
    /// Whether a refusal may be shown just now.
    private(set) var isRefused = false

    /// What a box answers to a wish: "done", or the error's name.
    mutating func answer(to wish: Wish) -> String {
        switch wish {
        case .start:
            if state == .recording || state == .paused { return "AlreadyRecording" }
            guard hasStick else {
                // Whoever tries it again has seen that the last one was lost.
                state = .idle
                return refuse("NoMedium")
            }
            (state, isRefused) = (.recording, false)
            return "done"
        case .stop:
            guard state == .recording || state == .paused else { return "NotRecording" }
            state = .idle
            return "done"
        case .pause, .resume, .split, .mark:
            guard state == .recording || state == .paused else { return "NotRecording" }
            if wish == .pause { state = .paused }
            if wish == .resume { state = .recording }
            return "done"
        case .snapshot: return hasStick ? "done" : refuse("NoMedium")
        case .pull:
            if state == .recording || state == .paused { state = .lost }
            hasStick = false
            return "done"
        case .plug:
            (hasStick, isRefused) = (true, false)
            return "done"
        }
    }

    /// A press of the one button: it starts, and it stops.
    mutating func press() {
        _ = answer(to: state == .recording || state == .paused ? .stop : .start)
    }

    /// A new refusal takes the place of what is shown, but for a loss: that stays until something is begun.
    private mutating func refuse(_ error: String) -> String {
        if state == .idle { isRefused = true }
        return error
    }

    /// Takes over where the box is after several hands wanted something at once.
    mutating func adopt(_ word: String) {
        guard let state = State(rawValue: word) else { return }
        self.state = state
        isRefused = false
    }

    /// The words of the socket that a box may have for its state.
    var words: Set<String> {
        switch state {
        case .idle: isRefused ? ["idle", "fault"] : ["idle"]
        case .recording: ["recording"]
        case .paused: ["paused"]
        case .lost: ["fault"]
        }
    }
}
