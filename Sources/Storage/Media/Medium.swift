import Media

/// A stick, a card or a disk, as people and clients see it.
public struct Medium: Hashable, Sendable {
    /// What can be done with it.
    public enum State: Hashable, Sendable {
        /// It is being checked or mounted, or what a power cut left on it is being recovered.
        case preparing
        /// It takes recordings.
        case ready
        /// It has less room than is to be left.
        case full
        /// Nothing may be written to it.
        case readOnly
        /// Why it cannot be used.
        case failed(Failure)
        /// It is being taken off.
        case leaving
        /// It may be pulled.
        case ejected
    }

    /// What it is known by as long as it is there, and by nobody else: its label, or the UUID where another one has the
    /// label already or it has none.
    public var name: String
    /// The file system's UUID, as udev writes it; empty where there is none.
    public var uuid: String
    /// The name that a person gave it; empty for none.
    public var label: String
    /// "sda1".
    public var device: String
    /// "exfat".
    public var fileSystem: String
    /// Where it is mounted; nil as long as it is not.
    public var place: MediumPlace?
    public var state: State
    /// Its size.
    public var byteCount: Int64
    /// The room on it; nil as long as it is not known.
    public var freeByteCount: Int64?

    public init(
        name: String, uuid: String, label: String, device: String, fileSystem: String, place: MediumPlace?,
        state: State, byteCount: Int64, freeByteCount: Int64?
    ) {
        self.name = name
        self.uuid = uuid
        self.label = label
        self.device = device
        self.fileSystem = fileSystem
        self.place = place
        self.state = state
        self.byteCount = byteCount
        self.freeByteCount = freeByteCount
    }
}

/// What has happened to media.
public enum MediaEvent: Hashable, Sendable {
    /// `MediaBay.list` is another than before.
    case changed
    /// A medium that can be written to was mounted. Recordings that a power cut left on it are to be recovered now, on
    /// another thread; `MediaBay.recovered` makes it ready.
    case mounted(Medium)
    /// A medium may be pulled.
    case ejected(String)
    /// A medium could not be ejected: it is used by another program, does not answer, or is gone.
    case notEjected(String, Failure)
}
