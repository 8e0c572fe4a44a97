/// A place in a recording that somebody marked.
public struct TakeMark: Hashable, Sendable {
    /// What it was called; empty for no name.
    public var label: String
    /// Nanoseconds of the recording, pauses not counted, to the picture that was captured then.
    public var nanoseconds: Int64

    public init(label: String, nanoseconds: Int64) {
        self.label = label
        self.nanoseconds = nanoseconds
    }
}
