import Media

/// Checks the chapters of a file: their list, the track with their titles, and in our own files what the fragments say.
struct ChapterCheck {
    let file: MovieFile
    let log: FaultLog
    let movie: MovieLayout

    private var window: FileWindow { file.window }

    /// - Parameter expected: the chapters in the fragments of a finished file of ours; nil for other files.
    func check(expected: ChapterTable?) {
        let list = readList()
        checkReferences()
        guard let expected, movie.timescale == MovieBoxes.timescale else { return }
        let shown = expected.shown(before: Int64(clamping: movie.duration ?? 0))
        if list != shown.map({ Entry(time: $0.chapter.milliseconds * 10_000, title: $0.chapter.title) }) {
            log.report(
                .chapters,
                "the list of chapters names \(list.count), and is not what the fragments say, which have \(shown.count)"
            )
        }
        checkTrack(shown)
    }

    private struct Entry: Hashable {
        /// In units of 100 ns.
        var time: Int64
        var title: String
    }

    /// `chpl`.
    private func readList() -> [Entry] {
        guard let box = movie.box.firstChildren(["udta"], window)["udta"]?.firstChildren(["chpl"], window)["chpl"],
            let content = try? box.content(window)
        else { return [] }
        var reader = ByteReader(content)
        var entries: [Entry] = []
        guard let version = reader.take32(), version >> 24 == 0 || reader.skip(4), let count = reader.take8() else {
            log.report(.chapters, "\(box.name) ends within its first fields")
            return []
        }
        for number in 0..<Int(count) {
            guard let time = reader.take64(), let length = reader.take8(), let text = reader.take(Int(length)) else {
                log.report(.chapters, "\(box.name) says it has \(count) chapters, and ends within number \(number + 1)")
                return entries
            }
            let entry = Entry(time: Int64(min(time, 1 << 62)), title: String(decoding: text, as: UTF8.self))
            if let last = entries.last, entry.time < last.time {
                log.report(.chapters, "\(box.name): chapter \(number + 1) begins before the one in front of it")
            }
            entries.append(entry)
        }
        if reader.remaining > 0 {
            log.report(.chapters, "\(box.name) has \(reader.remaining) bytes behind its \(count) chapters")
        }
        return entries
    }

    private func checkReferences() {
        for track in movie.tracks {
            let references = track.box.firstChildren(["tref"], window)["tref"]?.firstChildren(["chap"], window)
            guard let box = references?["chap"], let content = try? box.content(window) else { continue }
            var reader = ByteReader(content)
            while let id = reader.take32() {
                guard id == track.id || !movie.tracks.contains(where: { $0.id == id }) else { continue }
                log.report(.chapters, "\(track.title): its chapters are said to be in track \(id), which cannot be")
            }
        }
    }

    private func checkTrack(_ shown: [ChapterTable.Entry]) {
        guard let track = movie.tracks.first(where: { $0.handler == "text" }) else {
            if !shown.isEmpty { log.report(.chapters, "there are \(shown.count) chapters and no track with them") }
            return
        }
        guard var samples = try? TableSampleCursor(file.descriptor.raw, track.tables) else { return }
        var count = 0
        while let sample = try? samples.next() {
            guard count < shown.count, sample.time == shown[count].chapter.milliseconds,
                sample.offset == shown[count].place, sample.size == Int64(shown[count].byteCount)
            else {
                return log.report(
                    .chapters, "\(track.title), sample \(count + 1): it is not the chapter that the fragments have")
            }
            count += 1
        }
        if count < shown.count {
            log.report(.chapters, "\(track.title) has \(count) chapters of the \(shown.count) that the fragments have")
        }
    }
}
