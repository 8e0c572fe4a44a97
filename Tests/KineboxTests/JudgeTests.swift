import Glibc
import Judges
import Linux
import Media
import Testing

/// The judges themselves: they must be content with a good file, find the fault in a bad one, and read what was fed.
@Suite struct JudgeTests {
    private static func encode(_ picture: PictureFeed.Picture, into file: String) throws {
        let feed = try PictureFeed(picture)
        let ending = try ChildProcess(
            "ffmpeg",
            [
                "-v", "error", "-f", "yuv4mpegpipe", "-i", "-", "-f", "lavfi", "-i", "sine", "-shortest",
                "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-c:a", "aac", file,
            ], input: feed.input
        ).wait()
        #expect(ending.exitCode == 0, "\(ending)")
    }

    @Test func aGoodFileIsPraisedAndACutFileIsNot() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("good.mp4")
        try Self.encode(PictureFeed.Picture(count: 45), into: file)
        let whole = try FileDescriptor.open(file, O_RDWR)
        for judge in Judge.allCases {
            let verdict = try judge.verdict(on: file, audioTracks: 1)
            #expect(verdict.faults.isEmpty, "\(judge)")
            #expect(verdict.pictures ?? 45 == 45, "\(judge)")
            #expect(verdict.audioTracks ?? 1 == 1, "\(judge)")
        }
        try whole.truncate(to: Int64(whole.status().st_size) / 2)
        for judge in Judge.allCases {
            #expect(try !judge.verdict(on: file, audioTracks: 1).faults.isEmpty, "\(judge)")
        }
    }

    @Test func theNumbersThatWereFedAreReadBack() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("numbers.mp4")
        try Self.encode(PictureFeed.Picture(width: 160, height: 120, count: 40), into: file)
        let pictures = try DecodedPictures(of: file, width: 160, height: 120)
        #expect(pictures.numbers.map { $0.map(Int.init) } == Array(0..<40))
        #expect(pictures.faults.isEmpty)
        #expect(DecodedPictures.faults(in: [0, 1, 1, 3, nil, 5]).count == 3)
    }
}
