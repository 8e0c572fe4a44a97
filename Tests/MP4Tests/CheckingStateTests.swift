import Glibc
import Media
import Testing

@testable import MP4

@Suite("The checker says what a file is")
struct CheckingStateTests {
    let folder = TemporaryFolder(isInMemory: true)

    @Test("a finished recording, with all that is in it")
    func finished() throws {
        let path = folder.file("ours.mp4")
        let streams = [
            try EncodedStream.video(width: 644, height: 364, rate: try #require(FrameRate(30_000, 1001)), frames: 90),
            try EncodedStream.audio(seconds: 3), try EncodedStream.audio(channels: 1, seconds: 3, name: "Microphone"),
        ]
        try Recorded.finished(streams, at: path)
        let report = try Checker.check(path: path)
        #expect(report.faults == [])
        #expect(report.state == .finished && report.records == 4)
        #expect(report.byteCount == Int64(contents(of: path).count))
        #expect(report.tracks.map(\.sampleCount) == streams.map { Int64($0.samples.count) })
        #expect(report.tracks.map(\.name) == ["Video", "Programme", "Microphone"])
        #expect(report.tracks.map(\.channels) == [0, 2, 1])
        #expect(report.tracks.map(\.sampleRate) == [0, 48_000, 48_000])
        #expect(report.tracks.map(\.rate) == ["29.97", nil, nil])
        #expect(report.tracks[0].codec.hasPrefix("H.264 ") && report.tracks[1].codec == "AAC-LC")
        #expect(report.tracks[0].width == 644 && report.tracks[0].height == 364)
        #expect(report.tracks[0].duration == 3_003_000_000)
        #expect(report.duration == report.tracks.map(\.duration).max())
        let bytes = streams[0].samples.reduce(0) { $0 + $1.bytes.count }
        #expect(report.tracks[0].bitrate == Int64(Double(bytes) * 8 / 3.003))
    }

    @Test("one picture, pictures alone, pictures that come when they please")
    func otherRecordings() throws {
        let path = folder.file("ours.mp4")
        try Recorded.finished([try .video(frames: 1)], at: path)
        #expect(try Checker.check(path: path).faults == [])
        unlink(path)
        var uneven = try EncodedStream.video(frames: 60)
        for index in uneven.samples.indices { uneven.samples[index].time += Int64(index % 7) * 100 }
        try Recorded.finished([uneven], at: path)
        let report = try Checker.check(path: path)
        #expect(report.faults == [])
        #expect(report.tracks[0].rate == "30, variable")
    }

    @Test(
        "a recording that was cut off has this one fault, wherever it was cut and whatever lies behind",
        arguments: [0, 1, 5000, 1 << 20], [false, true])
    func unfinished(_ cut: Int, _ isTailGarbage: Bool) throws {
        let path = folder.file("cut.mp4")
        var bytes = try GoodFile.unfinished.bytes()
        if isTailGarbage {
            var numbers = NumberSequence(seed: UInt64(cut))
            bytes += (0..<cut).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
        } else {
            bytes.removeLast(min(cut, bytes.count - 140))
        }
        write(bytes, to: path)
        let before = try Checker.check(path: path)
        #expect(before.state == .unfinished)
        #expect(before.faults.map(\.code) == [.notFinalised])
        #expect(before.faults[0].message.contains("kinebox recover"))
        let result = try Recovery.recover(path: path)
        guard case .finished(_, let frames, _) = result else {
            #expect(before.records == 0 && result == .removedEmpty)
            return
        }
        let after = try Checker.check(path: path)
        #expect(after.faults == [] && after.state == .finished)
        #expect(after.tracks.first?.sampleCount == Int64(frames))
        #expect(after.records == before.records)
        #expect(after.tracks.map(\.sampleCount) == before.tracks.map(\.sampleCount))
    }

    @Test("a recording that still runs is busy, and is not touched")
    func live() throws {
        let path = folder.file("live.mp4")
        let part = try Recorded.unfinished([try .video(frames: 30)], at: path)
        let before = contents(of: path)
        let failure = try #require(refusal(of: { _ = try Checker.check(path: path) }))
        #expect(failure.kind == .busy && failure.cause == "it is being recorded now")
        #expect(folder.holds(before, in: path))
        _ = try part.finalise()
    }

    @Test(
        "nothing else is judged: one clear sentence", arguments: ["absent", "empty", "text", "folder", "pipe", "short"])
    func notJudged(_ kind: String) throws {
        var path = folder.file("file.mp4")
        switch kind {
        case "empty": write([], to: path)
        case "text": write(Array("What a person wrote, and more of it.".utf8), to: path)
        case "folder": path = folder.path
        case "pipe": mkfifo(path, 0o600)
        case "short": write([0, 0, 0], to: path)
        default: break
        }
        let failure = try #require(refusal(of: { _ = try Checker.check(path: path) }))
        #expect(failure.kind == .notARecording && failure.kind.exitCode == 1)
        #expect(failure.thing.contains(path) && !failure.cause.isEmpty && !failure.description.contains("\n"))
    }

    @Test("a thousand faults of a kind are told a few times, and counted")
    func many() throws {
        let path = folder.file("bad.mp4")
        var editor = BoxEditor(bytes: try GoodFile.progressive.bytes())
        let table = "\(Damage.audioTables)/stsz"
        for index in 0..<50 { editor.set32(table, 12 + 4 * index, 0) }
        write(editor.bytes, to: path)
        let sizes = try Checker.check(path: path).faults.filter { $0.code == .sampleSize }
        #expect(sizes.count == 5)
        #expect(sizes.last?.message == "46 more of this kind")
    }
}
