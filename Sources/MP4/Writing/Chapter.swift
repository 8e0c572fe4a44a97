/// A place in a part that people find again: players show its title in their list of chapters.
public struct Chapter: Hashable, Sendable {
    /// Milliseconds from the start of the part.
    public var milliseconds: Int64
    /// One line of text, at most 200 bytes of UTF-8.
    public var title: String

    /// Makes one line of any text: what is no character becomes a space, what is too long is cut off.
    public init(milliseconds: Int64, title: String) {
        self.milliseconds = milliseconds
        self.title = title.line(ofAtMost: Self.mostTitleBytes)
    }

    /// More do not fit where players read: a title's length is one byte in `chpl`, and so is the number of chapters.
    static let mostTitleBytes = 200
    static let mostInPart = 255
}

extension String {
    /// The text as one line: control characters become spaces, and what does not fit into a number of bytes is cut off
    /// between two characters.
    func line(ofAtMost byteCount: Int) -> String {
        var line = ""
        var used = 0
        for character in self {
            let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
            let next = isControl ? " " : character
            used += String(next).utf8.count
            if used > byteCount { break }
            line.append(next)
        }
        return line
    }
}
