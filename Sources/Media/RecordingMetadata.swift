/// What people say of a recording: it goes into the file, and programs that list files show it.
public struct RecordingMetadata: Hashable, Sendable {
    /// What the recording is of: "Anatomy, lecture 4". Empty for none, as all of these.
    public var title: String
    /// Who speaks or plays.
    public var author: String
    /// Anything else.
    public var comment: String

    public init(title: String = "", author: String = "", comment: String = "") {
        self.title = title
        self.author = author
        self.comment = comment
    }

    /// Whether nothing is said.
    public var isEmpty: Bool { title.isEmpty && author.isEmpty && comment.isEmpty }

    /// These words, and where there are none the other ones.
    public func completed(by other: RecordingMetadata) -> RecordingMetadata {
        RecordingMetadata(
            title: title.isEmpty ? other.title : title, author: author.isEmpty ? other.author : author,
            comment: comment.isEmpty ? other.comment : comment)
    }
}
