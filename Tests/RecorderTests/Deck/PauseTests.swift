import Capture
import Encoding
import Glibc
import Judges
import Linux
import MP4
import Media
import Storage
import Testing

@testable import Recorder

@Suite("A recording that is paused")
struct PauseTests {
    private static let period = FrameRate.thirty.nanoseconds(of: 1)

    private func samples(_ path: String, track: Int = 0) throws -> [Sample] {
        let movie = try MovieReader(path: path)
        var cursor = try movie.samples(ofTrack: track)
        var samples: [Sample] = []
        while let sample = try cursor.next() { samples.append(sample) }
        return samples
    }

    /// Holds a file against what was recorded: no gap where pictures were not dropped, and sound as long as the picture.
    private func check(_ result: TakeResult) throws {
        let path = try #require(result.paths.first)
        let report = try Checker.check(path: path)
        #expect(report.faults.isEmpty, "\(report.faults)")
        let pictures = try samples(path)
        #expect(Int64(pictures.count) == result.encodedFrames)
        if result.droppedFrames == 0 {
            // Milliseconds are enough: what lies in between is jitter of nobody, since the times are computed.
            for picture in pictures { #expect(abs(picture.duration - 3000) <= 1, "picture \(picture.index)") }
        }
        let durations = report.tracks.map(\.duration)
        #expect(abs(durations[0] - durations[1]) < 22_000_000, "\(durations)")
    }

    @Test("fifty times goes on as if no time had passed, and picture and sound stay together")
    func fifty() throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(), folder)
        _ = try run.start(1, "a.mp4")
        _ = try run.durable(1)
        var seed: UInt64 = 7
        for _ in 0..<50 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1
            run.deck.pause(take: 1)
            usleep(UInt32(seed >> 33) % 60_000)
            run.deck.resume(take: 1)
            usleep(50_000 + UInt32(seed >> 40) % 150_000)
        }
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        try check(result)
        let path = try #require(result.paths.first)
        let pictures = try DecodedPictures(of: path, width: 320, height: 240)
        let offsets = try FlashAndBeep(of: path, pictures: pictures).offsets
        // Flashes that a cut has parted from their beep tell nothing.
        let whole = offsets.filter { abs($0) < 0.1 }
        #expect(whole.count >= 3)
        #expect(whole.filter { abs($0) < 0.02 }.count * 4 >= whole.count * 3, "\(offsets)")
    }

    @Test("begins again with a picture that needs no other, and what was before is safe at once")
    func seam() throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(), folder)
        _ = try run.start(1, "a.mp4")
        try run.encoded(40)
        run.deck.pause(take: 1)
        for _ in 0..<3000 where run.deck.status.recording?.unsavedNanoseconds != 0 { usleep(1000) }
        let paused = try #require(run.deck.status.recording)
        #expect(paused.unsavedNanoseconds == 0)
        usleep(300_000)
        let later = try #require(run.deck.status.recording)
        #expect(later.encodedFrames == paused.encodedFrames && later.nanoseconds == paused.nanoseconds)
        run.deck.resume(take: 1)
        try run.encoded(paused.encodedFrames + 10)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        try check(result)
        let keys = try samples(try #require(result.paths.first)).filter(\.isSync).map(\.index)
        #expect(keys.contains(paused.encodedFrames), "\(keys)")
        let span = try #require(result.lastFrameTime) - #require(result.firstFrameTime)
        #expect(span > 300_000_000 + Self.period * (result.encodedFrames - 1))
    }

    @Test("is whole when it is stopped in a pause, and when it is paused before its first picture")
    func ends() throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(), folder)
        try run.present()
        _ = try run.start(1, "a.mp4")
        try run.encoded(20)
        run.deck.pause(take: 1)
        usleep(100_000)
        run.deck.stop(take: 1)
        try check(try run.ended(1))
        let press = try run.start(2, "b.mp4")
        run.deck.pause(take: 2, at: press)
        usleep(200_000)
        #expect(run.deck.status.recording?.encodedFrames == 0)
        run.deck.resume(take: 2)
        try run.encoded(20)
        run.deck.stop(take: 2)
        try check(try run.ended(2))
        let again = try run.start(3, "c.mp4")
        run.deck.pause(take: 3, at: again)
        run.deck.stop(take: 3)
        let result = try run.ended(3)
        #expect(result.failure == nil && result.encodedFrames == 0 && !folder.names.contains("c.mp4"))
    }

    @Test("takes no picture from a source that waits, and has all of them in the end")
    func onDemand() throws {
        let folder = try TemporaryFolder()
        let tone: @Sendable () throws(Failure) -> any AudioSource = { () throws(Failure) in TestTone(rate: .thirty) }
        let recording = try Recording(
            RecordingPlan(
                openVideo: { () throws(Failure) in
                    try TestPattern(width: 640, height: 480, rate: .thirty, pace: .onDemand, frameCount: 600)
                },
                openAudio: [tone],
                encoding: EncodingPlan(preference: .software, bitrate: 500_000, preset: .fixed(.medium), threads: 1),
                name: try folder.name()))
        while recording.status.encodedFrames < 20 { usleep(500) }
        recording.pause()
        var before: Int64 = -1
        while recording.status.encodedFrames != before || recording.status.unsavedNanoseconds > 0 {
            before = recording.status.encodedFrames
            usleep(100_000)
        }
        #expect(before < 600, "it waits")
        recording.resume()
        let result = recording.wait()
        #expect(result.end == .sourceEnded && result.status.encodedFrames == 600)
        let report = try Checker.check(path: try #require(result.parts.first).path)
        #expect(report.faults.isEmpty && report.tracks[0].sampleCount == 600)
        #expect(abs(report.tracks[0].duration - report.tracks[1].duration) < 22_000_000)
    }

    @Test("begins a part behind the pause when it is split in it")
    func split() throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(), folder)
        _ = try run.start(1, "a.mp4")
        try run.encoded(20)
        run.deck.pause(take: 1)
        run.deck.split(take: 1)
        usleep(200_000)
        run.deck.resume(take: 1)
        try run.encoded(60)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        #expect(folder.names == ["a.mp4", "a_part02.mp4"])
        var pictures: Int64 = 0
        for path in result.paths {
            let report = try Checker.check(path: path)
            #expect(report.faults.isEmpty)
            pictures += report.tracks[0].sampleCount
        }
        #expect(pictures == result.encodedFrames)
    }

    @Test("ends after its duration, which pauses do not use up and which can be extended")
    func duration() throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(), folder)
        _ = try run.start(1, "a.mp4", duration: 1_000_000_000)
        try run.encoded(10)
        run.deck.pause(take: 1)
        usleep(1_200_000)
        run.deck.extend(take: 1, nanoseconds: 500_000_000)
        run.deck.resume(take: 1)
        let result = try run.ended(1)
        #expect(result.end == .duration && result.failure == nil)
        // Behind a pause the pictures stand a nanosecond elsewhere.
        #expect((45...46).contains(result.encodedFrames + result.droppedFrames))
        try check(result)
    }

    @Test("has its marks as chapters at the pictures that were seen then, and its texts")
    func marks() throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(), folder)
        _ = try run.start(1, "a.mp4", metadata: RecordingMetadata(title: "Anatomy", author: "Nobody", comment: "x"))
        try run.encoded(20)
        let moment = MonotonicTime.now
        run.deck.mark(take: 1, label: "first", at: moment)
        try run.encoded(35)
        run.deck.pause(take: 1)
        usleep(100_000)
        run.deck.mark(take: 1, label: "", at: .now)
        usleep(100_000)
        run.deck.resume(take: 1)
        try run.encoded(60)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        try check(result)
        #expect(result.marks.map(\.label) == ["first", ""])
        let first = try #require(result.firstFrameTime)
        let seen = moment - first
        #expect(result.marks[0].nanoseconds <= seen && seen - result.marks[0].nanoseconds < 2 * Self.period)
        let ending = try ChildProcess(
            "ffprobe",
            [
                "-v", "error", "-show_chapters", "-show_entries", "format_tags=title,artist,comment", "-of", "csv=p=0",
                try #require(result.paths.first),
            ]
        ).wait()
        #expect(ending.text.contains("first") && ending.text.contains("Chapter 3"), "\(ending.text)")
        #expect(ending.text.contains("Anatomy"))
    }
}
