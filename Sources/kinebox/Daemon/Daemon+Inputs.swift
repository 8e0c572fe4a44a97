import Control
import Linux
import Media
import Recorder

/// From what happens to what is done.
extension Daemon {
    /// Lets the state machine have an input, does what follows, shows it, and answers those who asked: in this order, so
    /// that whoever is told that a recording is safe finds the light steady.
    /// - Parameter moment: when it happened; never later than now.
    func take(_ input: RecorderInput, at moment: MonotonicTime = .now) {
        inputs.append((input, moment))
        // What an effect brings about comes behind it.
        guard !isTaking else { return }
        isTaking = true
        var answers: [RecorderAnswer] = []
        var told: Set<Failure> = []
        while !inputs.isEmpty {
            let (input, moment) = inputs.removeFirst()
            self.moment = moment
            let before = state
            let transition = state.after(input)
            state = transition.state
            for effect in transition.effects {
                perform(effect)
                if case .report(let failure) = effect { told.insert(failure) }
                if case .conclude(let result) = effect, let failure = result.failure { told.insert(failure) }
            }
            answers += transition.answers
            if state.phase != before.phase { tellOfPhase(from: before) }
        }
        isTaking = false
        showLights()
        for case .refused(let failure, _) in answers.map(\.reply) where !told.contains(failure) {
            tellOnce(of: failure, .refused)
        }
        for answer in answers { replies.removeValue(forKey: answer.to)?(answer.reply) }
        if isOver { return }
        supervisor.show(status: statusLine)
        server.announceChange()
        setAlarms()
        if isDeckStale, isDeckFree { renewDeck() }
        endIfReplaced()
    }

    private func perform(_ effect: RecorderEffect) {
        switch effect {
        case .start(let take): start(take)
        case .pause(let take): deck?.pause(take: take, at: moment)
        case .resume(let take): deck?.resume(take: take, at: moment)
        case .split(let take):
            deck?.split(take: take)
            write(entry(.recordingSplit, "The recording goes on in a new file", of: take))
        case .mark(let take, let label, let time):
            deck?.mark(take: take, label: label, at: time)
            write(
                entry(
                    .recordingMarked, label.isEmpty ? "A chapter begins" : "The chapter \"\(label)\" begins", of: take))
        case .extend(let take, let nanoseconds):
            takes[take]?.extend(by: nanoseconds)
            deck?.extend(take: take, nanoseconds: nanoseconds)
        case .stop(let take): stop(take)
        case .abandon(let take): abandon(take)
        case .conclude(let result): conclude(result)
        case .report(let failure): tell(of: failure)
        case .snapshot(let medium): takeStill(on: medium)
        case .eject(let medium): eject(medium)
        case .identify:
            write(JournalEntry(.identified, "The lights show which box this is."))
            do throws(Failure) { try lights?.identify() } catch { tellOfLight(error) }
        case .remember(let request): remember(request)
        case .forget: remember(nil)
        case .set(let timer, let span): timers.set(.recorder(timer), at: .now + span)
        case .cancel(let timer): timers.cancel(.recorder(timer))
        case .exit: isOver = true
        }
    }

    /// Sets the alarms that are needed now, and none else: an idle recorder does not wake up.
    func setAlarms() {
        if server.subscriberCount > 0, deck != nil, !timers.isSet(.levels) {
            timers.set(.levels, at: .now + 100_000_000)
        }
        if state.take != nil, !timers.isSet(.look) { timers.set(.look, at: .now + 1_000_000_000) }
    }

    func tellLevels() {
        guard server.subscriberCount > 0 else { return }
        server.announceChange()
        setAlarms()
    }

    func lookAtRecording() {
        guard let take = state.take else { return }
        lookForHang(of: take)
        supervisor.show(status: statusLine)
        setAlarms()
    }

    /// A thread that hangs in a device records nothing: after two seconds the light says so, and later the recording is
    /// ended without that thread. Before and behind the recording the state machine has limits of its own.
    private func lookForHang(of take: Take) {
        switch state.phase {
        case .recording, .paused: break
        case .idle, .arming, .finalising, .pending, .fault: return
        }
        guard let status = deck?.status, let running = takes[take.number] else { return }
        let span = MonotonicTime.now - max(status.lastTurn, running.requested)
        if span > RunningTake.longestTurn {
            abandon(take.number)
            let paths = take.clip.map { [$0.path] } ?? []
            let failure = Failure(
                .noSource, "the recording was ended", because: "the source does not answer",
                mend: "Unplug the device that gives the picture, and plug it in again.")
            hear(
                .take(
                    take.number,
                    .ended(
                        TakeResult(
                            number: take.number, clip: take.clip, paths: paths, unfinished: paths, failure: failure))))
        } else if span > 2_000_000_000 {
            guard take.isSaved else { return }
            takes[take.number]?.isHung = true
            hear(.take(take.number, .unsaved))
        } else if running.isHung {
            takes[take.number]?.isHung = false
            // Else the deck says by itself when it is.
            guard status.recording?.unsavedNanoseconds ?? 0 <= 2_000_000_000 else { return }
            hear(.take(take.number, .saved))
        }
    }

    // MARK: What is kept for the time after a power cut

    private func remember(_ request: StartRequest?) {
        guard state.policy.goesOnAfterPowerCut || (request == nil && memory.isKept) else { return }
        memory.wanted = .some(request)
        keepIntent()
    }

    /// One at a time, so that the last word is what stays.
    private func keepIntent() {
        guard !memory.isBusy, let wanted = memory.wanted else { return }
        memory.wanted = nil
        memory.isKept = wanted != nil
        let place = interrupted
        memory.isBusy = errands.run("kinebox-intent") {
            guard let wanted else {
                place.remove()
                return .kept(nil)
            }
            do throws(Failure) { try place.write(wanted) } catch { return .kept(error) }
            return .kept(nil)
        } then: { [unowned self] outcome in
            memory.isBusy = false
            if case .kept(let failure?) = outcome { write(JournalEntry("\(failure)", .warning)) }
            keepIntent()
        }
    }
}

/// What is to be kept of what is recorded, and what is.
struct MemoryOfIntent {
    /// What is to be kept; nil inside when nothing is to be, nil outside when all is as it should be.
    var wanted: StartRequest??
    /// Whether something may be kept.
    var isKept = true
    var isBusy = false
}
