import Judges
import Media
import Testing

@testable import MP4

@Suite("Files that other programs judge")
struct WritingJudgedTests {
    let folder = TemporaryFolder()

    /// Has a file judged by all readers that others wrote.
    private func judge(_ path: String, pictures: Int, audioTracks: Int) throws {
        for judge in Judge.allCases {
            let verdict = try judge.verdict(on: path, audioTracks: audioTracks)
            #expect(verdict.faults == [], "\(judge)")
            #expect(verdict.pictures == nil || verdict.pictures == pictures, "\(judge)")
            #expect(verdict.audioTracks == nil || verdict.audioTracks == audioTracks, "\(judge)")
        }
    }

    @Test("picture and sound are read and decoded without a fault, finished and unfinished")
    func pictureAndSound() throws {
        let streams = [try EncodedStream.video(), try EncodedStream.audio()]
        try Recorded.unfinished(streams, at: folder.file("open.mp4"))
        try judge(folder.file("open.mp4"), pictures: 90, audioTracks: 1)
        let summary = try Recorded.finished(streams, at: folder.file("done.mp4"))
        try judge(folder.file("done.mp4"), pictures: 90, audioTracks: 1)
        #expect(summary.tracks.map(\.sampleCount) == streams.map(\.samples.count))
        #expect(summary.tracks[0].nanoseconds == 3_000_000_000)
        #expect(summary.byteCount == Int64(contents(of: summary.path).count))
    }
}
