import Media

/// One call of the recorder's interface on its way to the service.
struct RecorderDispatch {
    let server: RecorderServer
    let connection: Connection
    let message: ArraySlice<UInt8>
    let caller: Caller

    /// Carries out any method but Subscribe, which the server does itself.
    func run(_ method: RecorderMethod) {
        switch method {
        case .getStatus:
            perform(RecorderAPI.GetStatus.self) { answer, service, _ in answer.succeed(.init(status: service.status)) }
        case .start: startOrRefuse()
        case .stop: perform(RecorderAPI.Stop.self) { answer, service, _ in service.stop(by: caller, answer) }
        case .pause: perform(RecorderAPI.Pause.self) { answer, service, _ in service.pause(by: caller, answer) }
        case .resume: perform(RecorderAPI.Resume.self) { answer, service, _ in service.resume(by: caller, answer) }
        case .split: perform(RecorderAPI.Split.self) { answer, service, _ in service.split(by: caller, answer) }
        case .mark: perform(RecorderAPI.Mark.self) { $1.mark($2, by: caller, $0) }
        case .snapshot:
            perform(RecorderAPI.Snapshot.self) { answer, service, _ in service.snapshot(by: caller, answer) }
        case .extend: extendOrRefuse()
        case .setMetadata: perform(RecorderAPI.SetMetadata.self) { $1.setMetadata($2.metadata, by: caller, $0) }
        case .listClips: listClipsOrRefuse()
        case .listMedia:
            perform(RecorderAPI.ListMedia.self) { answer, service, _ in answer.succeed(.init(media: service.media)) }
        case .listDevices:
            perform(RecorderAPI.ListDevices.self) { answer, service, _ in service.listDevices(by: caller, answer) }
        case .eject: perform(RecorderAPI.Eject.self) { $1.eject($2, by: caller, $0) }
        case .identify:
            perform(RecorderAPI.Identify.self) { answer, service, _ in service.identify(by: caller, answer) }
        case .subscribe: break
        }
    }

    private func startOrRefuse() {
        perform(RecorderAPI.Start.self) { answer, service, parameters in
            if let duration = parameters.duration, let failure = Self.objection(to: duration, "cannot start") {
                return answer.refuse(failure)
            }
            service.start(parameters, by: caller, answer)
        }
    }

    private func extendOrRefuse() {
        perform(RecorderAPI.Extend.self) { answer, service, parameters in
            if let failure = Self.objection(to: parameters.duration, "cannot extend the recording") {
                return answer.refuse(failure)
            }
            service.extend(parameters, by: caller, answer)
        }
    }

    private func listClipsOrRefuse() {
        perform(RecorderAPI.ListClips.self) { answer, service, parameters in
            var parameters = parameters
            let most = RecorderAPI.ListClips.mostClips
            let limit = parameters.limit ?? most
            guard (1...most).contains(limit) else {
                return answer.refuse(
                    Failure(
                        .invalidValue, "cannot list \(limit) clips", because: "a reply has 1 to \(most) of them",
                        mend: "Ask again for what comes behind the last one."))
            }
            parameters.limit = limit
            service.listClips(parameters, by: caller, answer)
        }
    }

    /// Why no recording can have a duration in seconds; nil when it can.
    private static func objection(to duration: Double, _ thing: String) -> Failure? {
        if duration > 0 && duration <= 100_000_000 { return nil }
        return Failure(
            .invalidValue, thing, because: "a duration of \(duration) s cannot be",
            mend: "Use seconds greater than 0, such as 10 or 0.5.")
    }

    /// Reads the parameters and hands the call to the service, with an answer that finds its way back.
    private func perform<Call: RecorderCall>(
        _ call: Call.Type, _ body: (Answer<Call.Reply>, any RecorderService, Call.Parameters) -> Void
    ) {
        guard let parameters = server.parameters(Call.Parameters.self, message, connection) else { return }
        let limit = server.limits.messageBytes
        let answer = Answer<Call.Reply> { [weak server, weak connection] result in
            guard let server, let connection else { return }
            server.finish(connection, Self.message(result, within: limit))
        }
        if let objection = parameters.objection { return answer.refuse(objection) }
        guard let service = server.service else { return }
        body(answer, service, parameters)
    }

    /// The message for an answer; nil for one that does not fit into a message. A list of clips is made to fit.
    private static func message<Reply: Encodable>(_ result: Result<Reply, Refusal>, within limit: Int) -> [UInt8]? {
        switch result {
        case .failure(let refusal): return RecorderServer.message(refusal)
        case .success(let reply):
            guard let message = RecorderServer.message(reply), message.count > limit else {
                return RecorderServer.message(reply)
            }
            guard let clips = reply as? RecorderAPI.ListClips.Reply, let half = clips.half else { return nil }
            return Self.message(.success(half), within: limit)
        }
    }
}
