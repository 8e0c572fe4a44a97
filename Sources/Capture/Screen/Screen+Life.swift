import Glibc
import KMS
import Linux
import Media
import V4L2

extension Screen {
    public func watchSignal() {
        switch phase {
        case .live, .stopped: break
        case .ready:
            // What was taken over could not be recorded; it would be refused again until something else is shown.
            letGo()
            refused = signal
            _ = hear()
        case .lost, .reshaped: _ = hear()
        }
    }

    /// Takes in what the reader has to say.
    /// - Returns: whether the view is a picture to be recorded.
    func hear() -> Bool {
        // While the signal is lost the other gate's timer is that of the slates.
        var isTimeUp = false
        if phase != .live {
            isTimeUp = changing.takeTicks() > 0
        } else if strangeSince != nil {
            _ = pictures.takeTicks()
        }
        if reader == nil { findReader() }
        let hasAnswer = ask()
        if hasAnswer { finding = view.finding(wantedTurn) } else if isTimeUp, view.mode == nil { order() }
        if hasAnswer, phase == .live, isAsRecorded {
            if strangeSince != nil {
                strangeSince = nil
                debounce.disturb()
                pictures.silence()
            }
            return true
        }
        // What is lit after the dark may count its blanks anew.
        if hasAnswer { (lastSequence, lastBlankTime) = (view.mode != nil ? view.sequence : nil, view.time) }
        settle()
        if hasAnswer, view.mode != nil { order() }
        return false
    }

    /// Waits for the reader where its answers are looked at.
    func listen() {
        guard let reader else { return }
        do throws(Errno) {
            if phase == .live {
                try changing.shut()
                try pictures.open(reader.descriptor)
            } else {
                try pictures.shut()
                try changing.open(reader.descriptor)
            }
        } catch {
            lose(reader: Failure(.noSource, "cannot wait for \(name)", because: "\(error)"))
        }
    }

    public func noteSilence(at now: MonotonicTime) {
        // Where it answers there is another cause: all frames are out, say.
        guard phase == .live, reader != nil, now - max(view.time, readerMadeAt) > Self.readerPatience else { return }
        lose(reader: Failure(.noSource, "cannot read \(name)", because: "whoever reads it does not answer"))
    }

    /// Takes in that the reader is gone; it is made anew after a moment.
    func lose(reader reason: Failure) {
        try? pictures.shut()
        try? changing.shut()
        reader = nil
        finding = Self.finding(reason)
        retryTime = .now + Self.retryInterval
        (lastSequence, known) = (nil, 0)
        view.clear()
        if phase != .stopped { settle() }
    }

    private static func finding(_ reason: Failure) -> SignalState {
        .unreadable(reason.cause, brief: reason.kind == .notAuthorised ? Self.noRights : nil)
    }

    private static let noRights = "no rights"

    /// Takes in that the view's picture cannot be drawn, whatever the view says of it.
    func lose(drawing reason: Failure) {
        finding = undrawable(reason)
        lose(finding)
    }

    private func undrawable(_ reason: Failure) -> SignalState {
        let refusal = memory.refusal
        let isForbidden = refusal?.code == EACCES || refusal?.code == EPERM
        return .unreadable(
            reason.cause, brief: isForbidden ? Self.noRights : refusal.map { _ in "memory not mappable" })
    }

    /// What speaks against a picture of a view that looks as if it had one: it is drawn for once.
    private func obstacle() -> SignalState? {
        guard let frames, !frames.takesShared || passingPiece == nil else { return nil }
        do throws(Failure) {
            if let frame = try drawn(frames) { frames.release(frame) }
            return nil
        } catch {
            return undrawable(error)
        }
    }

    private func findReader() {
        guard .now >= retryTime else { return }
        do throws(Failure) {
            reader = try makeReader()
            readerMadeAt = .now
            listen()
            order()
        } catch {
            finding = Self.finding(error)
            retryTime = .now + (phase == .live ? Self.retryInterval : SignalWatch.calm)
        }
    }

    /// Takes the reader's answer.
    private func ask() -> Bool {
        guard let reader else { return false }
        do throws(Failure) {
            guard try reader.next(coming) else { return false }
            swap(&view, &coming)
        } catch {
            lose(reader: error)
            return false
        }
        known = view.mode != nil ? view.signature : 0
        do throws(Errno) {
            if view.isKnown { memory.remain() } else { try memory.take(view) }
            // A program that has other framebuffers now gets the memory of its old ones back.
            frames?.forget { memory.keeps($0) }
        } catch {
            lose(reader: Failure(.noSource, "cannot read \(name)", because: "its memory cannot be shared: \(error)"))
            return false
        }
        return true
    }

    /// Lets what was found count once it has held still.
    private func settle() {
        if phase == .live && isAsRecorded { return }
        let now = MonotonicTime.now
        strangeSince = strangeSince ?? now
        if debounce.settles(finding, at: now) {
            act()
        }
        let next = debounce.nextReading(after: now) ?? now + SignalWatch.calm
        ring(at: reader == nil ? min(next, max(retryTime, now)) : next)
    }

    private func ring(at moment: MonotonicTime) {
        if phase == .live { pictures.ring(at: moment) } else { changing.ring(at: moment) }
    }

    private func act() {
        switch phase {
        case .live:
            guard case .locked = finding else { return lose(finding) }
            if isSameShape { goOn() } else { reshape() }
        case .lost:
            guard case .locked = finding else { return tell(finding) }
            guard refused?.isSame(as: finding) != true else { return }
            guard frames != nil, isSameShape else { return reshape() }
            if let obstacle = obstacle() { tell(obstacle) } else { comeBack() }
        case .reshaped:
            guard !finding.isSame(as: signal) else { return }
            guard case .locked = finding else {
                phase = .lost
                lostAt = max(strangeSince ?? .now, lastTime)
                tell(finding)
                return tick()
            }
            reshape()
        case .ready, .stopped: break
        }
    }

    /// Whether what was found is what is recorded.
    private var isAsRecorded: Bool { finding.isSame(as: signal) && isSameDisplay }

    /// Whether it is the display that was recorded: where none was named, another one may be lit instead, and nobody shall
    /// take the one for the other.
    private var isSameDisplay: Bool { view.mode.map { $0.connector == mode.connector } ?? true }

    /// Whether pictures of what was found fit into those that are recorded.
    private var isSameShape: Bool {
        guard case .locked(let shape?) = finding, isSameDisplay else { return false }
        let rate = Self.effective(wantedRate, shape.rate)
        return (shape.width, shape.height) == (format.width, format.height)
            && abs(rate.perSecond - format.rate.perSecond) <= 0.0005 * rate.perSecond
    }

    /// Takes a display over that has another rate, which makes no difference to what is recorded.
    private func goOn() {
        if let mode = view.mode { take(mode) }
        pacing = ScreenPace(refresh: mode.refresh, rate: wantedRate)
        (signal, lastSequence, isWanted, strangeSince) = (finding, nil, true, nil)
        debounce.disturb()
        pictures.silence()
    }

    private func comeBack() {
        let moment = max(view.time, lastTime + 1)
        phase = .live
        goOn()
        changing.silence()
        changes.append(.returned(at: moment))
        listen()
    }

    private func lose(_ state: SignalState) {
        (signal, phase) = (state, .lost)
        lostAt = max(strangeSince ?? .now, lastTime)
        forget()
        changes.append(.lost(state, at: lostAt))
        tick()
    }

    private func reshape() {
        (signal, phase, refused) = (finding, .reshaped, nil)
        forget()
        pictures.silence()
        changes.append(.reshaped(at: .now))
        listen()
    }

    /// Tells of another reason why there is nothing to be seen.
    private func tell(_ state: SignalState) {
        refused = nil
        guard state != signal else { return }
        signal = state
        changes.append(.lost(state, at: lostAt))
    }

    /// Opens the gate for slates.
    private func tick() {
        listen()
        if drawsSlate { pictures.tick(every: Self.slateInterval) } else { pictures.silence() }
    }

    /// Forgets what was shown before.
    private func forget() {
        fenceLimit = nil
        inPlace.keep(0)
        memory.forget()
        frames?.forget()
        painter?.forget()
    }

    /// Lets go of all frames: whatever is shown next is another shape.
    private func letGo() {
        (frames, painter) = (nil, nil)
        forget()
        pictures.silence()
        phase = .lost
    }

    public func adopt() throws(Failure) {
        guard case .reshaped = phase, let mode = view.mode else {
            letGo()
            listen()
            changing.ringOnce()
            throw finding.failure(of: name) ?? Failure(.noSignal, "cannot record from \(name)", because: "it is gone")
        }
        letGo()
        phase = .ready
        finding = view.finding(wantedTurn)
        if let failure = view.objection(of: name) {
            // What makes it readable is told as another shape, even one like the last.
            (phase, refused) = (.lost, nil)
            throw failure
        }
        signal = finding
        take(mode)
        pacing = ScreenPace(refresh: mode.refresh, rate: wantedRate)
        layouts = Self.layouts(of: view, memory, wantedTurn)
        setting = layouts[0]
        format = Self.format(of: setting, mode, wantedRate)
    }
}
