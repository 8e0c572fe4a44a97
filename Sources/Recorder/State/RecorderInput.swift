import Linux
import Media

/// Numbers that tell the requests of clients apart; each is answered once.
public typealias RequestNumber = Int

/// All that can happen to the recorder.
public enum RecorderInput: Hashable, Sendable {
    /// The daemon is up. What was being recorded when the power failed, if something was.
    case launched(interrupted: StartRequest?)
    /// A button, with the time of its edge or, for a hold, the time at which the hold was that long.
    case button(RecorderButton, RecorderButton.Event, at: MonotonicTime)
    /// A client asks for something.
    case request(RecorderRequest, from: RequestNumber)
    /// All media that are plugged in, the preferred one first; whenever one of them changes.
    case media([MediumReport])
    /// The source of the picture has changed.
    case source(SourceCondition)
    /// A recording tells how it goes.
    case take(Int, TakeEvent)
    /// Something a person should look at has begun or is over.
    case warning(RecorderWarning, isOn: Bool)
    /// A still is on the medium, or is not.
    case snapshotEnded(SnapshotResult)
    /// A medium may be pulled, or could not be ejected.
    case ejectEnded(Failure?)
    /// A timer that an effect set is over.
    case timer(RecorderTimer)
    /// The box is set up otherwise from now on. What runs goes on as it was begun.
    case configured(RecorderPolicy)
    /// The daemon is to end.
    case shutdown
}

/// The buttons that a box may have.
public enum RecorderButton: Hashable, Sendable, CaseIterable {
    /// Starts, and on a box with one button stops as well.
    case record
    case stop
    case mark

    /// What a button's hand does. A press is told at its first edge, holds while the button is still down.
    public enum Event: Hashable, Sendable, CaseIterable {
        case pressed
        case heldOneSecond
        case heldFiveSeconds
        case released
    }
}

/// What clients ask for.
public enum RecorderRequest: Hashable, Sendable {
    case start(StartRequest)
    case stop
    case pause
    case resume
    case split
    /// A chapter begins at a moment.
    case mark(label: String, at: MonotonicTime)
    case snapshot
    /// Nanoseconds by which the recording's limit moves.
    case extend(Int64)
    /// What the next recording says of itself.
    case describe(RecordingMetadata)
    /// The medium's name; nil for the one that is used.
    case eject(String?)
    /// The box is to show which one it is.
    case identify
}

/// What a recording tells of itself.
public enum TakeEvent: Hashable, Sendable {
    /// Its file is there, and pictures are being waited for.
    case began(Clip)
    /// The first fragment is on the medium.
    case durable(Clip)
    /// More than two seconds wait to be saved.
    case unsaved
    /// And no longer.
    case saved
    /// Nothing more is recorded, whoever or whatever ended it: its files are being finished.
    case ending
    /// It has ended, and its files are closed.
    case ended(TakeResult)
}

/// What a person should look at while all is being saved.
public enum RecorderWarning: Hashable, Sendable, CaseIterable {
    /// Ten minutes are left on the medium.
    case space
    /// Pictures are being dropped.
    case drops
    /// Nothing is heard.
    case silence
    /// The clock of the sound card is being corrected by more than it should need.
    case clock
}

/// What became of a still.
public enum SnapshotResult: Hashable, Sendable {
    case taken(path: String)
    case failed(Failure)
}

/// The timers of the state machine: at most one of each runs.
public enum RecorderTimer: Hashable, Sendable {
    /// The first fragment is too late.
    case arming(take: Int)
    /// The end is too late.
    case finalising(take: Int)
    /// A refusal has been shown long enough.
    case refusal
}
