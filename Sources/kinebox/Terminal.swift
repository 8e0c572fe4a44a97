import Glibc
import Linux

/// Standard output for results, standard error for everything else.
struct Terminal {
    /// Whether standard error is a terminal, so that a line can be written over.
    let isInteractive = isatty(2) == 1
    private var hasLiveLine = false

    /// A result.
    mutating func print(_ text: String) {
        if hasLiveLine { Self.write("\r\u{1B}[K", to: 2) }
        hasLiveLine = false
        Self.write(text + "\n", to: 1)
    }

    /// A message.
    mutating func tell(_ text: String) {
        Self.write((hasLiveLine ? "\r\u{1B}[K" : "") + text + "\n", to: 2)
        hasLiveLine = false
    }

    /// Writes one line over the one before, cut to the terminal's width.
    mutating func show(live text: String) {
        var size = winsize()
        let width = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) - 1 : 79
        Self.write("\r" + String(text.prefix(width)) + "\u{1B}[K", to: 2)
        hasLiveLine = true
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                // Nobody reads any more: there is nobody left to tell.
                if count <= 0 { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
