import Encoding

/// What a person should know of the course of things, and what it is about.
public struct DeckNotice: Hashable, Sendable {
    /// What it is about, for programs.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// All goes as it should: the encoder, its effort, a new part, sound that is back.
        case information
        /// Something is lost or spoilt that none of the others is about.
        case warning
        /// An encoder failed, and another one is used or the same one anew.
        case encoderChanged
        /// No picture comes in any more, in the middle of a recording.
        case signalLost
        /// Pictures come in again, in the middle of a recording.
        case signalFound
    }

    public var kind: Kind
    /// A sentence; its first letter may be small, and its full stop may be missing.
    public var words: String

    public init(_ kind: Kind, _ words: String) {
        self.kind = kind
        self.words = words
    }

    /// What an encoder tells.
    init(_ notice: EncoderNotice) {
        words = notice.words
        kind =
            switch notice.kind {
            case .effort: .information
            case .loss: .warning
            case .failure: .encoderChanged
            }
    }
}
