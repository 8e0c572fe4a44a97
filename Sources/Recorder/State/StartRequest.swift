import Media

/// What somebody wants to be recorded.
public struct StartRequest: Hashable, Sendable {
    /// The file's name without its ending; nil for a name of date and time.
    public var name: String?
    /// What goes into the file beside picture and sound.
    public var metadata: RecordingMetadata
    /// Nanoseconds after which the recording ends by itself; nil for never.
    public var duration: Int64?
    /// The name of the medium; nil for the one that is preferred.
    public var medium: String?
    /// Whether it waits for a medium and a signal, whatever the policy says: what goes on after a power cut does.
    public var waits: Bool

    public init(
        name: String? = nil, metadata: RecordingMetadata = RecordingMetadata(), duration: Int64? = nil,
        medium: String? = nil, waits: Bool = false
    ) {
        self.name = name
        self.metadata = metadata
        self.duration = duration
        self.medium = medium
        self.waits = waits
    }
}
