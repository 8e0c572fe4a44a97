import Glibc
import Linux
import Media

/// From an order to its answer while the screen is lit.
extension CardReader {
    /// Events that may be out: more are on their way only where blanks have stopped, and a card keeps a hundred.
    private static let mostEvents = 16
    /// Blanks that may be left out for an order, a tenth of a second of most screens.
    private static let mostMissed = 6
    /// Nanoseconds after which a card that refuses to tell of a blank is looked at again.
    private static let patience: Int64 = 250_000_000
    /// How many blanks ahead time is exact enough to read by.
    private static let nearest: UInt64 = 4
    /// Blanks that do not come in a row, after which they are reckoned.
    private static let mostSilences = 3
    /// Nanoseconds after which it is tried again whether blanks come, where none is out that would end the silence itself:
    /// longer where a try costs a deadline than where the card refuses at once.
    private static let silence: Int64 = 5_000_000_000
    private static let refusal: Int64 = 1_000_000_000

    /// Whether blanks do not come at present.
    private var isSilent: Bool { silentUntil.map { .now < $0 } ?? false }

    /// Whether the card tells of blanks, and takes another order for one.
    var listens: Bool { screen?.mode.hasBlanks == true && eventsOut < Self.mostEvents && !isSilent }

    /// Begins with an order. Where pictures are wanted less often than they are shown, a program with two framebuffers may
    /// show the same one each time: that there was another between is to be seen before the first blank alone.
    func begin(_ sequence: UInt64) {
        guard let clock, answered > 0, clock.target(sequence) > answered + 1 else { return aim(at: sequence) }
        guard clock.last.sequence <= answered else { return glance(sequence) }
        step = .glance
        // Who is prompt leaves it there longer than a look may be late; who is not may put it up in the last moment.
        let lead = habit.isPrompt ? clock.period / 2 : FlipHabit.lastLead(clock.period)
        arm(clock.time(of: answered + 1) + -lead)
    }

    /// Looks whether the picture that was told is still there, and aims at the next.
    private func glance(_ sequence: UInt64) {
        if screen?.hasFlipped == true { hasShownOther = true }
        aim(at: sequence)
    }

    /// Sets the moment to read at for a blank.
    func aim(at sequence: UInt64) {
        guard let screen, let clock = startedClock(screen) else {
            doubt()
            return
        }
        target = clock.target(sequence)
        (blank, change) = (nil, nil)
        isAwaited = listens
        guard isAwaited else {
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
        arm(isFar ? deadline(clock, target - 1) : clock.time(of: target) + -habit.firstLead(clock.period))
    }

    /// Goes on with the order: true when the view has its answer.
    func proceed(_ view: ScreenView, _ order: ScreenOrder, _ isTimeUp: Bool) throws(Failure) -> Bool {
        switch step {
        case .nothing: return false
        case .glance:
            if isTimeUp { glance(order.sequence) }
            return false
        case .doubt: return try settle(view, order)
        case .approach:
            if blank != nil { aim(at: target) } else if isTimeUp { return try settle(view, order) }
            return false
        case .look:
            if let blank { return try overtaken(by: blank, view, order) }
            return isTimeUp ? try lookFirst(view, order) : false
        case .check:
            if let blank { return answer(view, order, blank) }
            return isTimeUp ? try lookAgain(view, order) : false
        case .blank:
            if let blank { return answer(view, order, blank) }
            return isTimeUp ? try settle(view, order) : false
        }
    }

    /// The clock, started by what the card tells of its last blank; nil when the CRTC tells of none.
    func startedClock(_ screen: LitScreen) -> BlankClock? {
        if let clock { return clock }
        if screen.mode.hasBlanks {
            guard let last = try? screen.card.lastBlank(of: screen.crtc) else { return nil }
            // Drivers that do not measure leave the time of a blank out before their first one is awaited.
            let time = last.nanoseconds > 0 ? MonotonicTime(nanoseconds: last.nanoseconds) : .now
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
        (readAt, isWhole) = try screen.read(into: picture)
        if picture.signature != order?.known { hasShownOther = true }
        guard screen.isUnchanged, screen.showsAnything else { return false }
        if readAt - lookedAt < 1_000_000_000 { return true }
        lookedAt = readAt
        return screen.isStillLit()
    }

    /// The moment to read has come.
    private func lookFirst(_ view: ScreenView, _ order: ScreenOrder) throws(Failure) -> Bool {
        guard try look() else { return try lose(view, order) }
        guard let clock, isAwaited else { return answerByTimer(view, order) }
        let last = clock.time(of: target) + -FlipHabit.lastLead(clock.period)
        step = readAt < last ? .check : .blank
        arm(step == .check ? last : deadline(clock, target))
        return false
    }

    /// Right before the blank: what was read in the middle of the period is read anew where it has changed.
    private func lookAgain(_ view: ScreenView, _ order: ScreenOrder) throws(Failure) -> Bool {
        guard let screen, let clock else { return try lose(view, order) }
        let hasFlipped = screen.hasFlipped
        // Behind the blank it may have changed because of that.
        if hasFlipped || !screen.holds(picture), .now < clock.time(of: target) {
            if hasFlipped { change = .between }
            guard try look() else { return try lose(view, order) }
        }
        step = .blank
        arm(deadline(clock, target))
        return false
    }

    /// The blank has come before its picture was read.
    private func overtaken(
        by blank: BlankClock.Blank, _ view: ScreenView, _ order: ScreenOrder
    ) throws(Failure) -> Bool {
        if missesAnother(blank) { return false }
        guard try look() else { return try lose(view, order) }
        return hand(view, order, blank)
    }

    /// The blank has come, and its picture was read.
    private func answer(_ view: ScreenView, _ order: ScreenOrder, _ blank: BlankClock.Blank) -> Bool {
        let isLate = readAt > blank.time
        let hasChanged = screen?.hasFlipped ?? false
        // Where there was no last look before the blank, or where pictures come late, it may have been right before it.
        let isUncertain = hasChanged && (habit.isLate || step == .check && !habit.isPrompt)
        if step == .blank, !isLate { note(hasChanged, behind: blank) }
        if isLate || isUncertain || !isWhole, missesAnother(blank) { return false }
        return hand(view, order, blank)
    }

    /// Takes over into the habit what was seen around a blank. What was put up behind it tells nothing when this looks late.
    private func note(_ hasChanged: Bool, behind blank: BlankClock.Blank) {
        let isInTime = hasChanged && .now - blank.time < (clock?.period ?? 0) / 4
        habit.note(isInTime ? .behind : change)
    }

    /// Aims at the blank behind one of which it is not certain what it showed: what is seen behind a blank may be what the
    /// next one shows. False when that has happened often, since now and then a late picture is better than none.
    private func missesAnother(_ blank: BlankClock.Blank) -> Bool {
        habit.noteLateness()
        guard missed < Self.mostMissed else { return false }
        missed += 1
        picture.clear()
        aim(at: blank.sequence &+ 1)
        return true
    }

    /// Where no blank is told the picture is what is shown at the moment of reading.
    private func answerByTimer(_ view: ScreenView, _ order: ScreenOrder) -> Bool {
        var clock = clock ?? BlankClock(counting: screen?.mode.refresh ?? .thirty, until: readAt)
        let blank = clock.blank(of: max(target, answered &+ 1), at: readAt)
        clock.note(blank)
        // Numbers that were only reckoned are no start for those of the kernel.
        if self.clock != nil { self.clock = clock }
        isReckoned = true
        return hand(view, order, blank)
    }

    /// Fills the view with the picture that was read.
    private func hand(_ view: ScreenView, _ order: ScreenOrder, _ blank: BlankClock.Blank) -> Bool {
        guard let screen else { return false }
        view.state = .lit(screen.mode)
        view.sequence = blank.sequence
        answered = blank.sequence
        view.time = blank.time
        picture.hand(to: view, known: hasShownOther ? 0 : order.known)
        hasShownOther = false
        told = (view.state, blank.time)
        (self.order, step) = (nil, .nothing)
        return true
    }

    /// No blank comes: where the screen is lit nevertheless, its picture is told by the clock.
    private func settle(_ view: ScreenView, _ order: ScreenOrder) throws(Failure) -> Bool {
        guard let screen, let clock, screen.isStillLit() else { return try lose(view, order) }
        let now = MonotonicTime.now
        let moment = clock.time(of: target)
        if step == .doubt, now < moment {
            // A card that tells of no blank while it changes mode must not make time run.
            arm(min(moment, now + Self.patience))
            return false
        }
        silences += 1
        if silences >= Self.mostSilences { silentUntil = now + (step == .doubt ? Self.refusal : Self.silence) }
        guard try look() else { return try lose(view, order) }
        return answerByTimer(view, order)
    }

    /// The screen is not what it was: it is looked for anew, and aimed at or told to be dark.
    func lose(_ view: ScreenView, _ order: ScreenOrder) throws(Failure) -> Bool {
        picture.clear()
        let former = screen
        watch(nil)
        if let former, former.isAsleep() { rest(former) }
        try find(at: .now)
        guard screen != nil else { return tellDarkness(view, .now) }
        aim(at: 0)
        return false
    }
}
