import Judges
import Media
import Testing

/// Five readers that we did not write find no fault in what Kinebox records, and the pictures and the sound that went in
/// come out.
@Suite struct JudgedRecordingTests {
    struct Recording: Sendable, CustomTestStringConvertible {
        var width: Int
        var height: Int
        var rate: (Int64, Int64)
        var pictures: Int64
        var audioTracks: Int

        init(_ width: Int, _ height: Int, _ rate: (Int64, Int64), pictures: Int64, audioTracks: Int) {
            self.width = width
            self.height = height
            self.rate = rate
            self.pictures = pictures
            self.audioTracks = audioTracks
        }

        var testDescription: String {
            "\(pictures) pictures of \(width)x\(height) at \(rate.0)/\(rate.1), \(audioTracks) audio tracks"
        }
    }

    @Test(arguments: [
        Recording(160, 120, (1, 1), pictures: 4, audioTracks: 1),
        Recording(640, 360, (2, 1), pictures: 7, audioTracks: 0),
        Recording(1366, 768, (30_000, 1001), pictures: 65, audioTracks: 2),
        Recording(320, 240, (30, 1), pictures: 1, audioTracks: 1),
        Recording(1920, 1080, (30, 1), pictures: 40, audioTracks: 1),
        Recording(1296, 972, (50, 1), pictures: 60, audioTracks: 0),
        Recording(1280, 720, (60_000, 1001), pictures: 70, audioTracks: 1),
        Recording(320, 240, (60, 1), pictures: 250, audioTracks: 2),
    ])
    func everyReaderFindsItWithoutFault(_ recording: Recording) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("judged.mp4")
        let rate = try #require(FrameRate(recording.rate.0, recording.rate.1))
        let picture = PictureFeed.Picture(
            width: recording.width, height: recording.height, rate: rate, count: recording.pictures)
        let sound = recording.audioTracks == 0 ? ["none"] : Array(repeating: "tone", count: recording.audioTracks)
        let ending = try Kinebox.record(picture, sound.flatMap { ["--audio", $0] } + ["--preset", "superfast", file])
        try #require(ending.exitCode == 0, "\(ending)")
        #expect(folder.names == ["judged.mp4"])

        for judge in Judge.allCases {
            let verdict = try judge.verdict(on: file, audioTracks: recording.audioTracks)
            #expect(verdict.faults.isEmpty, "\(judge)")
            #expect(verdict.pictures ?? Int(recording.pictures) == Int(recording.pictures), "\(judge)")
            #expect(verdict.audioTracks ?? recording.audioTracks == recording.audioTracks, "\(judge)")
        }
        let check = try Kinebox.run("check", file)
        #expect(check.exitCode == 0, "\(check)")
        let pictures = try DecodedPictures(of: file, width: recording.width, height: recording.height)
        #expect(pictures.numbers.map { $0.map(Int64.init) } == Array(0..<recording.pictures))
        // A flash is seen only where dark pictures are beside it.
        for track in 0..<recording.audioTracks where recording.pictures > 1 && recording.rate.0 > recording.rate.1 {
            let offsets = try FlashAndBeep(of: file, pictures: pictures, track: track).offsets
            #expect(!offsets.isEmpty)
            #expect(offsets.allSatisfy { abs($0) < 0.010 }, "track \(track): \(offsets)")
        }
    }

    /// The parts do not begin with a flash: the sound is cut between packets, so such a part may begin within its beep.
    @Test func aRecordingInFivePartsHasEachPictureOnce() throws {
        let folder = try TemporaryFolder()
        let picture = PictureFeed.Picture(width: 160, height: 120, count: 290)
        let ending = try Kinebox.record(
            picture, ["--audio", "tone", "--split-duration", "2.1", folder.file("parts.mp4")])
        try #require(ending.exitCode == 0, "\(ending)")
        let parts = folder.names.map(folder.file)
        #expect(parts.count == 5)

        var numbers: [UInt32?] = []
        for part in parts {
            let pictures = try DecodedPictures(of: part, width: 160, height: 120)
            for judge in Judge.allCases {
                let verdict = try judge.verdict(on: part, audioTracks: 1)
                #expect(verdict.faults.isEmpty, "\(judge) on \(part)")
                #expect(verdict.pictures ?? pictures.numbers.count == pictures.numbers.count, "\(judge) on \(part)")
            }
            let check = try Kinebox.run("check", part)
            #expect(check.exitCode == 0, "\(check)")
            let offsets = try FlashAndBeep(of: part, pictures: pictures).offsets
            #expect(!offsets.isEmpty && offsets.allSatisfy { abs($0) < 0.010 }, "\(part): \(offsets)")
            numbers += pictures.numbers
        }
        #expect(numbers.count == 290)
        #expect(numbers.first == 0)
        #expect(DecodedPictures.faults(in: numbers).isEmpty)
    }
}
