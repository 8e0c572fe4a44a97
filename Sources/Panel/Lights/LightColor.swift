/// A colour of a light that has red, green and blue.
public struct LightColor: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let red = LightColor(rawValue: 1)
    public static let green = LightColor(rawValue: 2)
    public static let blue = LightColor(rawValue: 4)
    public static let yellow: LightColor = [.red, .green]
    static let all: LightColor = [.red, .green, .blue]
}
