import Glibc
import Judges
import Linux
import Panel

/// Buttons that are watched while something happens to them.
final class PressedButtons {
    let buttons: Buttons
    private(set) var actions: [PanelAction] = []
    /// "found record", "lost record", by the names of buttons.
    private(set) var changes: [String] = []
    /// How often there was something to look at.
    private(set) var wakeUps = 0

    init(_ wirings: [ButtonWiring]) throws {
        buttons = try Buttons(wirings)
        take()
    }

    /// "pressed", "held 1", "released", in their order.
    var gestures: [String] {
        actions.map { action in
            switch action.gesture {
            case .pressed: "pressed"
            case .held(let length): "held \(length / 1_000_000_000)"
            case .released: "released"
            case .stuck: "stuck"
            }
        }
    }

    /// The names of the buttons that were pressed, in their order.
    var pressed: [String] { actions.filter { $0.gesture == .pressed }.map(\.button) }

    /// Watches for some milliseconds.
    func watch(milliseconds: Int64) {
        let end = MonotonicTime.now + milliseconds * 1_000_000
        while MonotonicTime.now < end {
            wait(Int32((end - .now) / 1_000_000))
        }
    }

    /// Watches until a program has ended, and a little longer.
    func watch(_ program: ChildProcess) -> Ending {
        while program.isRunning { wait(20) }
        watch(milliseconds: 300)
        return program.wait(atMost: 10)
    }

    /// Watches until it is so.
    /// - Returns: false when it was not so within 20 s.
    func watch(until isSo: () -> Bool) -> Bool {
        let end = MonotonicTime.now + 20_000_000_000
        while !isSo() {
            if MonotonicTime.now > end { return false }
            wait(50)
        }
        return true
    }

    private func wait(_ milliseconds: Int32) {
        var entry = pollfd(fd: buttons.raw, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, max(milliseconds, 0)) > 0 {
            wakeUps += 1
            take()
        }
    }

    private func take() {
        while let event = buttons.nextEvent() {
            switch event {
            case .action(let action): actions.append(action)
            case .found(let button, _): changes.append("found \(button)")
            case .lost(let button, _): changes.append("lost \(button)")
            case .failed(let failure): changes.append("\(failure)")
            }
        }
    }
}
