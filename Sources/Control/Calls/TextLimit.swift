import Media

/// How long texts of callers may be. They come back in every status and in every reply about the recording, and all of
/// those have to fit into messages.
enum TextLimit {
    /// Bytes of a name of a file or a medium: what file systems take.
    static let name = 255
    /// Bytes of a title, an author, a chapter's label.
    static let title = 500
    /// Bytes of a comment.
    static let comment = 4000
    /// Bytes of a path (`limits.h`, PATH_MAX).
    static let path = 4096

    /// Why a text cannot be taken; nil when it can.
    /// - Parameters:
    ///   - thing: what it is: "title".
    ///   - kind: what it is refused with.
    static func objection(
        to text: String?, _ thing: String, most: Int, _ kind: FailureKind = .invalidValue
    ) -> Failure? {
        guard let text else { return nil }
        if text.utf8.count > most {
            return Failure(
                kind, "cannot use the \(thing)", because: "it has \(text.utf8.count) bytes, and \(most) is the most",
                mend: "Use a shorter one.")
        }
        // Escaped in JSON each of them would become six bytes, and in a file or on a terminal none of them says anything.
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }) else { return nil }
        return Failure(
            kind, "cannot use the \(thing)", because: "it has characters that cannot be seen", mend: "Leave them out.")
    }
}

extension CallParameters {
    /// Most calls have no texts.
    public var objection: Failure? { nil }
}

extension RecorderAPI.Metadata {
    /// Why it cannot be taken; nil when it can.
    var objection: Failure? {
        TextLimit.objection(to: title, "title", most: TextLimit.title)
            ?? TextLimit.objection(to: author, "author", most: TextLimit.title)
            ?? TextLimit.objection(to: comment, "comment", most: TextLimit.comment)
    }
}

extension RecorderAPI.Start.Parameters {
    public var objection: Failure? {
        TextLimit.objection(to: name, "name", most: TextLimit.name, .invalidName)
            ?? TextLimit.objection(to: medium, "medium's name", most: TextLimit.name) ?? metadata?.objection
    }
}

extension RecorderAPI.SetMetadata.Parameters {
    public var objection: Failure? { metadata.objection }
}

extension RecorderAPI.Mark.Parameters {
    public var objection: Failure? { TextLimit.objection(to: label, "chapter's title", most: TextLimit.title) }
}

extension RecorderAPI.Eject.Parameters {
    public var objection: Failure? { TextLimit.objection(to: medium, "medium's name", most: TextLimit.name) }
}

extension RecorderAPI.ListClips.Parameters {
    public var objection: Failure? {
        TextLimit.objection(to: medium, "medium's name", most: TextLimit.name)
            ?? TextLimit.objection(to: after, "path", most: TextLimit.path)
    }
}
