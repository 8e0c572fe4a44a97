import Media

/// What media, source and the recording itself tell.
extension RecorderTransition {
    mutating func look(at media: [MediumReport]) {
        state.media = media
        switch state.phase {
        case .pending: reconsider()
        case .arming(let take), .recording(let take), .paused(let take):
            if let cause = loss(of: take) { stop(take, for: nil, cause: cause) }
        case .fault(var fault):
            if fault.isLoss {
                // What looked like a failing medium was one that somebody pulled.
                guard fault.failure.kind == .mediumFailed, let name = fault.medium,
                    !media.contains(where: { $0.name == name })
                else { return }
                fault.failure = .takenOut(name)
                state.phase = .fault(fault)
            } else if fault.failure.kind.isOfMedium, case .go = choose() {
                settle()
            }
        case .idle, .finalising: break
        }
    }

    mutating func look(at source: SourceCondition) {
        state.source = source
        switch state.phase {
        case .pending: reconsider()
        case .arming(let take):
            if let cause = sourceRefusal { stop(take, for: nil, cause: cause) }
        case .fault(let fault):
            let isOfSource = fault.failure.kind == .noSignal || fault.failure.kind == .noSource
            if !fault.isLoss, isOfSource, sourceRefusal == nil { settle() }
        case .idle, .recording, .paused, .finalising: break
        }
    }

    mutating func hear(_ event: TakeEvent, of number: Int) {
        guard var take = state.take, take.number == number else { return }
        switch event {
        case .began(let clip):
            take.clip = clip
            for client in take.joiners { refuse(client, .alreadyRecording(clip), clip) }
            take.joiners = []
            replace(take)
        case .durable(let clip):
            take.clip = clip
            for client in take.joiners { refuse(client, .alreadyRecording(clip), clip) }
            take.joiners = []
            guard case .arming = state.phase else { return replace(take) }
            answer(take.starter, .started(clip))
            take.starter = nil
            state.phase = .recording(take)
            effects.append(.cancel(.arming(take: number)))
        case .unsaved, .saved:
            take.isSaved = event == .saved
            replace(take)
        case .ending: endByItself(take)
        case .ended(let result): conclude(take, result)
        }
    }

    private mutating func replace(_ take: Take) {
        switch state.phase {
        case .arming: state.phase = .arming(take)
        case .recording: state.phase = .recording(take)
        case .paused: state.phase = .paused(take)
        case .finalising(_, let ending): state.phase = .finalising(take, ending)
        case .idle, .pending, .fault: break
        }
    }

    /// Why a recording's medium can no longer be written on; nil when it can.
    private func loss(of take: Take) -> Failure? {
        guard let report = state.media.first(where: { $0.name == take.medium }) else { return .takenOut(take.medium) }
        switch report.condition {
        case .preparing: return .takenOut(take.medium)
        case .readOnly, .failed: return report.refusal
        // That it is full, the recording itself finds out, and ends with whole files; nobody but us takes it off.
        case .ready, .full, .leaving: return nil
        }
    }
}

extension FailureKind {
    /// Whether another medium, or the same one in another condition, is a remedy.
    fileprivate var isOfMedium: Bool {
        switch self {
        case .noMedium, .mediumFull, .mediumTooSlow, .mediumReadOnly, .mediumFailed: true
        default: false
        }
    }
}
