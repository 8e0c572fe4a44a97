/// The chapters of a part, with the place of each title in the file.
struct ChapterTable {
    /// A chapter, and where its title is a text sample.
    struct Entry: Hashable {
        var chapter: Chapter
        var place: Int64
        var byteCount: Int
    }

    /// In the order of their times.
    private(set) var entries: [Entry] = []

    /// Whether chapters can follow those that are there.
    func accepts(_ chapters: [Chapter]) -> Bool {
        guard let first = chapters.first else { return true }
        return entries.count + chapters.count <= Chapter.mostInPart
            && (entries.last.map { $0.chapter.milliseconds < first.milliseconds } ?? true)
    }

    /// Puts the chapters of a fragment behind the others.
    /// - Parameter record: where the box with them begins in the file.
    mutating func append(_ chapters: [Chapter], record: Int64) {
        for (chapter, offset) in zip(chapters, ChapterRecord.sampleOffsets(of: chapters)) {
            entries.append(
                Entry(
                    chapter: chapter, place: record + Int64(offset),
                    byteCount: ChapterRecord.sampleByteCount(of: chapter)))
        }
    }

    /// Takes the chapters away whose titles lie behind a place.
    mutating func shorten(to place: Int64) {
        while let last = entries.last, last.place >= place { entries.removeLast() }
    }

    /// Those that begin before the part ends.
    func shown(before milliseconds: Int64) -> [Entry] { Array(entries.prefix(shownCount(before: milliseconds))) }

    /// How many begin before the part ends.
    func shownCount(before milliseconds: Int64) -> Int {
        entries.firstIndex { $0.chapter.milliseconds >= milliseconds } ?? entries.count
    }
}
