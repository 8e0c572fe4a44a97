import Capture
import Linux
import Media

extension Pipeline {
    /// Waits for changes of the signal too, where the source tells of them.
    func watchSignal() {
        guard let device else { return }
        watch(device.signalDescriptor, token: Token.signal)
        signal.note(device.signal)
        shared.set(signal: device.signal)
    }

    func unwatchSignal() {
        if let device { try? epoll.remove(device.signalDescriptor) }
    }

    func lookAtSignal() throws(Failure) {
        device?.watchSignal()
        try takeChanges()
    }

    /// Takes in what happened to the signal.
    func takeChanges() throws(Failure) {
        guard let device else { return }
        while phase == .capturing, let change = device.nextChange() {
            let before = signal.state
            let consequence = signal.take(change, hasPicture: origin != nil)
            if signal.state?.isLocked == true { signal.note(device.signal) }
            shared.set(signal: signal.state)
            if case .lost(let state, _) = change, before != state, origin != nil { tell(ofLoss: state) }
            try follow(consequence)
        }
    }

    private func tell(ofLoss state: SignalState) {
        let consequence =
            switch plan.signalLoss {
            case .slate: "the recording goes on with a picture that says so"
            case .split: "the recording goes on in a new part when pictures come in again"
            case .stop: "the recording ends here"
            }
        shared.add(notice: "\(video.name): \(state.words); \(consequence)")
    }

    private func follow(_ consequence: SignalHistory.Consequence) throws(Failure) {
        switch consequence {
        case .goesOn: break
        case .refuses(let state):
            throw state.failure(of: video.name)
                ?? Failure(.noSignal, "cannot record from \(video.name)", because: "its signal changes: \(state.words)")
        case .pauses:
            if let origin, let lastTime { parts.pause(at: lastTime + period - origin) }
        case .ends(let state): try endCapture(.signalLost(state))
        case .resumes:
            isKeyFrameDue = true
            newestCapture = .now
        case .reshapes:
            // Pictures of the old shape come out of the encoder before it is closed.
            if reshapeDeadline == nil {
                watchVideo(false)
                try encoder.drain()
                watchEncoder(true)
            }
            reshapeDeadline = .now + 2_500_000_000
        }
    }

    /// Takes the source's new shape over once the encoder has given everything of the old one, or had the time for it.
    func reshapeIfDrained(_ now: MonotonicTime) throws(Failure) {
        guard let reshapeDeadline, let device, encoder.isDrained || now > reshapeDeadline else { return }
        encoder.retire()
        while let frame = encoder.nextReleasedFrame() { video.release(frame) }
        self.reshapeDeadline = nil
        watchEncoder(false)
        unwatchSignal()
        defer { watchSignal() }
        do throws(Failure) {
            try device.adopt()
            try encoder.open()
            try device.start()
        } catch {
            guard error.kind != .internalFault else { throw error }
            shared.add(notice: "what comes in now cannot be recorded: \(error)")
            return
        }
        takeShape()
    }

    private func takeShape() {
        let format = encoder.format
        thinning = FrameThinning(from: video.format.rate, to: plan.rate)
        period = format.rate.nanoseconds(of: 1)
        parts.change(
            PartShape(
                format, bitrate: plan.encoding.bitrate(for: format), limits: plan.splits, sound: lanes.map(\.track)))
        isKeyFrameDue = true
        isSlateShown = false
        newestCapture = .now
        watchVideo(true)
        shared.add(
            notice:
                "\(video.name): \(format.width)x\(format.height) at \(format.rate) pictures a second from here on, in a new part, encoded by \(encoder.words)"
        )
    }

    /// Takes in that pictures come in again.
    func endGap(with frame: VideoFrame) {
        guard let origin, let gap = signal.end(at: frame.time, origin: origin) else { return }
        let milliseconds = (gap.end - gap.start) / 1_000_000
        shared.add(
            notice:
                "\(video.name): pictures come in again after \(milliseconds / 1000).\(milliseconds % 1000 / 100) s (\(gap.state.words))"
        )
    }
}
