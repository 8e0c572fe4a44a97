/// What a video input, or whoever looks at a screen, sees.
public enum SignalState: Hashable, Sendable {
    /// Nothing is plugged in, or what is plugged in has no power (ENOLINK, no 5 V).
    case noCable
    /// A cable without a picture on it.
    case noSignal
    /// Something comes in that the input cannot hold on to (ENOLCK).
    case noLock
    /// Something comes in that is beyond what the input can (ERANGE).
    case outOfRange
    /// The device is gone.
    case unplugged
    /// A screen to which nothing is sent: switched off or asleep, or no program shows anything on it.
    case off
    /// A screen of which nothing is plugged in.
    case noScreen
    /// A screen that shows what cannot be read, or that nobody can look at now: why, in words that need no more, and in very
    /// few words where there are such.
    case unreadable(String, brief: String? = nil)
    /// Pictures come in; what they are, where the input knows.
    case locked(SignalShape?)

    /// Whether pictures come in.
    public var isLocked: Bool {
        if case .locked = self { return true }
        return false
    }
}

/// The pictures that come in by HDMI or its like.
public struct SignalShape: Hashable, Sendable {
    /// Pixels a line.
    public var width: Int
    /// Lines of a whole picture.
    public var height: Int
    /// Pictures a second; of an interlaced signal, whole pictures.
    public var rate: FrameRate
    /// Whether each picture comes as two fields.
    public var isInterlaced: Bool

    public init(width: Int, height: Int, rate: FrameRate, isInterlaced: Bool) {
        self.width = width
        self.height = height
        self.rate = rate
        self.isInterlaced = isInterlaced
    }
}
