import Media

/// What people say of a recording, in the form that iTunes gave it and all players read: `udta/meta/ilst`.
enum MetadataBoxes {
    /// The most bytes of one text.
    static let mostBytes = 1000
    private static let tool = "Kinebox"

    /// `udta` of a movie.
    /// - Parameters:
    ///   - metadata: texts that are empty are left out.
    ///   - creation: seconds since 1904, 0 when not known.
    ///   - chapters: of a finished file.
    static func userData(
        _ metadata: RecordingMetadata, creation: UInt64, chapters: [ChapterTable.Entry] = []
    ) -> [UInt8] {
        var writer = ByteWriter(reserving: 256)
        writer.put(box: "udta") { udta in
            if !chapters.isEmpty { ChapterBoxes.putList(chapters, into: &udta) }
            udta.put(fullBox: "meta") { meta in
                meta.put(fullBox: "hdlr") { box in
                    box.put32(0)
                    box.put32(BoxType("mdir").code)
                    box.put32(BoxType("appl").code)
                    box.put(repeating: 0, count: 9)
                }
                meta.put(box: "ilst") { list in
                    put("©nam", metadata.title, into: &list)
                    put("©ART", metadata.author, into: &list)
                    put("©cmt", metadata.comment, into: &list)
                    if creation > 0 { put("©day", date(creation), into: &list) }
                    put("©too", tool, into: &list)
                }
            }
        }
        return writer.bytes
    }

    private static func put(_ type: BoxType, _ text: String, into writer: inout ByteWriter) {
        let text = text.text(ofAtMost: mostBytes)
        guard !text.isEmpty else { return }
        writer.put(box: type) { item in
            item.put(box: "data") { data in
                // The kind of the value, UTF-8, and no language.
                data.put32(1)
                data.put32(0)
                data.put(text: text)
            }
        }
    }

    /// Reads back what `userData` wrote in a movie box.
    static func read(_ window: FileWindow, in movie: BoxHeader) -> RecordingMetadata {
        var metadata = RecordingMetadata()
        guard let udta = movie.firstChildren(["udta"], window)["udta"],
            let meta = udta.firstChildren(["meta"], window)["meta"],
            let list = meta.firstChildren(["ilst"], window, skipping: 4)["ilst"]
        else { return metadata }
        let items = list.firstChildren(["©nam", "©ART", "©cmt"], window)
        metadata.title = text(window, of: items["©nam"])
        metadata.author = text(window, of: items["©ART"])
        metadata.comment = text(window, of: items["©cmt"])
        return metadata
    }

    private static func text(_ window: FileWindow, of item: BoxHeader?) -> String {
        guard let data = item?.firstChildren(["data"], window)["data"], data.payloadSize >= 8,
            data.payloadSize <= Int64(mostBytes) + 8, let bytes = try? data.content(window)
        else { return "" }
        return String(decoding: bytes.dropFirst(8), as: UTF8.self)
    }

    /// "2026-11-30T11:03:00Z". Days are counted in eras of 400 years, which begin on the first of March.
    static func date(_ creation: UInt64) -> String {
        let seconds = Int64(clamping: creation) - 2_082_844_800
        let (days, second) = (seconds / 86_400, seconds % 86_400)
        let shifted = days + 719_468
        let (era, ofEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let dayOfYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        let year = era * 400 + yearOfEra + (civilMonth <= 2 ? 1 : 0)
        func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(digits(civilMonth))-\(digits(day))T\(digits(second / 3600)):\(digits(second / 60 % 60)):"
            + "\(digits(second % 60))Z"
    }
}

extension String {
    /// The text without characters that no text has, cut off between two characters where it is longer than a number of
    /// bytes. Lines stay lines.
    fileprivate func text(ofAtMost byteCount: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.description.line(ofAtMost: byteCount) }
            .joined(separator: "\n").prefix(bytes: byteCount)
    }

    private func prefix(bytes: Int) -> String {
        var text = self
        while text.utf8.count > bytes { text.removeLast() }
        return text
    }
}
