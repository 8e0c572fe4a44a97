/// Where a GPIO line is. Never by the number of its chip, which is another one with another kernel.
public enum LineAddress: Hashable, Sendable, CustomStringConvertible {
    /// By the line's own name, as `gpioinfo` shows it: "GPIO17".
    case named(String)
    /// By the label of its chip, as `gpiodetect` shows it in brackets, and its place on it: "pinctrl-bcm2711", 17.
    case place(chip: String, offset: UInt32)

    /// From a configuration: "GPIO17", or "pinctrl-bcm2711:17". Nil for an empty text.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        if let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let offset = UInt32(text[text.index(after: colon)...])
        {
            self = .place(chip: String(text[..<colon]), offset: offset)
        } else {
            self = .named(text)
        }
    }

    /// As `init(_:)` reads it.
    public var description: String {
        switch self {
        case .named(let name): name
        case .place(let chip, let offset): "\(chip):\(offset)"
        }
    }
}
