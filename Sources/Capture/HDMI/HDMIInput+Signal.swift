import Glibc
import Linux
import Media
import V4L2

extension HDMIInput {
    public func watchSignal() {
        guard hasStopped else { return }
        if node == nil { findAgain() }
        let finding = watch.look()
        switch phase {
        case .live: lookWhileLive(finding)
        case .lost: lookWhileLost(finding)
        case .returning: lookWhileReturning(finding)
        case .reshaped: lookWhileReshaped(finding)
        case .ready:
            // What was taken over could not be recorded; it would be refused again until something else comes in.
            letGo()
            refused = signal
        case .stopped: break
        }
    }

    /// Takes the signal for lost: what was captured before still comes, then slates.
    /// - Parameter moment: the last at which pictures may have come in.
    func lose(_ state: SignalState, at moment: MonotonicTime) {
        // Drivers may stamp a picture a little ahead of time.
        let moment = max(moment, lastTime)
        if let stream, state != .unplugged { waiting = stream.drain(notAfter: moment).reversed() + waiting }
        (signal, lostAt, phase) = (state, moment, .lost)
        haltStream(isGone: state == .unplugged)
        let loss = SourceChange.lost(state, at: moment)
        if waiting.isEmpty { changes.append(loss) } else { pendingLoss = loss }
        tickFromNow()
    }

    /// While the signal is lost: stops what was started, and says why if the reason is another.
    func halt(_ state: SignalState) {
        phase = .lost
        haltStream(isGone: state == .unplugged)
        tell(state)
        tickFromNow()
    }

    /// Gives out the first picture after a loss, behind the news of it.
    func haveReturned(with frame: VideoFrame) {
        (phase, signal) = (.live, .locked(shape))
        if let stream { reel.unload(into: stream) }
        changes.append(.returned(at: frame.time))
        waiting = [frame]
        gate.ringOnce()
    }

    private func lookWhileLive(_ finding: SignalWatch.Finding) {
        let state = finding.reading.state
        if state == .unplugged {
            lose(.unplugged, at: finding.time)
        } else if finding.change != nil || (finding.reading.isCertain && !state.isSame(as: .locked(shape))) {
            // What is locked now was not a moment ago, or is another signal: it has to hold still first.
            lose(state.isLocked ? .noLock : state, at: finding.change ?? finding.time)
        } else if finding.time - lastTime > silence {
            // Its reader may have been busy.
            if waiting.isEmpty, let stream { waiting = stream.drain(notAfter: nil).reversed() }
            if waiting.isEmpty { lose(.noSignal, at: lastTime) } else { gate.ringOnce() }
        } else {
            failures = 0
        }
    }

    private func lookWhileLost(_ finding: SignalWatch.Finding) {
        let state = finding.reading.state
        if state == .unplugged {
            if node != nil { halt(.unplugged) }
        } else if finding.isSettled {
            let isUsable = state.isLocked && state.shape?.isInterlaced != true
            if isUsable && refused?.isSame(as: state) != true { take(finding.reading) } else { tell(state) }
        }
    }

    private func lookWhileReturning(_ finding: SignalWatch.Finding) {
        let state = finding.reading.state
        if finding.change != nil || !state.isSame(as: .locked(shape)) {
            halt(state.isLocked ? .noLock : state)
        } else if finding.time - restartedAt > silence {
            halt(.noSignal)
        }
    }

    private func lookWhileReshaped(_ finding: SignalWatch.Finding) {
        let state = finding.reading.state
        guard finding.change != nil || !state.isSame(as: signal) else { return }
        halt(state.isLocked ? .noLock : state)
    }

    /// Takes a signal that holds still: goes on where it is what it was, else says that it is another.
    private func take(_ reading: V4L2Receiver.Reading) {
        guard stream != nil, reading.state.isSame(as: .locked(shape)) else { return reshape(reading.state) }
        do throws(Failure) {
            // What fails again and again gets other buffers.
            let isKept = isStreamOfNode && failures <= Self.mostFailures
            let isReady = try isKept ? canRestart(reading) : canRebuild(reading)
            guard let isReady else { return reshape(reading.state) }
            if isReady { try restart() }
        } catch {
            failures += 1
        }
    }

    /// Whether the buffers can be used again as they are.
    /// - Returns: nil when the pictures are others now; false when it has to be asked again later.
    private func canRestart(_ reading: V4L2Receiver.Reading) throws(Failure) -> Bool? {
        let node = try opened()
        do {
            if let timings = reading.timings { try node.receiver.use(timings) }
            return try node.device.format(node.type) == setting.format ? true : nil
        } catch {
            // Timings that differ in what is not seen cannot be set while there are buffers.
            guard error.code == EBUSY else { throw V4L2Failure.using(node.device, "set the timings of", error) }
            return try canRebuild(reading)
        }
    }

    /// Makes the buffers anew: the device has come back, or has to be set up anew.
    /// - Returns: nil when the pictures are others now; false when it has to be asked again later.
    private func canRebuild(_ reading: V4L2Receiver.Reading) throws(Failure) -> Bool? {
        let node = try opened()
        guard let old = stream, let memory else { return nil }
        reel.unload(into: old)
        // The new buffers have the same numbers at the encoder: it must have done with the old ones.
        guard old.isWhole else {
            awaitsFrames = true
            watch.look(after: 20_000_000)
            return false
        }
        if isStreamOfNode { dropStream() }
        try node.use(reading)
        guard try node.set(setting.format, wish, shape) == setting else { return nil }
        let before = format
        dropStream()
        try prepare(memory)
        return format == before ? true : nil
    }

    private func restart() throws(Failure) {
        let node = try opened()
        guard let stream else { return }
        reel.load(from: stream)
        do {
            try stream.start()
            try gate.open(node.device.raw)
        } catch {
            throw V4L2Failure.using(node.device, "start", error)
        }
        (phase, restartedAt, awaitsFrames) = (.returning, .now, false)
        watch.look(after: SignalWatch.alert)
    }

    func reshape(_ state: SignalState) {
        (signal, phase, failures) = (state, .reshaped, 0)
        if let loss = pendingLoss { changes.append(loss) }
        pendingLoss = nil
        if let stream { reel.unload(into: stream) }
        gate.silence()
        changes.append(.reshaped(at: .now))
        watch.look(after: 0)
    }

    /// Tells of another reason why nothing comes in.
    private func tell(_ state: SignalState) {
        guard state != signal else { return }
        signal = state
        let loss = SourceChange.lost(state, at: lostAt)
        if pendingLoss == nil { changes.append(loss) } else { pendingLoss = loss }
    }

    /// Takes all buffers back, without waiting for the device.
    private func haltStream(isGone: Bool) {
        try? gate.shut()
        if isGone {
            try? stream?.stop()
            giveUp()
        } else if let stream, stream.isStreaming {
            do {
                stopping = (try stream.beginStop(), .now)
                // Until it has stopped it must not be asked anything.
                watch.pause()
                watch.look(after: 20_000_000)
            } catch {
                giveUp()
            }
        }
    }

    /// Lets go of the device; the buffers stay, for slates.
    private func giveUp() {
        watch.detach()
        if let node { V4L2Disposal.dispose(node.device, []) }
        (node, isStreamOfNode, stopping) = (nil, false, nil)
        watch.look(after: SignalWatch.alert)
    }

    /// Lets go of all frames: whatever comes in next is another shape.
    func letGo() {
        dropStream()
        memory = nil
        waiting.removeAll()
        gate.silence()
        phase = .lost
    }

    /// Whether the device has stopped, if it was being stopped. One that does not within three seconds is given up.
    private var hasStopped: Bool {
        guard let stopping else { return true }
        watch.takeTick()
        if stopping.stop.hasEnded {
            self.stopping = nil
            try? watch.listen()
            return true
        }
        if MonotonicTime.now - stopping.since > Self.patience {
            giveUp()
            tell(.unplugged)
        } else {
            watch.look(after: 20_000_000)
        }
        return false
    }

    /// Nanoseconds after which a device that streams and gives no picture has lost its signal.
    private var silence: Int64 { max(2_000_000_000, setting.rate.nanoseconds(of: 4)) }
}

extension HDMIInput {
    public func adopt() throws(Failure) {
        guard case .reshaped = phase else {
            // The encoder has gone, and its memory with it: what comes in next is taken over anew, even the same.
            if let stopping, !stopping.stop.wait(milliseconds: 1000) { giveUp() }
            stopping = nil
            letGo()
            try? watch.listen()
            watch.look(after: 0)
            throw signal.failure(of: name) ?? Self.nothing(name)
        }
        letGo()
        do throws(Failure) {
            let node = try opened()
            let reading = node.receiver.read()
            if let failure = reading.state.failure(of: name) { throw failure }
            let next = try Self.setUp(node, wish, reading)
            (signal, shape, setting) = (reading.state, reading.state.shape, next.setting)
            (format, phase, refused) = (setting.videoFormat, .ready, nil)
        } catch {
            // It would be refused again, until something else comes in.
            refused = signal
            throw error
        }
    }
}
