import Linux
import Media

/// What follows from an input.
public struct RecorderTransition: Hashable, Sendable {
    /// The next state.
    public internal(set) var state: RecorderState
    /// What is to be done, in this order.
    public internal(set) var effects: [RecorderEffect] = []
    /// What clients are told, after the effects were begun.
    public internal(set) var answers: [RecorderAnswer] = []

    init(_ state: RecorderState) {
        self.state = state
    }

    mutating func take(_ input: RecorderInput) {
        switch input {
        case .launched(let request): launch(request)
        case .button(let button, let event, let time): feel(button, event, at: time)
        case .request(let request, let client): serve(request, for: client)
        case .media(let media): look(at: media)
        case .source(let source): look(at: source)
        case .take(let number, let event): hear(event, of: number)
        case .warning(let warning, let isOn):
            if isOn { state.warnings.insert(warning) } else { state.warnings.remove(warning) }
        case .snapshotEnded(let result): endSnapshot(result)
        case .ejectEnded(let failure): endEjection(failure)
        case .timer(let timer): expire(timer)
        case .configured(let policy): state.policy = policy
        case .shutdown: shutDown()
        }
    }

    mutating func answer(_ client: RequestNumber?, _ reply: RecorderReply) {
        guard let client else { return }
        answers.append(RecorderAnswer(to: client, reply: reply))
    }

    mutating func refuse(_ client: RequestNumber?, _ failure: Failure, _ clip: Clip? = nil) {
        answer(client, .refused(failure, clip))
    }

    /// Refuses something that the light tells of as well, where nothing more important is going on.
    mutating func refuseVisibly(_ client: RequestNumber?, _ failure: Failure) {
        refuse(client, failure)
        effects.append(.report(failure))
        guard failure.kind.blinks != nil else { return }
        switch state.phase {
        case .idle: show(failure)
        case .fault(let fault) where !fault.isLoss: show(failure)
        case .fault, .pending, .arming, .recording, .paused, .finalising: break
        }
    }

    /// Shows a refusal for a while.
    private mutating func show(_ failure: Failure) {
        state.phase = .fault(RecorderState.Fault(failure: failure, isLoss: false))
        effects.append(.set(.refusal, state.policy.refusalTime))
    }

    /// Goes from a fault or a wait to being idle.
    mutating func settle() {
        if case .fault(let fault) = state.phase, !fault.isLoss { effects.append(.cancel(.refusal)) }
        state.phase = .idle
    }

    private mutating func launch(_ request: StartRequest?) {
        guard var request, case .idle = state.phase else { return }
        guard state.policy.goesOnAfterPowerCut, !state.isEnding else {
            effects.append(.forget)
            return
        }
        request.waits = true
        begin(request, for: nil)
    }

    private mutating func shutDown() {
        guard !state.isEnding else { return }
        state.isEnding = true
        switch state.phase {
        case .idle, .fault:
            settle()
            leave()
        case .pending:
            // What was asked for was not refused by anybody: it is still remembered.
            state.phase = .idle
            leave()
        case .arming(let take), .recording(let take), .paused(let take): stop(take, for: nil, cause: nil)
        case .finalising: break
        }
    }

    /// Lets the daemon end.
    mutating func leave() {
        let failure = Failure(.busy, "cannot go on", because: "the recorder is being ended")
        refuse(state.snapshotClient, failure)
        refuse(state.ejection?.client, failure)
        (state.snapshotClient, state.ejection) = (nil, nil)
        effects.append(.exit)
    }
}
