/// Where a light is.
public enum LightWiring: Hashable, Sendable, CustomStringConvertible {
    /// A light that the kernel knows, by its name in `/sys/class/leds`: "red:record".
    case led(String)
    /// A GPIO line.
    case line(LineAddress, isActiveLow: Bool)

    /// "the light red:record", "the light on line GPIO18".
    public var description: String {
        switch self {
        case .led(let name): "the light \(name)"
        case .line(let address, _): "the light on line \(address)"
        }
    }
}
