import Judges
import Media
import Testing

@testable import MP4

@Suite("Chapters and texts about a recording")
struct ChapterTests {
    let folder = TemporaryFolder(isInMemory: true)
    static let chapters = [
        Chapter(milliseconds: 0, title: "Chapter 1"), Chapter(milliseconds: 600, title: "Chapter 2"),
        Chapter(milliseconds: 800, title: "Herz & Kreislauf"), Chapter(milliseconds: 1700, title: "Fragen"),
    ]

    private func streams() throws -> [EncodedStream] { [try .video(frames: 60), try .audio(seconds: 2)] }

    /// What ffprobe reads: a line for each chapter and each text.
    private func probe(_ path: String) throws -> [String] {
        let ending = try ChildProcess(
            "ffprobe",
            [
                "-v", "warning", "-of", "compact=p=0:nk=1", "-show_entries",
                "chapter=start_time,end_time:chapter_tags=title:format_tags=title,artist,comment,date,encoder", path,
            ]
        ).wait()
        #expect(ending.complaintsOfProbe == [])
        return ending.text.split(separator: "\n").map(String.init)
    }

    @Test("are read by ffprobe in a file that was finished, and in one that was recovered, which is the same")
    func read() throws {
        let (path, other) = (folder.file("a.mp4"), folder.file("b.mp4"))
        let part = try Recorded.described(try streams(), at: path, session: .fixed)
        let size = part.finalByteCount
        let summary = try part.finalise()
        #expect(summary.chapters == Self.chapters && summary.byteCount == size)
        let expected = [
            "0.000000|0.600000|Chapter 1", "0.600000|0.800000|Chapter 2", "0.800000|1.700000|Herz & Kreislauf",
            "1.700000|2.027000|Fragen",
        ]
        let lines = try probe(path)
        #expect(lines.prefix(4).elementsEqual(expected) || lines.suffix(4).elementsEqual(expected), "\(lines)")
        #expect(lines.joined().contains("Anatomie \u{2013} 4"))
        #expect(lines.joined().contains("Dr. Ö"))
        #expect(lines.joined().contains("2027-01-15T08:00:00Z"))
        try Recorded.described(try streams(), at: other, session: .fixed)
        guard case .finished = try Recovery.recover(path: other) else {
            Issue.record("it was not finished")
            return
        }
        #expect(contents(of: path) == contents(of: other))
    }

    @Test("do not disturb any reader", arguments: Judge.allCases)
    func judged(_ judge: Judge) throws {
        let path = folder.file("a.mp4")
        try Recorded.described(try streams(), at: path)
        let unfinished = try judge.verdict(on: path, audioTracks: 1)
        #expect(unfinished.faults == [] && unfinished.pictures.map { $0 == 60 } ?? true)
        guard case .finished = try Recovery.recover(path: path) else {
            Issue.record("it was not finished")
            return
        }
        let finished = try judge.verdict(on: path, audioTracks: 1)
        #expect(finished.faults == [])
        #expect(finished.pictures.map { $0 == 60 } ?? true)
        #expect(finished.audioTracks.map { $0 == 1 } ?? true)
    }

    @Test("of a file that a cut left are those of its whole fragments")
    func cut() throws {
        let path = folder.file("a.mp4")
        let part = try Recorded.described(try streams(), at: path)
        let whole = contents(of: path)
        #expect(part.hasFrame)
        let second = try #require(BoxTree(bytes: whole).boxes().last { $0.type == "moof" })
        write(Array(whole[..<(second.end + 20)]), to: folder.file("b.mp4"))
        guard case .finished = try Recovery.recover(path: folder.file("b.mp4")) else {
            Issue.record("it was not finished")
            return
        }
        let chapters = try probe(folder.file("b.mp4")).filter { $0.contains("Chapter") || $0.contains("|Herz") }
        #expect(chapters.count == 3)
        #expect(try Checker.check(path: folder.file("b.mp4")).faults == [])
    }

    @Test("there is no track for them where there are none, and what begins at the end is left out")
    func none() throws {
        let path = folder.file("a.mp4")
        #expect(try Recorded.finished(try streams(), at: path).chapters == [])
        #expect(BoxTree(bytes: contents(of: path)).box("moov", "udta", "chpl") == nil)
        let late = folder.file("late.mp4")
        let marks = [[("Far behind the end", Int64(5_000_000_000))]]
        let shown = try Recorded.described(try streams(), at: late, marks: marks).finalise().chapters
        #expect(shown == [Chapter(milliseconds: 0, title: "Chapter 1")])
        #expect(try Checker.check(path: late).faults == [])
        let assembler = FragmentAssembler(tracks: try streams().map(\.track))
        for _ in 0..<400 { assembler.beginChapter("a", at: 0) }
        #expect(!assembler.beginChapter("one too many", at: 0))
    }

    @Test("titles are one line, and short enough for every reader")
    func titles() {
        #expect(Chapter(milliseconds: 0, title: "a\nb\r\n\tc\0").title == "a b  c ")
        let long = Chapter(milliseconds: 0, title: String(repeating: "ö", count: 300)).title
        #expect(long.utf8.count == 200 && long.allSatisfy { $0 == "ö" })
        let family = String(repeating: "👨‍👩‍👧", count: 12)
        #expect(Chapter(milliseconds: 0, title: family).title.allSatisfy { $0 == "👨‍👩‍👧" })
    }

    @Test(
        "the day of a recording",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_800_000_000, "2027-01-15T08:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
        ])
    func day(_ seconds: UInt64, _ text: String) {
        #expect(MetadataBoxes.date(seconds + 2_082_844_800) == text)
    }
}
