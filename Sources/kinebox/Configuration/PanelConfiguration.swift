import Panel

/// `[Panel]`: the buttons and lights of the box.
struct PanelConfiguration: Sendable, Equatable {
    /// What a button is called in `ButtonWiring` and `PanelAction`.
    enum Button: String, CaseIterable, Sendable {
        case record
        case stop
        case mark
    }

    /// The contacts of each button; more than one where any of them will do.
    var record: [ButtonWiring.Place] = Self.usualRecord
    var stop: [ButtonWiring.Place] = []
    var mark: [ButtonWiring.Place] = []
    /// Whether input devices are taken for this program alone.
    var isExclusive = true
    /// Nanoseconds that a level has to stay before it counts; nil for what is usual for the contact.
    var debounce: Int64?
    /// Nanoseconds after which a hold stops, where a press marks.
    var hold = PressGrammar.usualHolds[0]
    /// Nanoseconds after which a hold ejects.
    var ejectHold = PressGrammar.usualHolds[1]
    /// Nanoseconds after letting go in which a press is a hand's trembling.
    var rest = PressGrammar.usualRest
    var recordLight = LightConfiguration.Recording.single(.led("red:record"))
    var mediumLight: LightWiring?
    /// Percent, 1...100.
    var brightness = 100

    private static var usualRecord: [ButtonWiring.Place] {
        KeyCode(named: "RECORD").map { [.key($0, device: nil, isExclusive: true)] } ?? []
    }

    /// All buttons, as `Buttons` takes them. Their grammars have two holds: the first stops, the second ejects.
    var buttons: [ButtonWiring] {
        let all: [(Button, [ButtonWiring.Place])] = [(.record, record), (.stop, stop), (.mark, mark)]
        let grammar = PressGrammar(holds: [hold, ejectHold], rest: rest)
        return all.flatMap { button, places in
            places.map {
                ButtonWiring(button.rawValue, at: taken($0), grammar: grammar, debounce: debounce)
            }
        }
    }

    /// All lights, as `Lights` takes them.
    var lights: LightConfiguration {
        LightConfiguration(recording: recordLight, medium: mediumLight, brightness: brightness)
    }

    private func taken(_ place: ButtonWiring.Place) -> ButtonWiring.Place {
        guard case .key(let key, let device, _) = place else { return place }
        return .key(key, device: device, isExclusive: isExclusive)
    }
}
