/// Which lights a panel has.
public struct LightConfiguration: Hashable, Sendable {
    /// The light that tells of the recording.
    public enum Recording: Hashable, Sendable {
        case none
        /// One colour, which should be red.
        case single(LightWiring)
        /// Three colours in one place.
        case colors(red: LightWiring, green: LightWiring, blue: LightWiring)
    }

    public var recording: Recording
    /// The light that tells of the medium, where there is one.
    public var medium: LightWiring?
    /// How bright lights are that can be dimmed, in percent, 1...100.
    public var brightness: Int

    public init(recording: Recording, medium: LightWiring? = nil, brightness: Int = 100) {
        self.recording = recording
        self.medium = medium
        self.brightness = min(max(brightness, 1), 100)
    }
}
