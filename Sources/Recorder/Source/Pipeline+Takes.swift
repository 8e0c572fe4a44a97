import Capture
import Linux
import Media

/// What is asked for, and how recordings come and go.
extension Pipeline {
    func follow(_ command: PipelineShared.Command) {
        switch command {
        case .start(let start): starts.append(start)
        case .stop(let number, let moment):
            // One that has not begun yet ends without a picture.
            if let place = starts.firstIndex(where: { $0.plan.number == number }) {
                refuse(starts.remove(at: place), .stopped)
            }
            running(number)?.stop(at: moment)
        case .steer(let number, let wish):
            if let take = running(number) {
                take.follow(wish)
            } else if starts.contains(where: { $0.plan.number == number }) {
                early.append(command)
            }
        case .still(let number): stills.ask(number)
        case .leave(let moment):
            isLeaving = true
            guard let moment else { break }
            take?.stop(at: moment)
            for start in starts { refuse(start, .stopped) }
            starts.removeAll()
        }
        if let source, let take { watchVideo(wantsPictures(source, take), of: source) }
    }

    private func running(_ number: Int) -> TakeRun? {
        take?.plan.number == number ? take : nil
    }

    /// Begins what waits, once no other recording needs the encoder.
    func startIfPossible() {
        guard take == nil, let source, source.failure == nil, source.reshapeDeadline == nil, !starts.isEmpty else {
            return
        }
        let start = starts.removeFirst()
        if let misfit = source.misfit { return refuse(start, .failed(misfit)) }
        do throws(Failure) {
            let take = try TakeRun(start, source, plan, shared)
            self.take = take
            source.encoder.meanwhile = { [unowned self] in self.goOnWithSound() }
            takeNotices(source)
            say("the picture is encoded by \(source.encoder.words)")
            shared.sight.withLock { $0.take = take.plan.number }
        } catch {
            refuse(start, .failed(error))
        }
        // What was asked for before it had begun.
        let commands = early
        early.removeAll()
        for command in commands { follow(command) }
    }

    /// Ends what never began.
    func refuse(_ start: PipelineShared.Start, _ end: RecordingResult.End) {
        start.shared.set(.ended)
        let result = RecordingResult(
            end: end, parts: [], status: start.shared.status(), unfinished: [], notices: [])
        shared.tell(.ended(take: start.plan.number, medium: start.medium, result))
    }

    /// Lets a recording go whose pictures are all out of the encoder.
    func leave(_ take: TakeRun) {
        take.conclude()
        for warning in take.warnings.isOn { shared.tell(.deck(.warning(warning, isOn: false))) }
        finishing.append(take.files)
        take.files.look(nil)
        finishing.removeAll(where: \.hasEnded)
        self.take = nil
        shared.sight.withLock { $0.take = nil }
        guard let source else { return }
        if let held = source.held { giveBack(held, to: source) }
        source.held = nil
        dropStandIn(of: source)
        guard plan.isWarm, !isLeaving, source.failure == nil, !source.encoder.hasFallen else {
            let failure = source.failure
            // The files come first: a device that hangs must not keep one from being whole.
            return closeSource(because: failure)
        }
        guard source.reshapeDeadline == nil else { return }
        do throws(Failure) {
            try source.encoder.renew()
            takeReleased(source)
            watchEncoder(true, of: source)
            watchVideo(source.isLive, of: source)
        } catch {
            breakDown(error)
        }
    }

    /// Takes in that the source, or its encoder, is of no use any more. A recording keeps what it has.
    func breakDown(_ failure: Failure) {
        guard let source else { return }
        if source.failure == nil { source.failure = failure }
        watchVideo(false, of: source)
        unwatchSignal(source)
        take?.fail(failure)
        guard take == nil else { return watchEncoder(true, of: source) }
        closeSource(because: failure)
    }

    /// What goes on while an encoder is being opened, which may take seconds.
    /// - Returns: false when the recording is to end.
    private func goOnWithSound() -> Bool {
        guard let source, source.isStarted else { return true }
        readSound(source)
        guard let take else { return true }
        if let timeline = take.timeline {
            let now = MonotonicTime.now
            if take.parts.isPaused { source.readSyntheticSound(before: now) }
            take.parts.takeSoundAlone(at: timeline.time(of: now))
        }
        return take.stopMoment == nil && !shared.isStopAsked(of: take.plan.number)
    }
}
