/// What a reader is asked for: one picture of the screen.
public struct ScreenOrder: Hashable, Sendable {
    /// The vertical blank from which on the picture is shown: the first one with at least this number will do; 0 for the
    /// next.
    public var sequence: UInt64
    /// What is known already (`ScreenView.signature`), for which no memory is handed over as long as nothing else has been
    /// shown meanwhile, as far as was seen; 0 for nothing.
    public var known: UInt64

    public init(sequence: UInt64 = 0, known: UInt64 = 0) {
        self.sequence = sequence
        self.known = known
    }
}
