import Media

/// Something that can be recorded from, as `kinebox devices` lists it.
public struct CaptureDevice: Hashable, Sendable {
    /// Whether it can be recorded from now.
    public enum State: Hashable, Sendable {
        case ready
        /// Another program is using it.
        case busy
        /// This user may not; what helps.
        case denied(mend: String)
        /// Nothing comes in.
        case noSignal
    }

    /// The maker's name: "HDMI to USB".
    public var card: String
    /// Where it is attached, the same after each boot: "usb-0000:00:14.0-3"; for sound, ALSA's name of the card.
    public var location: String
    /// The device node: "/dev/video0"; empty for sound.
    public var path: String
    /// What `--video` or `--audio` takes for it.
    public var argument: String
    public var state: State
    /// What it offers, a line each: "YUYV 640x480 at 30, 15". Empty where it is not known.
    public var formats: [String]
    /// What comes in now; nil for sound and where it is not known.
    public var signal: SignalState?
    /// What the samples of the pictures that come in mean; nil where nothing comes in.
    public var color: ColorDescription?

    public init(
        card: String, location: String, path: String = "", argument: String, state: State, formats: [String],
        signal: SignalState? = nil, color: ColorDescription? = nil
    ) {
        self.card = card
        self.location = location
        self.path = path
        self.argument = argument
        self.state = state
        self.formats = formats
        self.signal = signal
        self.color = color
    }
}
