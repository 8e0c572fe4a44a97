import Media

/// An error of the recorder's interface: a failure, and what programs can make use of in it. Over the socket go those
/// of its fields that the error declares.
public struct Refusal: Error, Sendable, Equatable {
    /// Which error it is, and what a person is told.
    public var failure: Failure
    /// The recording that runs: `alreadyRecording`.
    public var clip: RecorderAPI.Clip?
    /// The medium's name: errors of media.
    public var medium: String?
    /// Bytes that are free: `mediumFull`.
    public var freeBytes: Int64?
    /// Nanoseconds of the recording that could not be saved in time: `mediumTooSlow`.
    public var unsaved: Int64?
    /// What the input sees: `noSignal`.
    public var signal: RecorderAPI.Signal?
    /// What the recorder does: `notRecording`, `busy`.
    public var state: RecorderAPI.State?
    /// The name that cannot be: `invalidName`.
    public var name: String?
    /// The number of the caller's user: `notAuthorised`.
    public var user: Int?
    /// The groups whose members may: `notAuthorised`.
    public var groups: [String]?

    /// An error with no more than its failure.
    public init(_ failure: Failure) {
        self.failure = failure
    }

    /// The error's name with the interface's.
    public var errorName: String { "\(InterfaceDescription.recorder).\(failure.kind.rawValue)" }

    /// The fields of an error, by its kind.
    enum Field: String, CodingKey, CaseIterable {
        case thing, cause, mend, clip, medium, signal, state, name, user, groups
        case freeBytes = "free_bytes"
        case unsaved = "unsaved_ns"

        /// What an error has beside thing, cause and mend.
        static func own(of kind: FailureKind) -> [Field] {
            switch kind {
            case .noMedium, .mediumReadOnly, .mediumFailed: [.medium]
            case .mediumFull: [.medium, .freeBytes]
            case .mediumTooSlow: [.medium, .unsaved]
            case .noSignal: [.signal]
            case .alreadyRecording: [.clip]
            case .notRecording, .busy: [.state]
            case .notAuthorised: [.user, .groups]
            case .invalidName: [.name]
            case .noSource, .encoderFailed, .clockFailed, .internalFault, .invalidValue, .fileExists, .notARecording,
                .damaged:
                []
            }
        }
    }
}

extension Refusal: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(failure.thing, forKey: .thing)
        try fields.encode(failure.cause, forKey: .cause)
        try fields.encode(failure.mend, forKey: .mend)
        for field in Field.own(of: failure.kind) {
            switch field {
            case .thing, .cause, .mend: break
            case .clip: try fields.encodeIfPresent(clip, forKey: field)
            case .medium: try fields.encodeIfPresent(medium, forKey: field)
            case .freeBytes: try fields.encodeIfPresent(freeBytes, forKey: field)
            case .unsaved: try fields.encodeIfPresent(unsaved, forKey: field)
            case .signal: try fields.encodeIfPresent(signal, forKey: field)
            case .state: try fields.encodeIfPresent(state, forKey: field)
            case .name: try fields.encodeIfPresent(name, forKey: field)
            case .user: try fields.encodeIfPresent(user, forKey: field)
            case .groups: try fields.encodeIfPresent(groups, forKey: field)
            }
        }
    }
}

extension Refusal {
    /// The error as it goes over the socket, for programs.
    /// - Parameter isPretty: on several lines, for people; else on one.
    public func text(isPretty: Bool = false) -> String {
        JSON.text(ReplyMessage(parameters: self, error: errorName), isPretty: isPretty) ?? "{}"
    }
}
