import Glibc
import Judges
import MP4
import Media
import Recorder
import Storage
import Testing

@testable import kinebox

/// The folder of a medium, as the daemon uses it.
@Suite struct RecordingFolderTests {
    private func folder(_ path: String) throws -> RecordingFolder {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return RecordingFolder(
            medium: "STICK", place: MediumPlace(folder: path, number: UInt64(status.st_dev)), path: path)
    }

    @Test func namesThatNotEveryMediumTakesAreRefusedBeforeAnythingIsAsked() {
        for name in ["talk", "Anatomy, lecture 4", "Übung.mp4", "a.b", String(repeating: "x", count: 200)] {
            #expect(throws: Never.self, "\(name)") { try RecordingFolder.check(name) }
        }
        let wrong = [
            "", ".mp4", ".hidden", " talk", "talk ", "talk.", "a/b", "../a", "a:b", "a\\b", "what?", "a*", "a\"b",
            "<a>", "a|b",
            "a\nb", "a\u{7f}b", "CON", "nul.mp4", "Com1", String(repeating: "x", count: 201),
        ]
        for name in wrong {
            #expect(throws: Failure.self, "\(name)") { try RecordingFolder.check(name) }
        }
    }

    @Test func aNameThatIsThereIsRefusedAndAContinuationGetsANumber() throws {
        let scratch = try TemporaryFolder()
        let folder = try folder(scratch.path)
        #expect(try folder.name("talk", prefix: "").path(ofPart: 1) == scratch.file("talk.mp4"))
        for name in ["talk.mp4", "talk_2.mp4"] { close(open(scratch.file(name), O_CREAT | O_WRONLY, 0o644)) }
        let refused = #expect(throws: Failure.self) { try folder.name("talk", prefix: "") }
        #expect(refused?.kind == .fileExists)
        let name = try folder.name("talk.mp4", prefix: "", isContinuation: true)
        #expect(name.path(ofPart: 1) == scratch.file("talk_3.mp4"))
    }

    @Test func nothingIsPutWhereNoMediumIsMounted() throws {
        let scratch = try TemporaryFolder()
        var folder = try folder(scratch.path)
        folder.place.number += 1
        let refused = #expect(throws: Failure.self) { try folder.name(nil, prefix: "") }
        #expect(refused?.kind == .noMedium)
    }

    @Test func clipsAreListedPartByPartAndPageByPage() throws {
        let scratch = try TemporaryFolder()
        for name in ["one", "two", "three"] {
            let ending = try Kinebox.run(
                "record", "--video", "test", "--size", "160x120", "--rate", "10", "--audio", "none", "--duration",
                "0.3",
                "--preset", "ultrafast", scratch.file("\(name).mp4"))
            try #require(ending.exitCode == 0, "\(ending)")
        }
        try #require(rename(scratch.file("two.mp4"), scratch.file("one_part02.mp4")) == 0)
        let folder = try folder(scratch.path)
        let page = try RecordingFolder.page(of: [folder], behind: nil, limit: 1).get()
        let first = try #require(page.clips.first)
        #expect(page.clips.count == 1 && page.next == first.path)
        let rest = try RecordingFolder.page(of: [folder], behind: page.next, limit: 5).get()
        #expect(rest.clips.count == 1 && rest.next == nil)
        let all = page.clips + rest.clips
        let two = try #require(all.first { $0.path.hasSuffix("one.mp4") })
        #expect(two.partCount == 2 && two.isWhole)
        let length = try #require(two.duration)
        #expect(abs(length - 600_000_000) <= 200_000_000, "both parts: \(length) ns")
        let none = try RecordingFolder.page(of: [], behind: nil, limit: 5).get()
        #expect(none.clips.isEmpty && none.next == nil)
    }

    @Test func whatIsToGoOnAfterAPowerCutIsReadAsItWasWritten() throws {
        let scratch = try TemporaryFolder()
        let kept = InterruptedRecording(at: scratch.file("interrupted"))
        #expect(kept.read() == nil)
        let all = StartRequest(
            name: "a = b # c", metadata: RecordingMetadata(title: "Ü \\", author: " x ", comment: "line\nline"),
            duration: 90_000_000_000, medium: "STICK")
        try kept.write(all)
        let read = try #require(kept.read())
        #expect(read.name == all.name && read.duration == all.duration && read.medium == all.medium)
        #expect(read.metadata.title == "Ü \\" && read.metadata.author == " x " && read.metadata.comment == "line line")
        try kept.write(StartRequest())
        #expect(kept.read() == StartRequest())
        kept.remove()
        #expect(kept.read() == nil)
    }
}
