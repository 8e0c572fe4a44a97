import Media

/// A time in which no picture came in.
public struct SignalGap: Hashable, Sendable {
    /// When the pictures ended, in nanoseconds of the recording.
    public var start: Int64
    /// When the next picture was captured, or the recording ended, in nanoseconds of the recording.
    public var end: Int64
    /// What the source saw in place of a signal; when that changed, what it saw last.
    public var state: SignalState

    public init(start: Int64, end: Int64, state: SignalState) {
        self.start = start
        self.end = end
        self.state = state
    }
}
