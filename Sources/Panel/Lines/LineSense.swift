/// How a GPIO line tells that a contact is closed.
public struct LineSense: Equatable, Sendable {
    /// What holds the line while nothing else does.
    public enum Bias: String, Sendable, CaseIterable {
        /// Whatever was set up before: by the device tree, or by a resistor on the board.
        case asIs = "as-is"
        case pullUp = "pull-up"
        case pullDown = "pull-down"
        case disabled
    }

    /// Whether low voltage means closed, as with a button to ground.
    public var isActiveLow: Bool
    public var bias: Bias

    public init(isActiveLow: Bool = false, bias: Bias = .asIs) {
        self.isActiveLow = isActiveLow
        self.bias = bias
    }
}
