import Glibc
import Judges
import Media
import Storage
import Testing

@Suite("Names of recordings")
struct RecordingNameTests {
    /// A new empty folder that goes with the test.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder.path)
    }

    private func failure(_ path: String) -> Failure? {
        do throws(Failure) {
            _ = try RecordingName(for: path, at: 0, isSynchronised: true)
            return nil
        } catch {
            return error
        }
    }

    @Test("a file keeps its name and its parts count up")
    func file() throws {
        try withFolder { folder in
            let name = try RecordingName(for: "\(folder)/talk.mp4", at: 0, isSynchronised: true)
            #expect(name.path(ofPart: 1) == "\(folder)/talk.mp4")
            #expect(name.path(ofPart: 2) == "\(folder)/talk_part02.mp4")
            #expect(name.path(ofPart: 123) == "\(folder)/talk_part123.mp4")
        }
    }

    @Test("a folder gets a name from date, time and the first free counter")
    func folder() throws {
        try withFolder { folder in
            setenv("TZ", "UTC", 1)
            let first = try RecordingName(for: folder + "/", at: 1_790_000_000, isSynchronised: true)
            #expect(first.path(ofPart: 1) == "\(folder)/2026-09-21_14-13-20_0001.mp4")
            let file = open(first.path(ofPart: 1), O_CREAT | O_WRONLY, 0o644)
            close(file)
            let second = try RecordingName(for: folder, at: 1_790_000_000, isSynchronised: false)
            #expect(second.path(ofPart: 1) == "\(folder)/unsynchronised_2026-09-21_14-13-20_0001.mp4")
            let third = try RecordingName(for: folder, at: 1_790_000_000, isSynchronised: true)
            #expect(third.path(ofPart: 1) == "\(folder)/2026-09-21_14-13-20_0002.mp4")
        }
    }

    @Test(
        "a name chosen for a folder is followed by the next free one when another recording takes it; a given one is not"
    )
    func takenMeanwhile() throws {
        try withFolder { folder in
            let chosen = try RecordingName(for: folder, at: 1_790_000_000, isSynchronised: true)
            close(open(chosen.path(ofPart: 1), O_CREAT | O_WRONLY, 0o644))
            let other = try #require(chosen.another())
            #expect(other.path(ofPart: 1) == chosen.path(ofPart: 1).replacing("_0001.mp4", with: "_0002.mp4"))
            let given = try RecordingName(for: "\(folder)/talk.mp4", at: 0, isSynchronised: true)
            #expect(given.another() == nil)
        }
    }

    @Test("a name that leaves no room for those of further parts is refused at once")
    func longName() throws {
        try withFolder { folder in
            let room = 255 - "_part9999.mp4".utf8.count
            let longest = String(repeating: "x", count: room)
            let name = try RecordingName(for: "\(folder)/\(longest).mp4", at: 0, isSynchronised: true)
            let file = open(name.path(ofPart: 9999), O_CREAT | O_WRONLY, 0o644)
            #expect(file >= 0)
            close(file)
            #expect(failure("\(folder)/\(longest)x.mp4")?.kind == .invalidName)
        }
    }

    @Test("a name in the present folder and one in the root folder are paths")
    func plainNames() throws {
        let here = try RecordingName(for: "surely-absent.mp4", at: 0, isSynchronised: true)
        #expect(here.path(ofPart: 1) == "surely-absent.mp4")
        #expect(here.folder == ".")
        let root = try RecordingName(for: "/surely-absent.MP4", at: 0, isSynchronised: true)
        #expect(root.path(ofPart: 2) == "/surely-absent_part02.MP4")
    }

    @Test("what exists, what is no MP4 name and what has no folder is refused")
    func refusals() throws {
        try withFolder { folder in
            let file = open("\(folder)/there.mp4", O_CREAT | O_WRONLY, 0o644)
            close(file)
            #expect(failure("\(folder)/there.mp4")?.kind == .fileExists)
            #expect(failure("\(folder)/film.avi")?.kind == .invalidName)
            #expect(failure("\(folder)/.mp4")?.kind == .invalidName)
            #expect(failure("\(folder)/absent/film.mp4")?.kind == .noMedium)
            #expect(failure("\(folder)/absent/")?.kind == .noMedium)
            #expect(failure("\(folder)/there.mp4/film.mp4")?.kind == .noMedium)
        }
    }
}
