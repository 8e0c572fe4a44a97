import CDRM
import Glibc
import Linux
import Media

/// Reads what a screen shows from its card: what the display engine itself is told to put together.
///
/// A picture is read before the blank from which on it is shown (`FlipHabit`), and handed over at that blank with the time
/// that the kernel gave it. The card is open only while the screen shows something, and this is never its master.
/// Used by one thread.
public final class CardReader: ScreenReader {
    /// What is waited for.
    enum Step {
        case nothing
        /// A moment of the period behind the picture that was told last, where a later one than the next is ordered.
        case glance
        /// The blank before the one that was ordered, from which on time is exact.
        case approach
        /// The moment to read.
        case look
        /// The moment to look once more whether what was read still holds.
        case check
        /// The blank, since the picture has been read.
        case blank
        /// Nothing: the card refused to tell of a blank, and why must be found out.
        case doubt
    }

    private enum Token {
        static let card: UInt64 = 1
        static let timer: UInt64 = 2
        static let hotplug: UInt64 = 3
    }

    let connector: String?
    let timer: TimerDescriptor
    private let epoll: Epoll
    private let hotplug: HotplugEvents?
    /// What shows something; nil where the state is another one.
    var screen: LitScreen?
    /// What slept when it was looked at last. Its card stays open: when a card is closed that nobody else has open, the
    /// kernel shows its console (`drm_lastclose`), and a console's display would be woken for good.
    var sleeper: LitScreen?
    /// The state where the screen is not lit.
    var darkness = ScreenState.absent
    /// Whether the last look for a screen found a card where something is driven and nothing shown.
    var opensInVain = false
    /// The state that was told last, and when.
    var told: (state: ScreenState, time: MonotonicTime)?
    /// When the screen was last looked for, or seen to be still there.
    var lookedAt = MonotonicTime(nanoseconds: 0)
    var order: ScreenOrder?
    var step = Step.nothing
    var clock: BlankClock?
    var habit = FlipHabit()
    let picture = ScreenPicture()
    /// The blank whose picture is being read, and when it was read.
    var target: UInt64 = 0
    var readAt = MonotonicTime(nanoseconds: 0)
    /// Whether what was read belongs together.
    var isWhole = true
    /// What has been seen for this blank.
    var change: FlipHabit.Change?
    /// Whether something else has been shown since a picture was told.
    var hasShownOther = false
    /// The blank that was told last of this screen.
    var answered: UInt64 = 0
    /// How many blanks were missed for this order.
    var missed = 0
    /// Tells the events of this order from those of one before it.
    var token: UInt64 = 0
    /// Events that were ordered and have not come.
    var eventsOut = 0
    /// Whether one was ordered for the blank that is aimed at.
    var isAwaited = false
    /// How often in a row a blank did not come that was ordered.
    var silences = 0
    /// Until when none is ordered, since they do not come though the card takes the orders.
    var silentUntil: MonotonicTime?
    /// Whether the blank that was told last was reckoned, and so may have another number than the kernel's.
    var isReckoned = false
    /// Whether something was plugged in or out since that was looked at.
    var hasPlugNews = false
    /// The blank that has come for this order.
    var blank: BlankClock.Blank?

    /// - Parameter connector: its name, as in /sys/class/drm: "HDMI-A-1"; nil for the one that shows something.
    /// - Throws: `Failure` of kind noSource where this process may not read what is shown. A screen that is off, unplugged or
    ///   not there is no failure: its state is told.
    public init(connector: String?) throws(Failure) {
        guard Self.mayRead else { throw Self.denial(connector ?? "this board") }
        self.connector = connector
        do throws(Errno) {
            epoll = try Epoll()
            timer = try TimerDescriptor()
            hotplug = try? HotplugEvents()
            try epoll.add(timer.raw, for: .readable, token: Token.timer)
            if let raw = hotplug?.raw { try epoll.add(raw, for: .readable, token: Token.hotplug) }
        } catch {
            throw Failure(.internalFault, "cannot wait for a screen", because: "\(error)")
        }
        try find(at: .now)
    }

    /// Whether this process may read what others show: the kernel asks for CAP_SYS_ADMIN (`drm_mode_getfb2_ioctl`).
    public static var mayRead: Bool {
        let label = "CapEff:"
        let lines = SystemDirectory.text("/proc/thread-self/status")?.split(separator: "\n") ?? []
        guard let line = lines.first(where: { $0.hasPrefix(label) }) else { return false }
        let digits = line.dropFirst(label.count).drop { $0 == "\t" || $0 == " " }
        return UInt64(digits, radix: 16).map { $0 >> 21 & 1 == 1 } ?? false
    }

    /// What a user is told who may not read the screen.
    static func denial(_ place: String) -> Failure {
        Failure(
            .noSource, "cannot read the screen of \(place)",
            because: "the kernel shows it only to programs with the capability CAP_SYS_ADMIN",
            mend: "Start the service that may (sudo systemctl start kinebox-kms.socket), or run this command as root.")
    }

    /// What a user is told who may not open the card.
    static func refusal(_ sight: ConnectorSight, _ reason: Errno) -> Failure {
        let thing = "cannot open \(sight.card) with the screen \(sight.name)"
        guard reason.code == EACCES || reason.code == EPERM else {
            return Failure(.noSource, thing, because: "\(reason)")
        }
        return Failure(
            .noSource, thing, because: "this user is not allowed to",
            mend: "Add the user to the group video (sudo usermod -aG video USER) and log in again.")
    }

    public var descriptor: Int32 { epoll.raw }

    public func order(_ order: ScreenOrder) throws(Failure) {
        self.order = order
        token += 1
        blank = nil
        missed = 0
        picture.clear()
        guard let screen else { return awaitLight() }
        if isReckoned, listens {
            // The kernel's numbers are asked for anew: those that were reckoned may be far from them.
            let ahead = order.sequence > answered ? min(order.sequence - answered, BlankClock.farthest - 1) : 1
            (clock, isReckoned) = (nil, false)
            return aim(at: (startedClock(screen)?.last.sequence ?? 0) &+ ahead)
        }
        begin(order.sequence)
    }

    public func next(_ view: ScreenView) throws(Failure) -> Bool {
        view.clear()
        var (isTimeUp, isChanged) = (false, false)
        var (hasEvents, isGone) = (false, false)
        // It fails only for a descriptor that is none.
        _ = try? epoll.wait(milliseconds: 0) { token, readiness in
            switch token {
            case Token.timer: isTimeUp = true
            case Token.hotplug: isChanged = true
            default: (hasEvents, isGone) = (true, readiness.contains(.hungUp))
            }
        }
        if isTimeUp { _ = timer.expirations() }
        if isChanged, hotplug?.drain() == true { hasPlugNews = true }
        if hasEvents { takeEvents() }
        guard let order else { return false }
        isChanged = hasPlugNews
        hasPlugNews = false
        do throws(Failure) {
            if screen == nil { return try waitInTheDark(view, order, isChanged || isTimeUp) }
            if isGone || isChanged && screen?.isStillLit() != true { return try lose(view, order) }
            return try proceed(view, order, isTimeUp)
        } catch {
            self.order = nil
            throw error
        }
    }

    /// Watches another card, or none.
    func watch(_ new: LitScreen?) {
        // A descriptor that is closed is watched no longer.
        screen = new
        eventsOut = 0
        clock = nil
        habit = FlipHabit()
        (target, answered) = (0, 0)
        (silences, silentUntil, isReckoned) = (0, nil, false)
        // Its blanks have other numbers, and what was known may not have been kept.
        order?.sequence = 0
        hasShownOther = true
        guard let new else { return }
        do {
            try epoll.add(new.card.raw, for: .readable, token: Token.card)
        } catch {
            // Without its events a timer ends each wait.
        }
    }

    /// Keeps a screen that sleeps, until it is awake or shows something else.
    func rest(_ screen: LitScreen) {
        // Blanks that were ordered may come still, and nobody takes them.
        try? epoll.remove(screen.card.raw)
        sleeper = screen
    }

    /// Takes what the card tells: blanks that were ordered, of this order and of those before it.
    private func takeEvents() {
        guard let screen else { return }
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { bytes in
            let count: Int
            do {
                count = try screen.card.events(into: bytes)
            } catch {
                step = .doubt
                return
            }
            var at = 0
            while at + MemoryLayout<drm_event>.size <= count {
                let head = bytes.loadUnaligned(fromByteOffset: at, as: drm_event.self)
                guard head.length >= MemoryLayout<drm_event>.size, at + Int(head.length) <= count else { return }
                if head.type == UInt32(DRM_EVENT_CRTC_SEQUENCE),
                    head.length >= MemoryLayout<drm_event_crtc_sequence>.size
                {
                    note(bytes.loadUnaligned(fromByteOffset: at, as: drm_event_crtc_sequence.self))
                }
                at += Int(head.length)
            }
        }
    }

    private func note(_ event: drm_event_crtc_sequence) {
        eventsOut = max(eventsOut - 1, 0)
        (silences, silentUntil) = (0, nil)
        let new = BlankClock.Blank(
            sequence: event.sequence, time: MonotonicTime(nanoseconds: event.time_ns))
        if !isReckoned { clock?.note(new) }
        if event.user_data == token { blank = new }
    }
}
