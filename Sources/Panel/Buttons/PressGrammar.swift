/// What presses and holds of a button mean. A value: `PressRecogniser` reads presses by it.
public struct PressGrammar: Equatable, Sendable {
    /// A hold that means something.
    public struct Hold: Equatable, Sendable {
        /// How long the button has to be down, in nanoseconds, more than 0.
        public var length: Int64
        /// What it means, as soon as it was down so long.
        public var command: PanelCommand

        /// - Parameter seconds: how long the button has to be down, more than 0.
        public init(seconds: Double, _ command: PanelCommand) {
            length = Int64(seconds * 1e9)
            self.command = command
        }
    }

    /// What the button means in one phase of the recorder.
    public struct Meaning: Equatable, Sendable {
        /// What a press means; nil for nothing.
        public var press: PanelCommand?
        /// Whether a press counts as soon as the contact closes. Otherwise it counts when the contact opens again, and only
        /// if no hold was reached.
        public var isImmediate: Bool
        /// What holds mean, the shortest first.
        public var holds: [Hold]

        public init(press: PanelCommand?, isImmediate: Bool = true, holds: [Hold] = []) {
            self.press = press
            self.isImmediate = isImmediate
            self.holds = holds.sorted { $0.length < $1.length }
        }
    }

    /// The meaning of a press that begins while the recorder is idle, and of the holds that it grows into.
    public var idle: Meaning
    /// The meaning of a press that begins while it is not.
    public var active: Meaning
    /// A press within so many nanoseconds of the one before is the trembling of a hand, and means nothing; 0 for none.
    public var rest: Int64

    public init(idle: Meaning, active: Meaning, rest: Int64 = defaultRest) {
        self.idle = idle
        self.active = active
        self.rest = rest
    }

    /// 0.2 s from letting go to the next press.
    public static let defaultRest: Int64 = 200_000_000

    /// A press starts, a press stops; held for 5 s when idle: eject.
    public static let toggle = PressGrammar(
        idle: Meaning(press: .start, holds: [Hold(seconds: 5, .eject)]), active: Meaning(press: .stop))

    /// A press starts and then marks; held for 1 s it stops. Held for 5 s when idle: eject.
    public static let holdToStop = PressGrammar(
        idle: Meaning(press: .start, holds: [Hold(seconds: 5, .eject)]),
        active: Meaning(press: .mark, isImmediate: false, holds: [Hold(seconds: 1, .stop)]))

    /// A button that always means the same: the second of two, or a key of a foot switch.
    public static func always(_ command: PanelCommand) -> PressGrammar {
        PressGrammar(idle: Meaning(press: command), active: Meaning(press: command))
    }

    /// By its name in a configuration: "toggle", "hold-to-stop", or that of a command, such as "mark". Nil for another name.
    public init?(named name: String) {
        switch name {
        case "toggle": self = .toggle
        case "hold-to-stop": self = .holdToStop
        default:
            guard let command = PanelCommand(rawValue: name) else { return nil }
            self = .always(command)
        }
    }

    /// The names that `init(named:)` knows.
    public static let names = ["toggle", "hold-to-stop"] + PanelCommand.allCases.map(\.rawValue)

    func meaning(in phase: PanelPhase) -> Meaning {
        switch phase {
        case .idle: idle
        case .active: active
        }
    }
}
