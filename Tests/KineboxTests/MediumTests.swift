import Glibc
import Judges
import Linux
import Testing

/// Where nothing can be written, nothing is begun; where the room ends, the file is finished.
@Suite struct MediumTests {
    /// A file system in memory that goes with its owner.
    final class SmallMedium {
        let folder: TemporaryFolder
        var path: String { folder.path }

        init(megabytes: Int, readOnly: Bool = false) throws {
            folder = try TemporaryFolder()
            let options = "size=\(megabytes)m" + (readOnly ? ",ro" : "")
            let mounting = try ChildProcess("mount", ["-t", "tmpfs", "-o", options, "kinebox", folder.path]).wait()
            try #require(mounting.exitCode == 0, "\(mounting)")
        }

        deinit {
            umount2(folder.path, Int32(MNT_DETACH))
        }
    }

    private static let mayMount = geteuid() == 0

    @Test func aFolderThatDoesNotExistIsNamed() throws {
        let folder = try TemporaryFolder()
        let ending = try Kinebox.run("record", "--video", "test", folder.file("absent/never.mp4"))
        #expect(ending.exitCode == 4, "\(ending)")
        expectOneSentence(ending, naming: folder.file("absent"))
        #expect(folder.names.isEmpty)
    }

    @Test func aFileThatExistsIsNotTouched() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("dear.mp4")
        let dear = Array("my only copy".utf8)
        try create(file, dear)
        let ending = try Kinebox.run("record", "--video", "test", "--duration", "1", file)
        #expect(ending.exitCode == 1, "\(ending)")
        expectOneSentence(ending, naming: file)
        #expect(folder.names == ["dear.mp4"])
        #expect(try content(of: file) == dear)
    }

    @Test(.enabled(if: mayMount, "mounting needs root"))
    func aReadOnlyMediumIsNamed() throws {
        let medium = try SmallMedium(megabytes: 1, readOnly: true)
        let ending = try Kinebox.run("record", "--video", "test", "\(medium.path)/never.mp4")
        #expect(ending.exitCode == 4, "\(ending)")
        expectOneSentence(ending, naming: medium.path)
        #expect(medium.folder.names.isEmpty)
    }

    @Test(.enabled(if: mayMount, "mounting needs root"))
    func aFullMediumIsNamed() throws {
        let medium = try SmallMedium(megabytes: 1)
        let filling = try ChildProcess("sh", ["-c", "cat /dev/zero >'\(medium.path)/filler'"]).wait()
        try #require(filling.exitCode != 0)
        let ending = try Kinebox.run("record", "--video", "test", "\(medium.path)/never.mp4")
        #expect(ending.exitCode == 4, "\(ending)")
        expectOneSentence(ending, naming: medium.path)
        #expect(medium.folder.names == ["filler"])
    }

    @Test(.enabled(if: mayMount, "mounting needs root"))
    func aMediumThatFillsKeepsAFinishedFile() throws {
        let medium = try SmallMedium(megabytes: 2)
        let file = "\(medium.path)/filling.mp4"
        let picture = PictureFeed.Picture(width: 640, height: 360, count: 9000)
        let ending = try Kinebox.record(
            picture, ["--audio", "tone", "--bitrate", "800k", "--preset", "ultrafast", file])
        #expect(ending.exitCode == 4, "\(ending)")
        expectOneSentence(ending, naming: medium.path)
        #expect(medium.folder.names == ["filling.mp4"])
        let check = try Kinebox.run("check", file)
        #expect(check.exitCode == 0, "\(check)")
        let pictures = try DecodedPictures(of: file, width: 640, height: 360)
        #expect(pictures.numbers.first == 0)
        #expect(pictures.numbers.count > 30)
        #expect(pictures.faults.isEmpty)
        #expect(try Judge.fullDecode.verdict(on: file, audioTracks: 1).faults.isEmpty)
    }
}
