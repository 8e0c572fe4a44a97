import Media

/// One file in the form that systemd's own have (systemd.syntax(7)): sections, assignments, remarks.
///
/// ```
/// [Recording]
/// # a remark; so is a line that begins with a semicolon
/// Video=/dev/video0
/// ```
///
/// White space around "=" and at the ends of a line means nothing; a backslash at a line's end goes on in the next one.
struct ConfigurationFile: Equatable {
    /// `Key=Value` in a section.
    struct Assignment: Equatable {
        var section: String
        var key: String
        /// Without white space at its ends; empty where nothing stands behind "=".
        var value: String
        /// Where it stands: "/etc/kinebox/kinebox.conf, line 3".
        var place: String
    }

    /// All assignments, in their order.
    private(set) var assignments: [Assignment] = []

    /// Takes a file's content apart. Nothing is known here of which sections and keys there are.
    /// - Parameter path: what the file is called in failures.
    /// - Throws: `Failure` of kind invalidValue that names file and line.
    init(_ text: String, path: String) throws(Failure) {
        var section: String?
        for (line, number) in Self.lines(text) {
            let place = "\(path), line \(number)"
            if line.hasPrefix("[") {
                guard line.hasSuffix("]"), line.count > 2 else {
                    throw Self.wrong(line, place, "a section begins with its name in brackets", "Write [Recording].")
                }
                section = String(line.dropFirst().dropLast())
                continue
            }
            guard let sign = line.firstIndex(of: "="), sign != line.startIndex else {
                throw Self.wrong(line, place, "it is no Key=Value", "Begin remarks with #.")
            }
            guard let section else {
                throw Self.wrong(line, place, "it stands in front of the first section", "Write [Recording] above it.")
            }
            assignments.append(
                Assignment(
                    section: section, key: Self.trimmed(line[..<sign]),
                    value: Self.trimmed(line[line.index(after: sign)...]), place: place))
        }
    }

    /// The lines that say something, with their numbers. One that goes on is joined with the next by a space.
    private static func lines(_ text: String) -> [(String, Int)] {
        var result: [(String, Int)] = []
        var open: (text: String, number: Int)?
        // Bytes, since "\r\n" is one character.
        let raw = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in raw.enumerated() {
            var line = trimmed(Substring(decoding: bytes, as: UTF8.self))
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if let before = open { line = before.text + line }
            let number = open?.number ?? index + 1
            open = nil
            if line.hasSuffix("\\") {
                open = (String(line.dropLast()) + " ", number)
            } else if !line.isEmpty {
                result.append((line, number))
            }
        }
        if let open { result.append((trimmed(open.text[...]), open.number)) }
        return result
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace ?? false { text = text.dropFirst() }
        while text.last?.isWhitespace ?? false { text = text.dropLast() }
        return String(text)
    }

    private static func wrong(_ line: String, _ place: String, _ cause: String, _ mend: String) -> Failure {
        Failure(.invalidValue, "cannot use \"\(line)\" in \(place)", because: cause, mend: mend)
    }
}
