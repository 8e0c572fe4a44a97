import Glibc
import Linux
import Media

/// What is told while the screen shows nothing.
extension CardReader {
    /// Nanoseconds between two looks for a screen that is dark: a program that lights it tells nobody.
    private static let pause: Int64 = 250_000_000
    /// Nanoseconds after which the same state is told again.
    private static let repetition: Int64 = 1_000_000_000

    /// Looks for the screen. Cards are opened only where one is driven.
    func find(at now: MonotonicTime) throws(Failure) {
        lookedAt = now
        let sights = ConnectorSight.all().filter { connector == nil || $0.name == connector }
        for sight in sights where sight.isConnected && sight.isDriven {
            do {
                if let found = try LitScreen(at: sight.card, connector: sight.name) {
                    watch(found)
                    return
                }
            } catch  where error.code == EACCES || error.code == EPERM {
                throw Failure(
                    .noSource, "cannot open \(sight.card) with the screen \(sight.name)",
                    because: "this user is not allowed to",
                    mend: "Add the user to the group video (sudo usermod -aG video USER) and log in again.")
            } catch {
                // A card that goes while it is looked at shows nothing.
            }
        }
        darkness =
            if sights.isEmpty { .absent } else if sights.contains(where: \.isConnected) { .off } else { .unplugged }
    }

    /// An order comes while the screen is dark: what has been told already is told again in a second.
    func awaitLight() {
        arm(told?.state == darkness ? .now + Self.pause : MonotonicTime(nanoseconds: 1))
    }

    /// Goes on with an order while the screen is dark: true when the view has the state.
    func waitInTheDark(_ view: ScreenView, _ order: ScreenOrder, _ isDue: Bool) throws(Failure) -> Bool {
        guard isDue else { return false }
        let now = MonotonicTime.now
        try find(at: now)
        guard screen == nil else {
            aim(at: order.sequence)
            return false
        }
        if let told, told.state == darkness, now - told.time < Self.repetition {
            arm(now + Self.pause)
            return false
        }
        return tellDarkness(view, now)
    }

    /// Tells the state. The order stays out.
    func tellDarkness(_ view: ScreenView, _ now: MonotonicTime) -> Bool {
        view.state = darkness
        view.time = now
        told = (darkness, now)
        arm(now + Self.pause)
        return true
    }
}
