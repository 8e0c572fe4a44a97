import Linux
import Media

/// What clients ask for.
extension RecorderTransition {
    mutating func serve(_ request: RecorderRequest, for client: RequestNumber) {
        switch request {
        case .start(let start): self.start(start, for: client)
        case .stop: stop(for: client)
        case .describe(let metadata):
            state.nextMetadata = metadata
            answer(client, .done)
        case .snapshot: takeSnapshot(for: client)
        case .eject(let medium): eject(medium, for: client)
        case .identify:
            effects.append(.identify)
            answer(client, .done)
        case .pause, .resume, .split, .mark, .extend: steer(request, for: client)
        }
    }

    private mutating func start(_ request: StartRequest, for client: RequestNumber) {
        switch state.phase {
        case .idle, .fault: begin(request, for: client)
        case .arming(var take):
            if let clip = take.clip { return refuse(client, .alreadyRecording(clip), clip) }
            // It is told the clip once there is one, or the failure that both share.
            take.joiners.append(client)
            state.phase = .arming(take)
        case .recording(let take), .paused(let take): refuse(client, .alreadyRecording(take.clip), take.clip)
        case .pending: refuse(client, .alreadyRecording(nil))
        case .finalising(let take, _):
            refuse(
                client,
                Failure(
                    .busy, "cannot start", because: "the last recording is being finished",
                    mend: "Try again in a moment."),
                take.clip)
        }
    }

    private mutating func stop(for client: RequestNumber) {
        switch state.phase {
        case .idle, .fault: refuse(client, Self.notRecording(.stop))
        case .arming(let take), .recording(let take), .paused(let take): stop(take, for: client, cause: nil)
        case .finalising(var take, let ending):
            take.stoppers.append(client)
            if !take.isStopAsked {
                // It ends by itself already, and somebody wants it to be over: nothing goes on in its place.
                take.isStopAsked = true
                effects.append(.forget)
            }
            state.phase = .finalising(take, ending)
        case .pending:
            cancelPending()
            answer(client, .cancelled)
        }
    }

    /// What changes a recording that runs.
    private mutating func steer(_ request: RecorderRequest, for client: RequestNumber) {
        switch state.phase {
        case .idle, .fault, .pending, .finalising: return refuse(client, Self.notRecording(request))
        case .arming(let take):
            if case .extend(let nanoseconds) = request {
                effects.append(.extend(take: take.number, nanoseconds: nanoseconds))
                return answer(client, .done)
            }
            let failure = Failure(
                .busy, request.refused, because: "the recording is just beginning", mend: "Try again in a moment.")
            return refuse(client, failure, take.clip)
        case .recording(let take):
            switch request {
            case .pause: pause(take)
            case .split: effects.append(.split(take: take.number))
            case .mark(let label, let time): effects.append(.mark(take: take.number, label: label, at: time))
            case .extend(let nanoseconds): effects.append(.extend(take: take.number, nanoseconds: nanoseconds))
            default: break
            }
        case .paused(let take):
            switch request {
            case .resume: resume(take)
            case .split: effects.append(.split(take: take.number))
            case .mark(let label, let time): effects.append(.mark(take: take.number, label: label, at: time))
            case .extend(let nanoseconds): effects.append(.extend(take: take.number, nanoseconds: nanoseconds))
            default: break
            }
        }
        answer(client, .done)
    }

    mutating func pause(_ take: Take) {
        effects.append(.pause(take: take.number))
        state.phase = .paused(take)
    }

    mutating func resume(_ take: Take) {
        effects.append(.resume(take: take.number))
        state.phase = .recording(take)
    }

    private static func notRecording(_ request: RecorderRequest) -> Failure {
        Failure(
            .notRecording, request.refused, because: "nothing is being recorded", mend: "Start a recording first.")
    }

    // MARK: Stills and ejection

    private mutating func takeSnapshot(for client: RequestNumber) {
        guard !state.isEnding, state.snapshotClient == nil else {
            let cause = state.isEnding ? "the recorder is being ended" : "another still is being saved"
            return refuse(client, Failure(.busy, "cannot take a still", because: cause))
        }
        func still(_ failure: Failure) -> Failure {
            Failure(failure.kind, RecorderRequest.snapshot.refused, because: failure.cause, mend: failure.mend)
        }
        if let failure = state.source.refusal { return refuseVisibly(client, still(failure)) }
        // Beside its recording, where there is one.
        let isThere = state.take.map { take in state.media.contains { $0.name == take.medium } } ?? false
        let choice = isThere ? state.take.map { .go(medium: $0.medium) } ?? choose() : choose()
        switch choice {
        case .go(let medium):
            state.snapshotClient = client
            effects.append(.snapshot(medium: medium))
        case .wait:
            refuse(
                client,
                Failure(
                    .busy, "cannot take a still", because: "the medium is being prepared",
                    mend: "Try again in a moment."))
        case .refuse(let failure): refuseVisibly(client, still(failure))
        }
    }

    mutating func endSnapshot(_ result: SnapshotResult) {
        guard let client = state.snapshotClient else { return }
        state.snapshotClient = nil
        switch result {
        case .taken(let path): answer(client, .snapshot(path: path))
        case .failed(let failure): refuseVisibly(client, failure)
        }
    }

    /// Takes a medium off, unless something is being written on it.
    mutating func eject(_ name: String?, for client: RequestNumber?) {
        func busy(_ cause: String, _ mend: String = "") -> Failure {
            Failure(.busy, "cannot eject", because: cause, mend: mend)
        }
        if state.isEnding { return refuse(client, busy("the recorder is being ended")) }
        if state.ejection != nil { return refuse(client, busy("a medium is being ejected", "Try again in a moment.")) }
        guard let medium = state.media.first(where: { name == nil ? $0.condition != .leaving : $0.name == name }) else {
            var failure = Self.noMedium(name)
            failure.thing = "cannot eject"
            return refuseVisibly(client, failure)
        }
        if let take = state.take, take.medium == medium.name {
            return refuse(client, busy("\(medium.name) is being recorded to", "Stop the recording first."), take.clip)
        }
        if state.snapshotClient != nil {
            return refuse(client, busy("a still is being saved", "Try again in a moment."))
        }
        if case .fault = state.phase { settle() }
        state.ejection = RecorderState.Ejection(medium: medium.name, client: client)
        effects.append(.eject(medium: medium.name))
    }

    mutating func endEjection(_ failure: Failure?) {
        guard let ejection = state.ejection else { return }
        state.ejection = nil
        if let failure {
            refuseVisibly(ejection.client, failure)
        } else {
            answer(ejection.client, .done)
        }
        reconsider()
    }
}

extension RecorderRequest {
    /// "cannot pause": what a failure says of it.
    var refused: String {
        switch self {
        case .start: "cannot start"
        case .stop: "cannot stop"
        case .pause: "cannot pause"
        case .resume: "cannot go on"
        case .split: "cannot begin a new file"
        case .mark: "cannot mark a chapter"
        case .snapshot: "cannot take a still"
        case .extend: "cannot extend the recording"
        case .describe: "cannot describe the recording"
        case .eject: "cannot eject"
        case .identify: "cannot show which box it is"
        }
    }
}
