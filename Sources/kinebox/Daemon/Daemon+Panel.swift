import Control
import Linux
import Media
import Panel
import Recorder
import Storage

/// Buttons and lights.
extension Daemon {
    /// Waits for buttons and lights. What is not there is told of, and may come later.
    /// - Throws: `Failure` when the system has no descriptor left.
    func watchPanel() throws(Failure) {
        try renewButtons()
        try watchLights()
    }

    /// Takes the buttons, as they are configured now.
    /// - Throws: `Failure` when the system has no descriptor left.
    func renewButtons() throws(Failure) {
        if let old = buttons { remove(old.raw) }
        buttons = nil
        let new = try Buttons(configuration.panel.buttons)
        try add(new.raw, Token.buttons)
        buttons = new
        for absence in new.absences { write(JournalEntry(.buttonLost, "\(absence)", [.reason: absence.cause])) }
    }

    /// Takes the lights anew, as they are configured now.
    /// - Throws: `Failure` when the system has no descriptor or process left.
    func renewLights() throws(Failure) {
        if let old = lights {
            remove(old.raw)
            old.close()
        }
        lights = nil
        lights = try Lights(configuration.panel.lights)
        try watchLights()
        showLights()
    }

    private func watchLights() throws(Failure) {
        (shownLight, shownMedium, lightTrouble) = (nil, nil, nil)
        guard let lights else { return }
        try add(lights.raw, Token.lights)
        for absence in lights.absences { tellOfLight(absence) }
    }

    func feelButtons() {
        while let event = buttons?.nextEvent() {
            switch event {
            case .action(let action): feel(action)
            case .found(let button, let device): notice("the \(button) button is there (\(device))", nil)
            case .lost(let button, let device): notice("the \(button) button is gone (\(device))", .buttonLost)
            case .failed(let failure): notice("\(failure)", .buttonLost)
            }
        }
    }

    private func feel(_ action: PanelAction) {
        guard let button = RecorderButton(action.button) else { return }
        let panel = configuration.panel
        switch action.gesture {
        case .pressed: take(.button(button, .pressed, at: action.time), at: action.time)
        case .released: take(.button(button, .released, at: action.time), at: action.time)
        case .held(let span):
            if span == panel.hold { take(.button(button, .heldOneSecond, at: action.time), at: action.time) }
            if span == panel.ejectHold { take(.button(button, .heldFiveSeconds, at: action.time), at: action.time) }
        case .stuck:
            notice(
                "the \(action.button) button is stuck, or its wire is: it means nothing until it is let go",
                .buttonStuck)
        }
    }

    /// Shows what the state is, where that has changed.
    func showLights() {
        guard let lights else { return }
        let (light, medium) = (state.light, mediumLight)
        do throws(Failure) {
            if light != shownLight {
                try lights.show(light)
                shownLight = light
            }
            if medium != shownMedium {
                try lights.show(medium: medium)
                shownMedium = medium
            }
            lightTrouble = nil
        } catch {
            tellOfLight(error)
        }
    }

    private var mediumLight: MediumSignal {
        if let take = state.take, bay.list.contains(where: { $0.name == take.medium }) { return .inUse }
        if still != nil { return .inUse }
        guard let medium = bay.list.first(where: { $0.state == .ready }) ?? bay.list.first else { return .absent }
        switch medium.state {
        case .preparing, .leaving: return .checking
        case .ready: return .ready
        case .full: return .failed(blinks: FailureKind.mediumFull.blinks ?? 2)
        case .readOnly: return .failed(blinks: FailureKind.mediumReadOnly.blinks ?? 5)
        case .failed: return .failed(blinks: FailureKind.mediumFailed.blinks ?? 5)
        case .ejected: return .absent
        }
    }

    /// A light that is away is told of once, not with each thing that it does not show.
    func tellOfLight(_ failure: Failure) {
        guard failure != lightTrouble else { return }
        lightTrouble = failure
        write(JournalEntry(.lightLost, "\(failure)", [.reason: failure.cause]))
    }
}

extension RecorderButton {
    /// - Parameter name: as the panel's configuration calls it.
    init?(_ name: String) {
        switch PanelConfiguration.Button(rawValue: name) {
        case .record: self = .record
        case .stop: self = .stop
        case .mark: self = .mark
        case nil: return nil
        }
    }
}
