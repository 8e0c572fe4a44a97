import Media

/// How a recording begins: at once, later, or not at all.
extension RecorderTransition {
    /// Whether a recording can begin now.
    enum Verdict {
        case go(medium: String)
        case wait(RecorderState.Missing)
        case refuse(Failure)
    }

    /// Begins a recording, or says why not. Whatever the light blinked of is acknowledged by it.
    mutating func begin(_ request: StartRequest, for client: RequestNumber?) {
        guard !state.isEnding else {
            return refuse(client, Failure(.busy, "cannot record", because: "the recorder is being ended"))
        }
        settle()
        var request = request
        request.metadata = request.metadata.completed(by: state.nextMetadata)
        switch verdict(on: request) {
        case .go(let medium): arm(request, on: medium, for: client)
        case .wait(let missing):
            state.phase = .pending(request, missing)
            effects.append(.remember(request))
            answer(client, .waiting(missing))
        case .refuse(let failure): return refuseVisibly(client, failure)
        }
        state.nextMetadata = RecordingMetadata()
    }

    private mutating func arm(_ request: StartRequest, on medium: String, for client: RequestNumber?) {
        state.takeCount += 1
        let take = Take(number: state.takeCount, request: request, medium: medium, starter: client)
        state.phase = .arming(take)
        effects.append(.remember(request))
        effects.append(.start(take))
        effects.append(.set(.arming(take: take.number), state.policy.armingLimit))
    }

    /// Looks whether what waits can begin.
    /// - Parameter failed: a medium that has just failed, and is not taken again.
    mutating func reconsider(butNot failed: String? = nil) {
        guard case .pending(let request, _) = state.phase else { return }
        switch verdict(on: request, butNot: failed) {
        case .go(let medium): arm(request, on: medium, for: nil)
        case .wait(let missing): state.phase = .pending(request, missing)
        case .refuse(let failure):
            state.phase = .idle
            effects.append(.forget)
            refuseVisibly(nil, failure)
        }
    }

    /// Nothing is waited for any more.
    mutating func cancelPending() {
        state.phase = .idle
        effects.append(.forget)
    }

    func verdict(on request: StartRequest, butNot failed: String? = nil) -> Verdict {
        let medium = choose(named: request.medium, butNot: failed)
        switch medium {
        case .wait: return medium
        case .refuse(let failure):
            let isAwaited = request.waits || (state.policy.pendsForMedium && failure.kind == .noMedium)
            return isAwaited ? .wait(.medium) : medium
        case .go: break
        }
        guard let failure = sourceRefusal else { return medium }
        return request.waits || state.policy.pendsForSignal ? .wait(.signal) : .refuse(failure)
    }

    /// Why the source of the picture forbids a start.
    var sourceRefusal: Failure? {
        if case .silent = state.source, state.policy.startsWithoutSignal { return nil }
        return state.source.refusal
    }

    /// The medium to write on: the preferred one of those that can be written on.
    func choose(named name: String? = nil, butNot failed: String? = nil) -> Verdict {
        let media = state.media.filter { $0.name != failed && (name == nil || $0.name == name) }
        let free = media.filter { $0.name != state.ejection?.medium }
        if let ready = free.first(where: { $0.condition == .ready }) { return .go(medium: ready.name) }
        if free.contains(where: { $0.condition == .preparing }) { return .wait(.medium) }
        if let failure = free.lazy.compactMap(\.refusal).first { return .refuse(failure) }
        if let ejected = media.first {
            let leaving = MediumReport(name: ejected.name, condition: .leaving)
            if let failure = leaving.refusal { return .refuse(failure) }
        }
        return .refuse(Self.noMedium(name))
    }

    static func noMedium(_ name: String?) -> Failure {
        Failure(
            .noMedium, "cannot record", because: name.map { "there is no medium named \($0)" } ?? "there is no medium",
            mend: name == nil
                ? "Plug in a USB stick or a card." : "Plug it in; kinebox media lists those that are there."
        )
    }
}
