import Glibc
import Linux
import Media

/// What is told while the screen shows nothing.
extension CardReader {
    /// Nanoseconds between two looks for a screen that is dark: a program that lights it tells nobody. Longer where a look
    /// opens a card.
    private var pause: Int64 { opensInVain ? Self.repetition : 250_000_000 }
    /// Nanoseconds after which the same state is told again.
    private static let repetition: Int64 = 1_000_000_000

    /// Looks for the screen. Cards are opened only where one is driven.
    func find(at now: MonotonicTime) throws(Failure) {
        lookedAt = now
        opensInVain = false
        if let sleeper, !sleeper.isAsleep() {
            self.sleeper = nil
            if sleeper.isStillLit() { return watch(sleeper) }
        }
        var refusal: Failure?
        let sights = ConnectorSight.all().filter { connector == nil || $0.name == connector }
        for sight in sights where sight.isConnected && sight.isDriven {
            opensInVain = true
            do throws(Errno) {
                if let found = try LitScreen(at: sight.card, connector: sight.name) {
                    watch(found)
                    sleeper = nil
                    return
                }
            } catch {
                // A card that goes while it is looked at shows nothing.
                if error.code == EACCES || error.code == EPERM { refusal = refusal ?? Self.refusal(sight, error) }
            }
        }
        // Another card may show something that this user may see.
        if let refusal { throw refusal }
        darkness =
            if sights.isEmpty { .absent } else if sights.contains(where: \.isConnected) { .off } else { .unplugged }
    }

    /// An order comes while the screen is dark: what has been told already is told again in a second.
    func awaitLight() {
        arm(told?.state == darkness ? .now + pause : MonotonicTime(nanoseconds: 1))
    }

    /// Goes on with an order while the screen is dark: true when the view has the state.
    func waitInTheDark(_ view: ScreenView, _ order: ScreenOrder, _ isDue: Bool) throws(Failure) -> Bool {
        guard isDue else { return false }
        let now = MonotonicTime.now
        try find(at: now)
        guard screen == nil else {
            aim(at: 0)
            return false
        }
        if let told, told.state == darkness, now - told.time < Self.repetition {
            arm(now + pause)
            return false
        }
        return tellDarkness(view, now)
    }

    /// Tells the state. The order stays out.
    func tellDarkness(_ view: ScreenView, _ now: MonotonicTime) -> Bool {
        view.state = darkness
        view.time = now
        told = (darkness, now)
        arm(now + pause)
        return true
    }
}
