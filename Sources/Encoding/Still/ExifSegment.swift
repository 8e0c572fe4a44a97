import Glibc
import Media

/// The segment of a JPEG file that says what made it and when (Exif 2.32, CIPA DC-008, 4.6): the least that programs which
/// sort pictures look for.
enum ExifSegment {
    private static let maker = "Kinebox"
    /// Bytes of a directory entry.
    private static let entryByteCount = 12

    /// - Parameter time: seconds since 1970 (UTC); nil when not known.
    static func bytes(at time: Int64?) -> [UInt8] {
        let date = time.map(Self.date)
        var tiff = ByteWriter(reserving: 192)
        // Numbers with their highest byte first; the first directory follows at once.
        tiff.put(text: "MM")
        tiff.put16(42)
        tiff.put32(8)
        // Entries stand in the order of their tags.
        var main = [Entry(tag: 0x0131, .text(maker))]
        if let date { main.append(Entry(tag: 0x0132, .text(date))) }
        let place = 8 + size(of: main.count + 1) + main.reduce(0) { $0 + $1.extraByteCount }
        main.append(Entry(tag: 0x8769, .number(UInt32(place))))
        put(main, at: 8, into: &tiff)
        var picture = [Entry(tag: 0x9000, .version("0232"))]
        if let date {
            picture.append(Entry(tag: 0x9003, .text(date)))
            picture.append(Entry(tag: 0x9011, .text("+00:00")))
        }
        // The colours are those of sRGB, as of all JPEGs that say nothing else.
        picture.append(Entry(tag: 0xA001, .short(1)))
        put(picture, at: place, into: &tiff)
        var segment = ByteWriter(reserving: 256)
        segment.put16(0xFFE1)
        segment.put16(UInt16(2 + 6 + tiff.count))
        segment.put(text: "Exif\0\0")
        segment.put(tiff.bytes)
        return segment.bytes
    }

    /// "2026:11:30 11:03:00"
    static func date(_ time: Int64) -> String {
        var seconds = time_t(time)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900):\(digits(parts.tm_mon + 1)):\(digits(parts.tm_mday)) "
            + "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
    }

    private struct Entry {
        enum Value {
            /// Text with a zero at its end.
            case text(String)
            /// Four characters without one.
            case version(String)
            case short(UInt16)
            case number(UInt32)
        }

        let tag: UInt16
        let value: Value

        init(tag: UInt16, _ value: Value) {
            self.tag = tag
            self.value = value
        }

        /// Bytes that do not fit into the entry, padded to an even number.
        var extraByteCount: Int {
            guard case .text(let text) = value, text.utf8.count + 1 > 4 else { return 0 }
            return (text.utf8.count + 2) / 2 * 2
        }
    }

    private static func size(of entries: Int) -> Int { 2 + entries * entryByteCount + 4 }

    /// Puts a directory that begins at a place, and what its entries refer to behind it.
    private static func put(_ entries: [Entry], at place: Int, into writer: inout ByteWriter) {
        var extra = ByteWriter()
        let extraPlace = place + size(of: entries.count)
        writer.put16(UInt16(entries.count))
        for entry in entries {
            writer.put16(entry.tag)
            switch entry.value {
            case .text(let text):
                writer.put16(2)
                writer.put32(UInt32(text.utf8.count + 1))
                writer.put32(UInt32(extraPlace + extra.count))
                extra.put(text: text)
                extra.put(repeating: 0, count: entry.extraByteCount - text.utf8.count)
            case .version(let text):
                writer.put16(7)
                writer.put32(4)
                writer.put(text: text)
            case .short(let number):
                writer.put16(3)
                writer.put32(1)
                writer.put16(number)
                writer.put16(0)
            case .number(let number):
                writer.put16(4)
                writer.put32(1)
                writer.put32(number)
            }
        }
        writer.put32(0)
        writer.put(extra.bytes)
    }
}
