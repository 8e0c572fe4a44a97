import Media

extension RecorderAPI {
    /// A `Failure` as a value of the interface.
    public struct Problem: Codable, Sendable, Hashable {
        /// The error's name without the interface's: a `FailureKind`'s word.
        public var error: String
        public var thing: String
        public var cause: String
        public var mend: String

        public init(_ failure: Failure) {
            error = failure.kind.rawValue
            thing = failure.thing
            cause = failure.cause
            mend = failure.mend
        }

        /// The failure that it tells of. An error that this program does not know is `internalFault`.
        public var failure: Failure {
            Failure(FailureKind(rawValue: error) ?? .internalFault, thing, because: cause, mend: mend)
        }
    }
}
