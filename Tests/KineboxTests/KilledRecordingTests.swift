import Glibc
import Judges
import Media
import Testing

/// A recording that is killed plays as it lies, and becomes an ordinary file.
@Suite struct KilledRecordingTests {
    @Test(arguments: 0..<20)
    func aKillLosesTwoSecondsAtMost(_ number: Int) throws {
        // Spread over more than two fragments, and each time somewhere else in them.
        let trial = try KillTrial(after: number * 113 + Int.random(in: 0..<113))
        #expect(trial.playsAsItLies)
        #expect(trial.faults.isEmpty)
        #expect(trial.recovered > 0)
        #expect(trial.lostMilliseconds <= 2000, "\(trial.captured) captured, \(trial.recovered) recovered")
    }

    @Test func everyReaderPlaysAnUnfinishedFileAndARecoveredOne() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("unfinished.mp4")
        let feed = try PictureFeed(PictureFeed.Picture(width: 640, height: 360, count: 105, staysOpen: true))
        let recording = try Kinebox.start(["record", "--video", "-", "--audio", "tone", file], input: feed.input)
        // The stream falls silent after its last picture, so that the kill finds no write half done.
        while feed.pictures < 105, recording.isRunning { usleep(10_000) }
        usleep(1_000_000)
        let refused = try Kinebox.run("recover", file)
        #expect(refused.exitCode == 1, "\(refused)")
        #expect(refused.errors.contains(file), "\(refused)")
        recording.send(SIGKILL)
        _ = recording.wait()

        let lying = try DecodedPictures(of: file, width: 640, height: 360)
        #expect(lying.numbers.count > 0)
        try expectPraise(of: file, pictures: lying)
        let recovery = try Kinebox.run("recover", file)
        #expect(recovery.exitCode == 0, "\(recovery)")
        let recovered = try DecodedPictures(of: file, width: 640, height: 360)
        #expect(recovered.numbers == lying.numbers)
        try expectPraise(of: file, pictures: recovered)
        let offsets = try FlashAndBeep(of: file, pictures: recovered).offsets
        #expect(!offsets.isEmpty && offsets.allSatisfy { abs($0) < 0.010 }, "\(offsets)")

        let check = try Kinebox.run("check", file)
        #expect(check.exitCode == 0, "\(check)")
        let again = try Kinebox.run("recover", file)
        #expect(again.exitCode == 0, "\(again)")
        #expect(try DecodedPictures(of: file, width: 640, height: 360).numbers == lying.numbers)
    }

    private func expectPraise(of file: String, pictures: DecodedPictures) throws {
        #expect(pictures.numbers.first == 0)
        #expect(pictures.faults.isEmpty)
        for judge in Judge.allCases {
            let verdict = try judge.verdict(on: file, audioTracks: 1)
            #expect(verdict.faults.isEmpty, "\(judge)")
            #expect(verdict.pictures ?? pictures.numbers.count == pictures.numbers.count, "\(judge)")
            #expect(verdict.audioTracks ?? 1 == 1, "\(judge)")
        }
    }
}
