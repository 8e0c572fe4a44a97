/// One button: where its contact is, and what counts as pressing it.
public struct ButtonWiring: Equatable, Sendable {
    /// Where a contact is.
    public enum Place: Equatable, Sendable {
        /// A key of input devices: of each device that has the key and fits.
        ///
        /// - device: the device's name or its `phys` ("usb-0000:01:00.0-1.2/input0"), as `evtest` and `/proc/bus/input/devices`
        ///   show them; `*`, `?` and `[…]` as in a shell. Nil: any device but whole keyboards, which somebody may type on.
        /// - isExclusive: whether the device is taken for this program alone, so that nobody else acts on its keys.
        case key(KeyCode, device: String?, isExclusive: Bool)
        /// A GPIO line.
        case line(LineAddress, LineSense)
    }

    /// The name by which actions and messages call it: "record".
    public var name: String
    /// Where its contact is.
    public var place: Place
    /// What counts as a press and as a hold.
    public var grammar: PressGrammar
    /// Nanoseconds that a level has to stay before it counts. Nil: 10 ms for lines; what the driver does for keys.
    public var debounce: Int64?

    public init(
        _ name: String, at place: Place, grammar: PressGrammar = PressGrammar(), debounce: Int64? = nil
    ) {
        self.name = name
        self.place = place
        self.grammar = grammar
        self.debounce = debounce
    }
}
