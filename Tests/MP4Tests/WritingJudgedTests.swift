import Judges
import Media
import Testing

@testable import MP4

@Suite("Files that other programs judge")
struct WritingJudgedTests {
    let folder = TemporaryFolder(isInMemory: true)

    /// Has a file judged by all readers that others wrote.
    private func judge(_ path: String, pictures: Int, audioTracks: Int) throws {
        for judge in Judge.allCases {
            let verdict = try judge.verdict(on: path, audioTracks: audioTracks)
            #expect(verdict.faults == [], "\(judge)")
            #expect(verdict.pictures == nil || verdict.pictures == pictures, "\(judge)")
            #expect(verdict.audioTracks == nil || verdict.audioTracks == audioTracks, "\(judge)")
        }
    }

    @Test("picture and sound are read without a fault, unfinished, finished and recovered", arguments: [0, 1, 2])
    func pictureAndSound(_ audioTracks: Int) throws {
        let names = ["Programme", "Microphone"]
        let sound = try names.prefix(audioTracks).map { try EncodedStream.audio(name: $0) }
        let streams = [try EncodedStream.video()] + sound
        let path = folder.file("part.mp4")
        var part = Optional(try Recorded.unfinished(streams, at: path))
        try judge(path, pictures: 90, audioTracks: audioTracks)
        part = nil
        guard case .finished(_, let frames, let lost) = try Recovery.recover(path: path) else {
            Issue.record("it was not finished")
            return
        }
        #expect(frames == 90 && lost == 0 && part == nil)
        try judge(path, pictures: 90, audioTracks: audioTracks)
        let summary = try Recorded.finished(streams, at: folder.file("done.mp4"))
        try judge(summary.path, pictures: 90, audioTracks: audioTracks)
        #expect(summary.tracks.map(\.sampleCount) == streams.map(\.samples.count))
        #expect(summary.tracks[0].nanoseconds == 3_000_000_000)
        #expect(summary.byteCount == Int64(contents(of: summary.path).count))
    }

    @Test("one picture makes a file")
    func onePicture() throws {
        let path = folder.file("one.mp4")
        try Recorded.finished([try .video(frames: 1)], at: path)
        try judge(path, pictures: 1, audioTracks: 0)
    }

    @Test(
        "sizes that are no multiple of 16, and every kind of rate",
        arguments: [
            (160, 120, 1, 1, "baseline"), (1366, 768, 30_000, 1001, "high"), (1296, 972, 60_000, 1001, "main"),
            (640, 360, 2, 1, "high"), (320, 240, 50, 1, "main"),
        ])
    func shapes(_ width: Int, _ height: Int, _ numerator: Int64, _ denominator: Int64, _ profile: String) throws {
        let rate = try #require(FrameRate(numerator, denominator))
        let path = folder.file("shape.mp4")
        let frames = max(4, Int(numerator / denominator))
        try Recorded.finished(
            [try .video(width: width, height: height, rate: rate, frames: frames, profile: profile)], at: path)
        try judge(path, pictures: frames, audioTracks: 0)
    }

    @Test("pictures that come when they please are read at their times")
    func unevenTimes() throws {
        var stream = try EncodedStream.video()
        var generator = NumberSequence(seed: 8)
        for index in 1..<stream.samples.count {
            // Near enough to a grid that ffmpeg's null output, which puts them on one, finds each a place.
            stream.samples[index].time += Int64.random(in: 0...1200, using: &generator)
        }
        let path = folder.file("uneven.mp4")
        try Recorded.finished([stream, try .audio()], at: path)
        try judge(path, pictures: 90, audioTracks: 1)
        let times = try ChildProcess(
            "ffprobe", ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts", "-of", "csv=p=0", path]
        ).wait()
        #expect(times.text.split(separator: "\n").compactMap { Int64($0) } == stream.samples.map(\.time))
    }
}
