import Media
import Testing

@testable import MP4

@Suite("Files that other programs judge")
struct WritingJudgedTests {
    let folder = TemporaryFolder()

    @Test("picture and sound are read and decoded without a fault, finished and unfinished")
    func pictureAndSound() throws {
        let streams = [EncodedStream.video(), EncodedStream.audio()]
        let counts = streams.map(\.samples.count)
        try Recorded.unfinished(streams, at: folder.file("open.mp4"))
        Judges.accept(folder.file("open.mp4"), packets: counts, isFinished: false)
        let summary = try Recorded.finished(streams, at: folder.file("done.mp4"))
        Judges.accept(folder.file("done.mp4"), packets: counts)
        #expect(summary.tracks.map(\.sampleCount) == counts)
        #expect(summary.tracks[0].nanoseconds == 3_000_000_000)
        #expect(summary.byteCount == Int64(contents(of: summary.path).count))
    }
}
