import Capture
import Linux
import Media

/// How sources are opened and closed.
extension Pipeline {
    /// Opens the source where it is wanted.
    func openIfDue() {
        guard !starts.isEmpty || (plan.isWarm && !isLeaving) else { return }
        // What was asked for is tried at once, whatever failed before.
        guard !starts.isEmpty || .now >= retryTime else { return }
        do throws(Failure) {
            let source = try OpenSource(plan)
            self.source = source
            shared.set(tracks: source.inputs.count)
            takeNotices(source)
            if plan.isWarm { try start(source) }
            look(at: source)
        } catch {
            if source == nil { lookAway(because: error) } else { closeSource(because: error) }
            for start in starts { refuse(start, .failed(error)) }
            starts.removeAll()
        }
    }

    /// Lets pictures come, now that a recording's file is there.
    func start(_ source: OpenSource, for take: TakeRun) {
        do throws(Failure) {
            try start(source)
        } catch {
            source.failure = error
            take.fail(error)
        }
    }

    private func start(_ source: OpenSource) throws(Failure) {
        for input in source.inputs where input.isLive { try input.start(origin: .now) }
        try source.video.start()
        source.isStarted = true
        (source.newestCapture, source.newestPicture) = (.now, .now)
        if let pattern = source.video as? TestPattern {
            for input in source.inputs { try input.start(origin: pattern.origin) }
        }
        watchVideo(source.isLive || take != nil, of: source)
        watchSignal(source)
        // What is live is taken along with the pictures; beside a source that waits, it has to be waited for.
        guard !source.isLive else { return }
        watchEncoder(true, of: source)
        for (index, input) in source.inputs.enumerated() {
            for descriptor in input.source.descriptors { watch(descriptor, token: Token.sound + UInt64(index)) }
        }
    }

    /// Lets go of everything that is open.
    /// - Parameter failure: why, where that is no wish.
    func closeSource(because failure: Failure? = nil) {
        guard let source else { return }
        watchVideo(false, of: source)
        watchEncoder(false, of: source)
        unwatchSignal(source)
        // Somebody may be looking at a picture of it.
        stills.waitForEnd()
        endStill()
        if let held = source.held { giveBack(held, to: source) }
        dropStandIn(of: source)
        for input in source.inputs {
            for descriptor in input.source.descriptors where !source.isLive { try? shared.epoll.remove(descriptor) }
            input.source.stop()
        }
        // A stop may still write a picture: into the encoder's memory, which has to be there.
        if source.encoder.ownsFrames, source.encoder.current == nil { try? source.device?.prepare(.process) }
        source.video.stop()
        source.encoder.retire()
        while let frame = source.encoder.nextReleasedFrame() { source.video.release(frame) }
        self.source = nil
        lookAway(because: failure)
    }

    /// Takes in what is open, for those who watch.
    func look(at source: OpenSource) {
        let words = source.encoder.words
        let format = source.encoder.format
        let signal = source.device?.signal
        shared.sight.withLock { sight in
            (sight.format, sight.encoder, sight.signal) = (format, words, signal)
        }
        tellCondition()
    }

    private func lookAway(because failure: Failure?) {
        retryTime = .now + Self.retryInterval
        shared.sight.withLock { sight in (sight.format, sight.encoder, sight.signal) = (nil, "", nil) }
        shared.set(tracks: 0)
        guard plan.isWarm, !isLeaving else { return }
        // Without a cause it is opened again at once.
        if let failure { tell(.absent(failure)) } else { retryTime = .now }
    }

    /// Tells how the source stands, if that is another way than before.
    func tellCondition() {
        guard plan.isWarm, let source, source.isStarted, source.failure == nil else { return }
        tell(source.condition)
    }

    private func tell(_ condition: SourceCondition) {
        guard condition != self.condition else { return }
        self.condition = condition
        shared.tell(.deck(.source(condition)))
    }

    // MARK: Signal

    /// Waits for changes of the signal too, where the source tells of them.
    func watchSignal(_ source: OpenSource) {
        guard let device = source.device else { return }
        watch(device.signalDescriptor, token: Token.signal)
    }

    func unwatchSignal(_ source: OpenSource) {
        if let device = source.device { try? shared.epoll.remove(device.signalDescriptor) }
    }

    /// Takes in what happened to the signal.
    func takeChanges(_ source: OpenSource) throws(Failure) {
        guard let device = source.device else { return }
        while let change = device.nextChange() {
            let signal = device.signal
            shared.sight.withLock { $0.signal = signal }
            source.misfit = nil
            var isReshaped = false
            if case .reshaped = change { isReshaped = true }
            if case .returned = change { (source.newestCapture, source.newestPicture) = (.now, .now) }
            if let take, take.isCapturing {
                do throws(Failure) {
                    guard try take.take(change) else { continue }
                } catch {
                    // There is nothing to record; the source goes on.
                    take.fail(error)
                }
            }
            guard isReshaped else { continue }
            // Pictures of the old shape come out of the encoder before it is closed.
            if source.reshapeDeadline == nil {
                watchVideo(false, of: source)
                if take?.isCapturing == true { try source.encoder.drain() }
                watchEncoder(true, of: source)
            }
            source.reshapeDeadline = .now + 2_500_000_000
        }
    }

    /// Takes the source's new shape over once the encoder has given everything of the old one, or had the time for it.
    func reshapeIfDrained(_ source: OpenSource, _ now: MonotonicTime) throws(Failure) {
        guard let deadline = source.reshapeDeadline, let device = source.device, !stills.isBusy else { return }
        // A recording that ends takes its time.
        if let take, !take.isCapturing { return }
        guard take == nil || source.encoder.isDrained || now > deadline else { return }
        if let held = source.held { giveBack(held, to: source) }
        source.held = nil
        source.encoder.retire()
        takeReleased(source)
        dropStandIn(of: source)
        source.reshapeDeadline = nil
        watchEncoder(false, of: source)
        unwatchSignal(source)
        defer { watchSignal(source) }
        do throws(Failure) {
            try device.adopt()
            try source.encoder.open()
            try device.start()
        } catch {
            guard error.kind != .internalFault else { throw error }
            (source.misfit, source.isShapeless) = (error, true)
            say("what comes in now cannot be recorded: \(error)", .warning)
            return
        }
        source.isShapeless = false
        source.period = source.encoder.format.rate.nanoseconds(of: 1)
        (source.newestCapture, source.newestPicture) = (.now, .now)
        watchVideo(true, of: source)
        take?.takeShape()
        look(at: source)
    }
}
