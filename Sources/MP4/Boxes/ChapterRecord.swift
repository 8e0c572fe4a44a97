import Media

/// The chapters that begin in a fragment, as the last box of its `moof`: there from the moment at which the fragment is on
/// the medium. `docs/file-format.md` has each byte.
///
/// Each title is stored as a QuickTime text sample, so that the chapter track of the finished file needs no bytes of its
/// own: its samples are these.
enum ChapterRecord {
    /// "kinebox.chapters"
    static let userType = Identifier(high: 0x6B69_6E65_626F_782E, low: 0x6368_6170_7465_7273)
    /// Bytes in front of the first chapter.
    private static let headerByteCount = 28
    /// Says that a text is UTF-8: the box 'encd' with the encoding 0x100.
    private static let encoding: [UInt8] = [0, 0, 0, 12, 0x65, 0x6E, 0x63, 0x64, 0, 0, 1, 0]

    /// Bytes of the box; 0 without chapters.
    static func byteCount(of chapters: [Chapter]) -> Int {
        chapters.isEmpty ? 0 : chapters.reduce(headerByteCount) { $0 + 8 + sampleByteCount(of: $1) }
    }

    /// Bytes of a title as a sample.
    static func sampleByteCount(of chapter: Chapter) -> Int { 2 + chapter.title.utf8.count + encoding.count }

    /// Where the titles' samples begin, in bytes from the start of the box.
    static func sampleOffsets(of chapters: [Chapter]) -> [Int] {
        var place = headerByteCount
        return chapters.map { chapter in
            let offset = place + 8
            place = offset + sampleByteCount(of: chapter)
            return offset
        }
    }

    /// Puts the box, if there are chapters.
    static func put(_ chapters: [Chapter], into writer: inout ByteWriter) {
        guard !chapters.isEmpty else { return }
        writer.put(box: .uuid) { box in
            box.put(userType)
            box.put32(1 << 24)
            for chapter in chapters {
                box.put64(UInt64(clamping: chapter.milliseconds))
                box.put16(UInt16(clamping: chapter.title.utf8.count))
                box.put(text: chapter.title)
                box.put(encoding)
            }
        }
    }

    /// Reads the content of the box, behind size and type.
    /// - Returns: nil when it is not as the writer writes it.
    static func read(_ content: ByteReader) -> [Chapter]? {
        var reader = content
        guard reader.takeIdentifier() == userType, reader.take32() == 1 << 24, reader.remaining > 0 else { return nil }
        var chapters: [Chapter] = []
        while reader.remaining > 0 {
            guard let time = reader.take64(), time <= UInt64(Int64.max / 1_000_000), let length = reader.take16(),
                let text = reader.take(Int(length)), let end = reader.take(encoding.count), end.elementsEqual(encoding),
                let title = String(validating: text, as: UTF8.self), chapters.count < Chapter.mostInPart
            else { return nil }
            let chapter = Chapter(milliseconds: Int64(time), title: title)
            guard chapter.title == title, time > (chapters.last?.milliseconds).map(UInt64.init) ?? 0 || chapters.isEmpty
            else { return nil }
            chapters.append(chapter)
        }
        return chapters
    }
}
