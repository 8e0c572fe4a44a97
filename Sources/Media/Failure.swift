/// What went wrong, as one of the words that people and programs meet everywhere: exit codes, blink codes and the socket
/// API follow from it.
public enum FailureKind: String, Sendable, CaseIterable {
    case noMedium = "NoMedium"
    case mediumFull = "MediumFull"
    case mediumTooSlow = "MediumTooSlow"
    case noSignal = "NoSignal"
    case mediumReadOnly = "MediumReadOnly"
    case mediumFailed = "MediumFailed"
    case encoderFailed = "EncoderFailed"
    case clockFailed = "ClockFailed"
    case internalFault = "Internal"
    case alreadyRecording = "AlreadyRecording"
    case notRecording = "NotRecording"
    case busy = "Busy"
    case notAuthorised = "NotAuthorised"
    case invalidName = "InvalidName"
    case invalidValue = "InvalidValue"
    case noSource = "NoSource"
    case fileExists = "FileExists"
    case notARecording = "NotARecording"
    case damaged = "Damaged"

    /// The exit code of a command that failed so: 1 failed, 2 wrong usage, 3 nothing to record from, 4 no room or medium.
    public var exitCode: Int32 {
        switch self {
        case .noMedium, .mediumFull, .mediumTooSlow, .mediumReadOnly, .mediumFailed: 4
        case .noSignal, .noSource: 3
        case .invalidName, .invalidValue: 2
        case .encoderFailed, .clockFailed, .internalFault, .alreadyRecording, .notRecording, .busy, .notAuthorised,
            .fileExists, .notARecording, .damaged:
            1
        }
    }

    /// How often the recording light blinks between two pauses to tell of it: 1 no medium, 2 full, 3 too slow, 4 no signal
    /// or source, 5 medium error, 6 internal; nil for refusals after which the light goes on telling the state.
    public var blinks: Int? {
        switch self {
        case .noMedium: 1
        case .mediumFull: 2
        case .mediumTooSlow: 3
        case .noSignal, .noSource: 4
        case .mediumReadOnly, .mediumFailed: 5
        case .encoderFailed, .clockFailed, .internalFault: 6
        case .alreadyRecording, .notRecording, .busy, .notAuthorised, .invalidName, .invalidValue, .fileExists,
            .notARecording, .damaged:
            nil
        }
    }
}

/// A failure as a person is told of it: the thing, the cause and the mend, a sentence each at most.
public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which of the known failures it is.
    public var kind: FailureKind
    /// What could not be done, with the name of the thing: "cannot open /dev/video0".
    public var thing: String
    /// Why: "another program is using it".
    public var cause: String
    /// What helps: "Close that program, or choose another source with --video." Empty where nothing is known to help.
    public var mend: String

    public init(_ kind: FailureKind, _ thing: String, because cause: String, mend: String = "") {
        self.kind = kind
        self.thing = thing
        self.cause = cause
        self.mend = mend
    }

    /// "thing: cause. mend"
    public var description: String {
        let sentence = "\(thing): \(cause)" + (cause.hasSuffix(".") ? "" : ".")
        return mend.isEmpty ? sentence : "\(sentence) \(mend)"
    }
}
