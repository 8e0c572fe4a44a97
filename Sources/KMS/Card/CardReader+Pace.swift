import Glibc
import Linux
import Media

/// From an order to its answer while the screen is lit.
extension CardReader {
    /// Events that may be out: more are on their way only where blanks have stopped, and a card keeps a hundred.
    private static let mostEvents = 16
    /// How many blanks ahead time is exact enough to read by.
    private static let nearest: UInt64 = 4

    /// Whether the card tells of blanks, and takes another order for one.
    private var listens: Bool { screen?.mode.hasBlanks == true && eventsOut < Self.mostEvents }

    /// Sets the moment to read at for a blank.
    func aim(at sequence: UInt64) {
        guard let screen, let clock = startedClock(screen) else {
            doubt()
            return
        }
        target = clock.target(sequence)
        blank = nil
        guard listens else {
            step = .look
            arm(clock.time(of: target))
            return
        }
        let isFar = target - clock.last.sequence > Self.nearest
        do {
            try screen.card.orderBlank(isFar ? target - 1 : target, of: screen.crtc, token: token)
        } catch {
            // EINVAL: the CRTC has been switched off.
            doubt()
            return
        }
        eventsOut += 1
        step = isFar ? .approach : .look
        arm(isFar ? deadline(clock, target - 1) : clock.time(of: target) + -habit.lead(clock.period))
    }

    /// Goes on with the order: true when the view has its answer.
    func proceed(_ view: ScreenView, _ order: ScreenOrder, _ isTimeUp: Bool) throws(Failure) -> Bool {
        switch step {
        case .nothing: return false
        case .doubt: return try settle(view, order)
        case .approach:
            if blank != nil { aim(at: target) } else if isTimeUp { return try settle(view, order) }
            return false
        case .look:
            if let blank { return try overtaken(by: blank, view, order) }
            guard isTimeUp else { return false }
            guard try look() else { return try lose(view, order) }
            guard let clock, screen?.mode.hasBlanks == true else { return answerByTimer(view, order) }
            step = .blank
            arm(deadline(clock, target))
            return false
        case .blank:
            if let blank { return try answer(view, order, blank) }
            return isTimeUp ? try settle(view, order) : false
        }
    }

    /// The clock, started by what the card tells of its last blank; nil when the CRTC tells of none.
    private func startedClock(_ screen: LitScreen) -> BlankClock? {
        if let clock { return clock }
        if screen.mode.hasBlanks {
            guard let last = try? screen.card.lastBlank(of: screen.crtc) else { return nil }
            let time = MonotonicTime(nanoseconds: last.nanoseconds)
            clock = BlankClock(screen.mode.refresh, .init(sequence: last.sequence, time: time))
        } else {
            clock = BlankClock(counting: screen.mode.refresh, until: .now)
        }
        return clock
    }

    /// When a blank that has not come is waited for no longer.
    private func deadline(_ clock: BlankClock, _ sequence: UInt64) -> MonotonicTime {
        clock.time(of: sequence) + max(3 * clock.period, 100_000_000)
    }

    func arm(_ moment: MonotonicTime) {
        // It fails only for a descriptor that is none.
        try? timer.arm(at: moment)
    }

    /// Lets `next` find out at once what has become of the screen.
    private func doubt() {
        step = .doubt
        arm(MonotonicTime(nanoseconds: 1))
    }

    /// Reads the planes: false when the screen is not what it was.
    private func look() throws(Failure) -> Bool {
        guard let screen else { return false }
        readAt = try screen.read(into: picture)
        guard screen.isUnchanged else { return false }
        if readAt - lookedAt < 1_000_000_000, !picture.planes.isEmpty { return true }
        lookedAt = readAt
        return screen.isStillLit()
    }

    /// The blank has come before its picture was read.
    private func overtaken(
        by blank: BlankClock.Blank, _ view: ScreenView, _ order: ScreenOrder
    ) throws(Failure) -> Bool {
        if blank.sequence > target, missesAnother(blank) { return false }
        guard try look() else { return try lose(view, order) }
        if isTooLate(for: blank), missesAnother(blank) { return false }
        return hand(view, order, blank)
    }

    /// The blank has come, and its picture was read.
    private func answer(
        _ view: ScreenView, _ order: ScreenOrder, _ blank: BlankClock.Blank
    ) throws(Failure) -> Bool {
        if isTooLate(for: blank), missesAnother(blank) { return false }
        habit.note(hasFlipped: screen?.hasFlipped ?? false, hasChanged: picture.signature != lastSignature)
        return hand(view, order, blank)
    }

    /// Whether what was read behind a blank may be what the next one shows.
    private func isTooLate(for blank: BlankClock.Blank) -> Bool {
        guard readAt > blank.time, let clock else { return false }
        return habit.isPrompt || readAt - blank.time > clock.period / 4
    }

    /// Aims at the blank behind one whose picture is not certain; false when that has happened twice, since now and then a
    /// late picture is better than none.
    private func missesAnother(_ blank: BlankClock.Blank) -> Bool {
        guard missed < 2 else { return false }
        missed += 1
        picture.clear()
        aim(at: blank.sequence &+ 1)
        return true
    }

    /// Where no blank is told the picture is what is shown at the moment of reading.
    private func answerByTimer(_ view: ScreenView, _ order: ScreenOrder) -> Bool {
        var clock = clock ?? BlankClock(counting: screen?.mode.refresh ?? .thirty, until: readAt)
        let reckoned = clock.blank(before: readAt)
        let blank =
            reckoned.sequence < target
            ? BlankClock.Blank(sequence: target, time: clock.time(of: target)) : reckoned
        clock.note(blank)
        self.clock = clock
        return hand(view, order, blank)
    }

    /// Fills the view with the picture that was read.
    private func hand(_ view: ScreenView, _ order: ScreenOrder, _ blank: BlankClock.Blank) -> Bool {
        guard let screen else { return false }
        lastSignature = picture.signature
        view.state = .lit(screen.mode)
        view.sequence = blank.sequence
        view.time = blank.time
        picture.hand(to: view, known: order.known)
        told = (view.state, blank.time)
        (self.order, step) = (nil, .nothing)
        return true
    }

    /// No blank comes: where the screen is lit nevertheless, its picture is told by the clock.
    private func settle(_ view: ScreenView, _ order: ScreenOrder) throws(Failure) -> Bool {
        guard let screen, screen.isStillLit(), try look() else { return try lose(view, order) }
        return answerByTimer(view, order)
    }

    /// The screen is not what it was: it is looked for anew, and aimed at or told to be dark.
    func lose(_ view: ScreenView, _ order: ScreenOrder) throws(Failure) -> Bool {
        picture.clear()
        watch(nil)
        try find(at: .now)
        guard screen != nil else { return tellDarkness(view, .now) }
        aim(at: order.sequence)
        return false
    }
}
