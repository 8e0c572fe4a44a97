/// What the person who set the box up wants of the state machine.
public struct RecorderPolicy: Hashable, Sendable {
    /// What the one record button does.
    public enum RecordButton: Hashable, Sendable, CaseIterable {
        /// A press starts, a press stops.
        case pressStops
        /// A press starts; held for a second it stops; a short press marks, and goes on after a pause.
        case holdStops
        /// It starts only, and goes on after a pause, since another button stops.
        case startsOnly
    }

    public var recordButton = RecordButton.pressStops
    /// Whether a start without a medium waits for one.
    public var pendsForMedium = false
    /// Whether a start without a signal waits for one.
    public var pendsForSignal = false
    /// Whether a recording may start without a signal, and begins with slates.
    public var startsWithoutSignal = false
    /// Whether a recording that lost its medium goes on, in a new file, on the next one that comes.
    public var goesOnAfterLostMedium = false
    /// Whether what a power cut ended goes on when the power is back.
    public var goesOnAfterPowerCut = false
    /// Nanoseconds within which the first fragment must be on the medium.
    public var armingLimit: Int64 = 10_000_000_000
    /// Nanoseconds within which a recording must be finished once it was asked to end.
    public var finalisingLimit: Int64 = 30_000_000_000
    /// Nanoseconds for which the light tells of a refusal.
    public var refusalTime: Int64 = 10_000_000_000
    /// Nanoseconds after a press that starts in which another one is the same hand's slip.
    public var slipTime: Int64 = 500_000_000

    public init() {}
}
