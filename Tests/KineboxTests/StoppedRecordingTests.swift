import Glibc
import Judges
import Linux
import Media
import Testing

/// A stop is exact: the last picture in the file is the last one that was captured, and nothing comes after it.
@Suite struct StoppedRecordingTests {
    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalEndsTheFileWithThePictureThatCameLast(_ signal: Int32) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("stopped.mp4")
        let feed = try PictureFeed(PictureFeed.Picture(width: 160, height: 120, count: 3600), isLive: true)
        let recording = try Kinebox.start(["record", "--video", "-", "--audio", "tone", file], input: feed.input)
        while feed.pictures < 40, recording.isRunning { usleep(5000) }
        let before = feed.pictures
        recording.send(signal)
        let ending = recording.wait()
        let after = feed.pictures
        try #require(ending.exitCode == 0, "\(ending)")
        let pictures = try DecodedPictures(of: file, width: 160, height: 120)
        #expect(pictures.numbers.first == 0)
        #expect(pictures.faults.isEmpty)
        // The picture that was in the pipe when the signal came may belong to either side.
        #expect(Int64(pictures.numbers.count) >= before - 1)
        #expect(Int64(pictures.numbers.count) <= after)
        let check = try Kinebox.run("check", file)
        #expect(check.exitCode == 0, "\(check)")
    }

    @Test func aDurationEndsTheFileOnThePicture() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("ten.mp4")
        let ending = try Kinebox.run(
            "record", "--video", "test", "--audio", "tone", "--size", "320x240", "--rate", "25", "--duration", "2", file
        )
        try #require(ending.exitCode == 0, "\(ending)")
        #expect(ending.text.contains(file), "\(ending)")
        let pictures = try DecodedPictures(of: file, width: 320, height: 240)
        #expect(pictures.numbers.count == 50)
        #expect(pictures.numbers.first == 0)
        #expect(pictures.faults.isEmpty)
    }

    @Test func aSecondSignalLeavesAtOnceAndTheFileCanBeRecovered() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("left.mp4")
        let feed = try PictureFeed(PictureFeed.Picture(width: 160, height: 120, count: 3600), isLive: true)
        let recording = try Kinebox.start(["record", "--video", "-", "--audio", "none", file], input: feed.input)
        while feed.pictures < 60, recording.isRunning { usleep(5000) }
        recording.send(SIGINT)
        recording.send(SIGTERM)
        let ending = recording.wait()
        // The recording may be finished before the second signal is looked at.
        #expect(ending.exitCode == 0 || ending.exitCode == 1, "\(ending)")
        let recovery = try Kinebox.run("recover", file)
        #expect(recovery.exitCode == 0, "\(recovery)")
        let pictures = try DecodedPictures(of: file, width: 160, height: 120)
        #expect(pictures.numbers.first == 0)
        #expect(pictures.faults.isEmpty)
        let check = try Kinebox.run("check", file)
        #expect(check.exitCode == 0, "\(check)")
    }

    @Test func aFolderGetsNamesThatNeverMeet() throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let picture = PictureFeed.Picture(width: 160, height: 120, count: 5)
            let ending = try Kinebox.record(picture, ["--audio", "none", folder.path])
            try #require(ending.exitCode == 0, "\(ending)")
        }
        #expect(folder.names.count == 2)
        #expect(folder.names.allSatisfy { $0.hasSuffix(".mp4") })
    }
}
