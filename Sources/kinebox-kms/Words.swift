import Glibc

/// What is written for people, a line each.
enum Words {
    /// Writes to standard output.
    static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Writes to standard error.
    static func tell(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var line = text + "\n"
        // Where nobody reads it, nobody can be told so.
        _ = line.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
