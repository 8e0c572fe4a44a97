import Capture
import Encoding
import Linux
import Media

/// A source of picture and sound on its pipeline thread, and the recordings that are made of it: one event loop over capture,
/// encoder, sound and the writer threads' answers.
///
/// A live source wakes it once for each picture, and everything else that is ready is taken along with the picture: what
/// the encoder has coded since the last one, and the sound. So a picture costs one wait and no look at the clock. Between
/// recordings each picture goes back to its source at once, and nobody has looked at it.
final class Pipeline {
    let plan: DeckPlan
    let shared: PipelineShared
    /// Nil while nothing is open.
    var source: OpenSource?
    /// The recording that gets pictures, or whose last ones are in the encoder.
    var take: TakeRun?
    /// Recordings of which only the writer threads have something to do.
    var finishing: [TakeFiles] = []
    /// What is to be recorded as soon as no other recording needs the encoder.
    var starts: [PipelineShared.Start] = []
    /// What is to be done to a recording that has not begun yet.
    var early: [PipelineShared.Command] = []
    var stills: StillDesk
    /// Whether the thread ends when no recording runs.
    var isLeaving = false
    /// What was told of the source last.
    var condition = SourceCondition.unknown
    /// When a source that cannot be opened is tried again.
    var retryTime = MonotonicTime(nanoseconds: 0)

    enum Token {
        static let command: UInt64 = 0
        static let video: UInt64 = 1
        static let encoder: UInt64 = 2
        static let writer: UInt64 = 3
        static let signal: UInt64 = 4
        static let still: UInt64 = 5
        static let sound: UInt64 = 6
    }

    /// Nanoseconds after which a source that cannot be opened is tried again.
    static let retryInterval: Int64 = 1_000_000_000

    /// Runs until it is told to leave, on the calling thread.
    static func run(_ plan: DeckPlan, _ shared: PipelineShared) {
        let pipeline = Pipeline(plan, shared)
        pipeline.run()
    }

    private init(_ plan: DeckPlan, _ shared: PipelineShared) {
        (self.plan, self.shared) = (plan, shared)
        stills = StillDesk(shared.pictured)
        watch(shared.wake.raw, token: Token.command)
        watch(shared.written.raw, token: Token.writer)
        watch(shared.pictured.raw, token: Token.still)
    }

    private func run() {
        while !(hasLeft && finishing.isEmpty) {
            turn()
            // A medium that does not answer must not keep the source from whoever opens it next.
            if hasLeft { letGo() }
        }
        letGo()
    }

    /// Whether nobody needs the source any more.
    private var hasLeft: Bool { isLeaving && take == nil && starts.isEmpty }

    private func letGo() {
        closeSource()
        shared.hasLetGo.store(true, ordering: .releasing)
        answerStills()
    }

    // MARK: One turn

    /// Waits once and does what has become ready.
    private func turn() {
        let ready = wait()
        if ready & (1 << Token.command) != 0 {
            shared.wake.clear()
            while let command = shared.nextCommand() { follow(command) }
        }
        if ready & (1 << Token.writer) != 0 { lookAtFiles() }
        if ready & (1 << Token.still) != 0 { endStill() }
        if source == nil { openIfDue() }
        startIfPossible()
        if let source { work(on: source, ready) }
        if let take { follow(take) }
        if let source { requestPicture(of: source) }
        answerStills()
        tellCondition()
    }

    private func wait() -> UInt64 {
        var ready: UInt64 = 0
        shared.turns.add(1, ordering: .relaxed)
        do throws(Errno) {
            try shared.epoll.wait(milliseconds: waitingTime) { token, _ in ready |= 1 << min(token, 63) }
        } catch {
            breakDown(Failure(.internalFault, "cannot wait for the devices", because: "\(error)"))
        }
        shared.turns.add(1, ordering: .relaxed)
        return ready
    }

    /// Milliseconds; nil for as long as nothing happens.
    private var waitingTime: Int32? {
        guard let source else {
            guard (plan.isWarm && !isLeaving) || !starts.isEmpty else { return nil }
            return Int32(min(max((retryTime - .now) / 1_000_000 + 1, 0), 1000))
        }
        if source.reshapeDeadline != nil || !source.encoder.isReady || source.isBehind { return 5 }
        guard let take else { return source.isLive ? restingTime(source) : stills.isWaiting ? 100 : nil }
        guard take.isCapturing, !take.isLimited, !take.pause.isBusy else { return 5 }
        // Nobody waits for the encoder of a live source: a picture comes soon, and if none does, this ends the wait.
        let most = source.isLive ? take.millisecondsToWant : 100
        guard source.isLive, source.encoder.framesInside > 0 else { return most }
        return min(Int32(max(2 * source.period / 1_000_000, 10)), most)
    }

    /// Milliseconds while nothing is recorded from a live source. Sound is taken along with pictures, so where they do not
    /// come it has to be looked at by itself, often enough for the memory of its device.
    private func restingTime(_ source: OpenSource) -> Int32 {
        source.video.givesOnlyChanges && source.inputs.contains(where: \.isLive) ? 100 : 1000
    }

    /// Does what the source and the encoder have.
    private func work(on source: OpenSource, _ ready: UInt64) {
        var newest: MonotonicTime?
        // Where the clock decides what was too late, it is looked at before the pictures are.
        let before = take?.isLimited == true ? MonotonicTime.now : nil
        if source.isStarted {
            do throws(Failure) {
                readSound(source)
                if source.failure == nil {
                    if ready & (1 << Token.signal) != 0 {
                        source.device?.watchSignal()
                        try takeChanges(source)
                    }
                    newest = try readVideo(source, isReady: ready & (1 << Token.video) != 0)
                }
            } catch {
                breakDown(error)
            }
        }
        do throws(Failure) {
            try takeEncoded(source, butFor: newest == nil ? 0 : 1)
        } catch {
            take?.abandonEncoder(error)
            breakDown(error)
        }
        guard source.isStarted, source.failure == nil else { return }
        do throws(Failure) {
            // A picture that was just captured tells the time well enough.
            try lookAtClock(source, newest ?? before ?? .now)
        } catch {
            breakDown(error)
        }
    }

    /// Goes on with the recording, or ends it.
    private func follow(_ take: TakeRun) {
        if let source, !source.isStarted, take.isCapturing, take.files.clip != nil { start(source, for: take) }
        if let failure = take.files.failure { take.fail(failure) }
        if take.files.isNearlyFull && take.isCapturing {
            take.fail(
                Failure(
                    .mediumFull, "the recording was ended",
                    because: take.files.clip.map { "the medium with \($0.path) is full" } ?? "the medium is full",
                    mend: "The file is complete up to there; free some room before the next one."))
        }
        if take.phase == .draining { take.endIfComplete() }
        if take.phase == .done { leave(take) } else if take.source.isStarted { report(take) }
    }

    private func report(_ take: TakeRun) {
        take.report()
        guard take.isCapturing, take.files.isBegun else { return }
        let now = take.lastTime.map { max($0, take.source.newestCapture) } ?? .now
        guard take.warnings.isDue(at: now) else { return }
        for (warning, isOn) in take.warnings.take(take.look(at: now)) {
            shared.tell(.deck(.warning(warning, isOn: isOn)))
        }
    }

    /// Takes in what writer threads have done.
    private func lookAtFiles() {
        shared.written.clear()
        take?.files.look(take?.parts)
        for files in finishing { files.look(nil) }
        finishing.removeAll(where: \.hasEnded)
    }

    // MARK: Waiting

    func watch(_ descriptor: Int32, token: UInt64) {
        do throws(Errno) {
            try shared.epoll.add(descriptor, for: .readable, token: token)
        } catch {
            say("a device cannot be waited for: \(error)", .warning)
        }
    }

    /// A source that waits is not looked at while nobody can take its pictures.
    func watchVideo(_ isWatched: Bool, of source: OpenSource) {
        guard isWatched != source.isVideoWatched else { return }
        source.isVideoWatched = isWatched
        if isWatched {
            watch(source.video.descriptor, token: Token.video)
        } else {
            try? shared.epoll.remove(source.video.descriptor)
        }
    }

    func watchEncoder(_ isWatched: Bool, of source: OpenSource) {
        guard isWatched != source.isEncoderWatched else { return }
        source.isEncoderWatched = isWatched
        if isWatched {
            watch(source.encoder.descriptor, token: Token.encoder)
        } else {
            try? shared.epoll.remove(source.encoder.descriptor)
        }
    }

    func readSound(_ source: OpenSource) {
        for (track, input) in source.inputs.enumerated() {
            shared.merge(peak: input.takePeak(), track: track)
            guard input.isLive, !input.isLost else { continue }
            input.read(before: source.newestCapture)
            if input.isLost {
                for descriptor in input.source.descriptors { try? shared.epoll.remove(descriptor) }
            }
            if let notice = input.takeNotice() { say(notice, .warning) }
        }
    }

    func say(_ words: String, _ kind: DeckNotice.Kind = .information) {
        shared.tell(.deck(.notice(DeckNotice(kind, words))))
    }

    func say(_ notice: EncoderNotice) { shared.tell(.deck(.notice(DeckNotice(notice)))) }
}
