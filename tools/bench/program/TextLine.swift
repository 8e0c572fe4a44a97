import Glibc
import Linux

/// A line of a long text, as bytes: what the kernel writes is read in milliseconds so.
struct TextLine {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Whether the line begins with a text.
    func starts(with text: StaticString) -> Bool {
        guard let base = bytes.baseAddress, bytes.count >= text.utf8CodeUnitCount else { return false }
        return memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Whether a text is in the line.
    func has(_ text: StaticString) -> Bool {
        place(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) != nil
    }

    /// The whole number right behind the first place where a text is.
    func number(after text: String) -> Int? {
        var text = text
        let behind = text.withUTF8 { name in place(of: UnsafeRawBufferPointer(name)).map { $0 + name.count } }
        guard let start = behind else { return nil }
        return Self.number(bytes[start...].prefix { Self.isDigit($0) })
    }

    /// The seconds with six places that stand right before the first place where a text is.
    func seconds(before text: StaticString) -> Double? {
        let text = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard let end = place(of: text) else { return nil }
        let digits = bytes[..<end].reversed().prefix { Self.isDigit($0) || $0 == 0x2E }
        guard let number = Self.number(digits.reversed().filter { $0 != 0x2E }) else { return nil }
        return Double(number) / 1e6
    }

    /// The number of a line such as "Private_Dirty:       120 kB"; nil for a line that does not begin with the name.
    func kilobytes(named name: StaticString) -> Int64? {
        guard starts(with: name) else { return nil }
        return Self.number(bytes[name.utf8CodeUnitCount...].drop { $0 == 0x20 }.prefix { Self.isDigit($0) }).map(
            Int64.init)
    }

    /// Whether the line is the head of a mapping in `/proc/PID/smaps`: it begins with an address.
    var isMapping: Bool {
        guard let first = bytes.first else { return false }
        return Self.isDigit(first) || (0x61...0x66).contains(first)
    }

    private func place(of text: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, let wanted = text.baseAddress, let first = text.first else { return nil }
        var start = 0
        while bytes.count - start >= text.count,
            let found = memchr(base + start, Int32(first), bytes.count - start - text.count + 1)
        {
            if memcmp(found, wanted, text.count) == 0 { return UnsafeRawPointer(found) - base }
            start = UnsafeRawPointer(found) - base + 1
        }
        return nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        digits.isEmpty ? nil : digits.reduce(0) { $0 &* 10 &+ Int($1 &- 0x30) }
    }
}

/// The lines of a file that may be longer than what memory should hold.
enum TextLines {
    /// Calls `body` with each line, without its end.
    /// - Throws: `Errno`.
    static func each(of path: String, _ body: (TextLine) -> Void) throws(Errno) {
        let file = try FileDescriptor.open(path, O_RDONLY)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        var kept = 0
        while true {
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept...]))
            let text = UnsafeRawBufferPointer(rebasing: buffer[..<(kept + count)])
            var start = 0
            while let end = text[start...].firstIndex(of: 0x0A) {
                body(TextLine(UnsafeRawBufferPointer(rebasing: text[start..<end])))
                start = end + 1
            }
            guard count > 0, start > 0 || text.count < buffer.count else { return }
            kept = text.count - start
            if let base = buffer.baseAddress { memmove(base, base + start, kept) }
        }
    }
}
