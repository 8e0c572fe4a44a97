import Linux
import Media

/// How a recording ends, and what is next.
extension RecorderTransition {
    /// Asks a recording to end.
    /// - Parameters:
    ///   - take: the recording.
    ///   - client: who is told of its result.
    ///   - cause: why it ends, if not by a person's will.
    ///   - ejects: whether its medium is ejected afterwards.
    mutating func stop(_ take: Take, for client: RequestNumber?, cause: Failure?, ejects: Bool = false) {
        var take = take
        if let client { take.stoppers.append(client) }
        let wasArming = endArming(of: take)
        if cause == nil {
            take.isStopAsked = true
            effects.append(.forget)
        }
        state.phase = .finalising(
            take, RecorderState.Ending(cause: cause, wasArming: wasArming, ejects: ejects))
        effects.append(.stop(take: take.number))
        effects.append(.set(.finalising(take: take.number), state.policy.finalisingLimit))
    }

    /// Takes in that a recording ends without having been asked to: what is seen is on no medium any more, and its files
    /// have to be finished in time all the same.
    mutating func endByItself(_ take: Take) {
        if case .finalising = state.phase { return }
        let wasArming = endArming(of: take)
        state.phase = .finalising(take, RecorderState.Ending(cause: nil, wasArming: wasArming))
        effects.append(.set(.finalising(take: take.number), state.policy.finalisingLimit))
    }

    /// - Returns: whether nothing of it was safe yet.
    private mutating func endArming(of take: Take) -> Bool {
        guard case .arming = state.phase else { return false }
        effects.append(.cancel(.arming(take: take.number)))
        return true
    }

    /// Takes in that a recording has ended: everybody who waits is told, and the next state follows.
    mutating func conclude(_ take: Take, _ ended: TakeResult) {
        var ending = RecorderState.Ending(cause: nil, wasArming: false)
        switch state.phase {
        case .arming:
            ending.wasArming = true
            effects.append(.cancel(.arming(take: take.number)))
        case .finalising(_, let known):
            ending = known
            effects.append(.cancel(.finalising(take: take.number)))
        case .idle, .recording, .paused, .pending, .fault: break
        }
        var result = ended
        result.failure = (ending.cause ?? ended.failure).map { refined($0, of: take) }
        if ending.cause != nil { result.end = .failure }
        effects.append(.conclude(result))
        // One that was abandoned has not taken them back.
        state.warnings = []
        state.phase = .idle
        let next = state.isEnding ? nil : successor(of: take, result, wasArming: ending.wasArming)
        answerAll(of: take, result, next?.missing)
        if state.isEnding { return leave() }
        if let next {
            state.phase = .pending(next.request, next.missing)
            effects.append(.remember(next.request))
            if !ending.wasArming { reconsider(butNot: take.medium) }
        } else {
            if !take.isStopAsked { effects.append(.forget) }
            if let failure = result.failure { settle(on: failure, of: take, isLoss: !ending.wasArming) }
        }
        if ending.ejects { eject(take.medium, for: nil) }
    }

    private mutating func settle(on failure: Failure, of take: Take, isLoss: Bool) {
        guard failure.kind.blinks != nil else { return }
        state.phase = .fault(
            RecorderState.Fault(failure: failure, isLoss: isLoss, medium: isLoss ? take.medium : nil))
        if !isLoss { effects.append(.set(.refusal, state.policy.refusalTime)) }
    }

    /// What goes on in place of a recording that failed, where somebody wants that.
    private func successor(
        of take: Take, _ result: TakeResult, wasArming: Bool
    ) -> (request: StartRequest, missing: RecorderState.Missing)? {
        guard let failure = result.failure, !take.isStopAsked else { return nil }
        var request = take.request
        switch failure.kind {
        case .noSignal, .noSource:
            return wasArming && (request.waits || state.policy.pendsForSignal) ? (request, .signal) : nil
        case .noMedium where wasArming:
            return request.waits || state.policy.pendsForMedium ? (request, .medium) : nil
        case .noMedium, .mediumFailed, .mediumReadOnly, .mediumFull:
            guard !wasArming, state.policy.goesOnAfterLostMedium else { return nil }
            request.waits = true
            if let duration = request.duration {
                guard result.nanoseconds < duration else { return nil }
                request.duration = duration - result.nanoseconds
            }
            return (request, .medium)
        default: return nil
        }
    }

    private mutating func answerAll(of take: Take, _ result: TakeResult, _ missing: RecorderState.Missing?) {
        let nothing = Failure(.notRecording, "nothing was recorded", because: "it was stopped before its first picture")
        for client in take.joiners {
            if let clip = result.clip {
                refuse(client, .alreadyRecording(clip), clip)
            } else {
                refuse(client, result.failure ?? nothing)
            }
        }
        if let missing {
            answer(take.starter, .waiting(missing))
        } else if let clip = result.clip, result.failure == nil {
            answer(take.starter, .started(clip))
        } else {
            refuse(take.starter, result.failure ?? nothing, result.clip)
        }
        for client in take.stoppers {
            if let failure = result.failure {
                answer(client, .failed(result, failure))
            } else {
                answer(client, result.clip == nil ? .cancelled : .stopped(result))
            }
        }
    }

    /// A medium that is gone did not fail: somebody pulled it.
    private func refined(_ failure: Failure, of take: Take) -> Failure {
        guard failure.kind == .mediumFailed, !state.media.contains(where: { $0.name == take.medium }) else {
            return failure
        }
        return .takenOut(take.medium)
    }

    mutating func expire(_ timer: RecorderTimer) {
        switch (timer, state.phase) {
        case (.arming(let number), .arming(let take)) where number == take.number:
            let slow = Failure(
                .mediumTooSlow, "cannot record to \(take.medium)", because: "its first second is not saved in time",
                mend: "Take another medium.")
            stop(take, for: nil, cause: sourceRefusal ?? slow)
        case (.finalising(let number), .finalising(let take, let ending)) where number == take.number:
            effects.append(.abandon(take: number))
            let paths = take.clip.map { [$0.path] } ?? []
            let failure = Failure(
                .mediumFailed, "cannot finish \(paths.first ?? "the recording")",
                because: "the medium or the source does not answer",
                mend: "What was saved is finished when the medium is plugged in again.")
            conclude(
                take,
                TakeResult(
                    number: number, clip: take.clip, paths: paths, unfinished: paths, failure: ending.cause ?? failure))
        case (.refusal, .fault(let fault)) where !fault.isLoss: state.phase = .idle
        default: break
        }
    }
}

extension Failure {
    /// The clip that runs already.
    static func alreadyRecording(_ clip: Clip?) -> Failure {
        Failure(
            .alreadyRecording, "cannot start",
            because: clip.map { "\($0.path) is being recorded" } ?? "it waits already",
            mend: "Stop that first.")
    }

    /// Somebody pulled the medium.
    static func takenOut(_ medium: String) -> Failure {
        Failure(
            .noMedium, "the recording on \(medium) ended", because: "the medium was taken out",
            mend: "What was saved until then is finished when it is plugged in again.")
    }
}
