import Glibc
import Linux

/// Standard output for results, standard error for everything else.
struct Terminal {
    /// Whether standard error is a terminal, so that a line can be written over.
    let isInteractive = isatty(2) == 1
    /// Why a result could not be written; nil while all could. A reader that has gone is no failure.
    private(set) var resultFailure: Errno?
    /// Whether somebody may still read the results: false once writing has shown that nobody does.
    private(set) var hasReader = true
    private var hasLiveLine = false

    /// A result.
    mutating func print(_ text: String) {
        if hasLiveLine { _ = Self.write("\r\u{1B}[K", to: 2) }
        hasLiveLine = false
        guard let reason = Self.write(Self.plain(text) + "\n", to: 1) else { return }
        hasReader = false
        if reason.code != EPIPE { resultFailure = reason }
    }

    /// A message.
    mutating func tell(_ text: String) {
        _ = Self.write((hasLiveLine ? "\r\u{1B}[K" : "") + Self.plain(text) + "\n", to: 2)
        hasLiveLine = false
    }

    /// Writes one line over the one before, with as many pieces as the terminal has room for: half a number would be
    /// another number. What is no terminal gets a line of its own with all pieces.
    mutating func show(live pieces: [String]) {
        guard isInteractive else { return tell(pieces.joined(separator: "  ")) }
        var size = winsize()
        let columns = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 3 ? Int(size.ws_col) : 80
        // The terminal itself writes "^C" behind the line, and wrapped it would leave the line standing.
        let width = columns - 3
        var line = String((pieces.first ?? "").prefix(width))
        for piece in pieces.dropFirst() {
            guard line.count + 2 + piece.count <= width else { break }
            line += "  " + piece
        }
        _ = Self.write("\r" + Self.plain(line) + "\u{1B}[K", to: 2)
        hasLiveLine = true
    }

    /// A file's name may hold what makes a terminal do things: control characters are shown as "?".
    static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\n" && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }

    /// - Returns: nil when all was written.
    private static func write(_ text: String, to descriptor: Int32) -> Errno? {
        var text = text
        return text.withUTF8 { bytes -> Errno? in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return Errno.last }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return nil
        }
    }
}
