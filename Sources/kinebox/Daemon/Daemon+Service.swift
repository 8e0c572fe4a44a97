import Control
import Linux
import Media
import Recorder

/// What clients ask for. Each call becomes a request of the state machine, and its reply the call's answer.
extension Daemon: RecorderService {
    /// Hands a request to the state machine, with what is to be done when it is answered.
    private func ask(_ request: RecorderRequest, by caller: Caller, then reply: @escaping (RecorderReply) -> Void) {
        requestCount += 1
        replies[requestCount] = reply
        take(.request(request, from: requestCount), at: caller.time)
    }

    func start(
        _ parameters: RecorderAPI.Start.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Start.Reply>
    ) {
        var request = StartRequest(medium: parameters.medium)
        request.name = parameters.name
        request.duration = parameters.duration.map { Int64($0 * 1_000_000_000) }
        if let metadata = parameters.metadata { request.metadata = RecordingMetadata(metadata) }
        if let name = parameters.name {
            do throws(Failure) { try RecordingFolder.check(name) } catch {
                var refusal = Refusal(error)
                refusal.name = name
                tellOnce(of: error, .refused)
                return answer.refuse(refusal)
            }
        }
        ask(.start(request), by: caller) { [unowned self] reply in
            let requested = caller.time.nanoseconds
            switch reply {
            case .started(let clip):
                answer.succeed(
                    .init(
                        .recording, clip: described(clip), requested: requested,
                        firstFrame: deck?.status.firstFrameTime?.nanoseconds))
            case .waiting(let missing):
                answer.succeed(.init(.pending, requested: requested, problem: .init(problem(missing))))
            default: answer.refuse(refusal(reply))
            }
        }
    }

    func stop(by caller: Caller, _ answer: Answer<RecorderAPI.Stop.Reply>) {
        ask(.stop, by: caller) { [unowned self] reply in
            switch reply {
            case .stopped(let result): answer.succeed(.init(result))
            case .failed(let result, let failure):
                var reply = RecorderAPI.Stop.Reply(result)
                reply.problem = RecorderAPI.Problem(failure)
                answer.succeed(reply)
            case .cancelled: answer.succeed(.init(.stopped))
            default: answer.refuse(refusal(reply))
            }
        }
    }

    func pause(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) { plain(.pause, caller, answer) }
    func resume(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) { plain(.resume, caller, answer) }
    func split(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) { plain(.split, caller, answer) }
    func identify(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) { plain(.identify, caller, answer) }

    func setMetadata(
        _ metadata: RecorderAPI.Metadata, by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>
    ) {
        plain(.describe(RecordingMetadata(metadata)), caller, answer)
    }

    private func plain(_ request: RecorderRequest, _ caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) {
        ask(request, by: caller) { [unowned self] reply in
            if case .done = reply { answer.succeed(.init()) } else { answer.refuse(refusal(reply)) }
        }
    }

    func mark(
        _ parameters: RecorderAPI.Mark.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Mark.Reply>
    ) {
        ask(.mark(label: parameters.label ?? "", at: caller.time), by: caller) { [unowned self] reply in
            guard case .done = reply else { return answer.refuse(refusal(reply)) }
            answer.succeed(.init(time: deck?.status.recording?.nanoseconds))
        }
    }

    func snapshot(by caller: Caller, _ answer: Answer<RecorderAPI.Snapshot.Reply>) {
        ask(.snapshot, by: caller) { [unowned self] reply in
            guard case .snapshot(let path) = reply else { return answer.refuse(refusal(reply)) }
            answer.succeed(.init(path: path))
        }
    }

    func extend(
        _ parameters: RecorderAPI.Extend.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Extend.Reply>
    ) {
        ask(.extend(Int64(parameters.duration * 1_000_000_000)), by: caller) { [unowned self] reply in
            guard case .done = reply else { return answer.refuse(refusal(reply)) }
            answer.succeed(.init(remaining: status.remaining))
        }
    }

    func eject(
        _ parameters: RecorderAPI.Eject.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Eject.Reply>
    ) {
        let chosen = parameters.medium ?? state.media.first { $0.condition != .leaving }?.name
        ask(.eject(parameters.medium), by: caller) { [unowned self] reply in
            guard case .done = reply else { return answer.refuse(refusal(reply)) }
            answer.succeed(.init(medium: chosen ?? ""))
        }
    }

    func turnedAway(_ failure: Failure) { tellOnce(of: failure, .clientRefused) }

    // MARK: What only looks

    func listClips(
        _ parameters: RecorderAPI.ListClips.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.ListClips.Reply>
    ) {
        let names = parameters.medium.map { [$0] } ?? bay.list.map(\.name)
        let folders = names.compactMap { folder(of: $0) }
        if let medium = parameters.medium, folders.isEmpty {
            var refusal = Refusal(
                Failure(
                    .noMedium, "cannot list the recordings on \(medium)", because: "there is no such medium",
                    mend: "kinebox media lists those that are there."))
            refusal.medium = medium
            return answer.refuse(refusal)
        }
        let (limit, after) = (parameters.limit ?? RecorderAPI.ListClips.mostClips, parameters.after)
        let isRunning = errands.run("kinebox-clips") {
            .clips(RecordingFolder.page(of: folders, behind: after, limit: limit))
        } then: { [unowned self] outcome in
            guard case .clips(let result) = outcome else { return }
            switch result {
            case .failure(let failure): answer.refuse(failure)
            case .success(let page):
                answer.succeed(.init(clips: page.clips.map { described($0) }, next: page.next))
            }
        }
        if !isRunning { answer.refuse(Self.overloaded("cannot list the recordings")) }
    }

    func listDevices(by caller: Caller, _ answer: Answer<RecorderAPI.ListDevices.Reply>) {
        let wanted = configuration.recording
        let isRunning = errands.run("kinebox-devices") {
            .devices(
                DeviceSurvey(encoder: wanted.encoder, codes: wanted.pixelFormat, screenTurn: wanted.screenTurn).devices)
        } then: { outcome in
            guard case .devices(let devices) = outcome else { return }
            answer.succeed(.init(devices: devices))
        }
        if !isRunning { answer.refuse(Self.overloaded("cannot list the devices")) }
    }

    /// A reply that says no, with what programs can make use of.
    private func refusal(_ reply: RecorderReply) -> Refusal {
        guard case .refused(let failure, let clip) = reply else {
            return Refusal(Failure(.internalFault, "cannot answer", because: "the answer was \(reply.word)"))
        }
        var refusal = Refusal(failure)
        refusal.clip = clip.map { described($0) }
        refusal.state = RecorderAPI.State(state)
        refusal.signal = RecorderAPI.Signal(deck?.status.signal)
        let medium = state.take?.medium ?? state.media.first?.name
        refusal.medium = medium
        refusal.freeBytes = medium.flatMap { name in bay.list.first { $0.name == name }?.freeByteCount }
        refusal.unsaved = deck?.status.recording?.unsavedNanoseconds
        return refusal
    }
}

extension RecordingMetadata {
    init(_ metadata: RecorderAPI.Metadata) {
        self.init(
            title: metadata.title ?? "", author: metadata.author ?? "", comment: metadata.comment ?? "")
    }
}

extension RecorderAPI.Stop.Reply {
    init(_ result: TakeResult) {
        let end: RecorderAPI.End =
            switch result.end {
            case .stopped: .stopped
            case .duration: .duration
            case .source: .source
            case .signal: .signal
            case .failure: .failure
            }
        var clip = result.clip.map { RecorderAPI.Clip(path: $0.path, medium: $0.medium) }
        clip?.duration = result.nanoseconds
        clip?.bytes = result.byteCount
        clip?.parts = result.paths.count
        clip?.isWhole = result.unfinished.isEmpty
        self.init(
            end, clip: clip, files: Self.fitting(result.paths, 8000) { $0 }, unfinished: result.unfinished,
            firstFrame: result.firstFrameTime?.nanoseconds, lastFrame: result.lastFrameTime?.nanoseconds,
            frames: RecorderAPI.Frames(
                captured: result.capturedFrames, encoded: result.encodedFrames, dropped: result.droppedFrames,
                repeated: result.repeatedFrames),
            problem: result.failure.map { RecorderAPI.Problem($0) })
        chapters = Self.fitting(result.marks, 20_000) { $0.label }.map {
            RecorderAPI.Chapter(time: $0.nanoseconds, label: $0.label.isEmpty ? nil : $0.label)
        }
    }

    /// The first ones of a list that fit into a message beside all else: an end must not go untold for its chapters.
    private static func fitting<Element>(_ list: [Element], _ most: Int, _ text: (Element) -> String) -> [Element] {
        var left = most
        return Array(
            list.prefix { element in
                left -= text(element).utf8.count + 40
                return left >= 0
            })
    }
}
