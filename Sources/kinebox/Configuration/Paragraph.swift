/// Running text in lines of a certain width.
enum Paragraph {
    /// - Parameter width: the most letters of a line, those of `prefix` included; a longer word has a line of its own.
    static func lines(_ text: String, width: Int, prefix: String = "") -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty && prefix.count + line.count + 1 + word.count > width {
                lines.append(prefix + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [prefix + line]
    }
}
