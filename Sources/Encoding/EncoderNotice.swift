/// What an encoder tells a person.
public struct EncoderNotice: Hashable, Sendable {
    /// What it is about.
    public enum Kind: Hashable, Sendable {
        /// It works with more or less effort than before.
        case effort
        /// It gave pictures up.
        case loss
        /// It failed, or could not be opened, and another one is used or the same one anew.
        case failure
    }

    public var kind: Kind
    /// A sentence.
    public var words: String

    public init(_ kind: Kind, _ words: String) {
        self.kind = kind
        self.words = words
    }
}
