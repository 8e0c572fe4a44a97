import Judges
import Media
import Testing

@testable import MP4

@Suite("A movie is read sample by sample")
struct ReadingMovieTests {
    let folder = TemporaryFolder(isInMemory: true)

    /// What a reader must say of a sample.
    private struct Packet: Equatable {
        var time: Int64
        var size: Int64
        var offset: Int64
        var isSync: Bool
    }

    /// What ffprobe says of a track's samples.
    private func probed(_ path: String, _ stream: String) throws -> [Packet] {
        let ending = try ChildProcess(
            "ffprobe",
            [
                "-v", "error", "-select_streams", stream, "-show_entries", "packet=dts,size,pos,flags", "-of",
                "csv=p=0", "-ignore_editlist", "1", path,
            ]
        ).wait()
        #expect(ending.exitCode == 0, "\(ending)")
        return try ending.text.split(separator: "\n").map { line in
            let fields = line.split(separator: ",")
            return Packet(
                time: try #require(Int64(fields[0])), size: try #require(Int64(fields[1])),
                offset: try #require(Int64(fields[2])), isSync: fields[3].hasPrefix("K"))
        }
    }

    private func packets(_ reader: MovieReader, track: Int) throws -> [Packet] {
        var packets: [Packet] = []
        var samples = try reader.samples(ofTrack: track)
        while let sample = try samples.next() {
            #expect(sample.index == Int64(packets.count))
            packets.append(
                Packet(time: sample.time, size: sample.size, offset: sample.offset, isSync: sample.isSync))
        }
        return packets
    }

    @Test("just as ffprobe reads it", arguments: GoodFile.allCases)
    func asOthersDo(_ file: GoodFile) throws {
        let path = folder.file("good.mp4")
        write(try file.bytes(), to: path)
        let reader = try MovieReader(path: path)
        #expect(reader.tracks.map(\.kind) == [.video, .audio] + (file == .described ? [.other] : []))
        #expect(reader.tracks[0].width == 320 && reader.tracks[0].height == 240)
        #expect(reader.tracks[0].parameterSets != nil && reader.tracks[0].unitLengthSize == 4)
        #expect(reader.tracks[1].sampleRate == 48_000)
        for (track, stream) in ["v:0", "a:0"].enumerated() {
            let expected = try probed(path, stream)
            let found = try packets(reader, track: track)
            #expect(found.count == expected.count && found.count > 50)
            // ffprobe lets times begin before 0 where pictures are shown later than they are decoded.
            let shift = expected[0].time - found[0].time
            let shifted = found.map {
                Packet(time: $0.time + shift, size: $0.size, offset: $0.offset, isSync: $0.isSync)
            }
            #expect(shifted == expected)
        }
    }

    @Test("with the bytes that were recorded, finished or not", arguments: [true, false])
    func bytes(_ isFinished: Bool) throws {
        let streams = [try EncodedStream.video(frames: 45), try EncodedStream.audio(seconds: 1.5)]
        let path = folder.file("ours.mp4")
        let part = try Recorded.unfinished(streams, at: path)
        if isFinished { _ = try part.finalise() }
        let reader = try MovieReader(path: path)
        for (track, stream) in streams.enumerated() {
            var samples = try reader.samples(ofTrack: track)
            for expected in stream.samples {
                let sample = try #require(try samples.next())
                var found = [UInt8](repeating: 0, count: Int(sample.size))
                let count = try found.withUnsafeMutableBytes { try reader.read(sample, into: $0) }
                #expect(count == expected.bytes.count && found == expected.bytes)
                #expect(sample.time == expected.time && sample.isSync == expected.isSync)
            }
            #expect(try samples.next() == nil)
        }
    }

    @Test(
        "unless it is no movie, which is said in words",
        arguments: ["absent", "empty", "text", "folder", "no movie box"])
    func noMovie(_ kind: String) throws {
        var path = folder.file("file.mp4")
        switch kind {
        case "empty": write([], to: path)
        case "text": write(Array("What a person wrote.".utf8), to: path)
        case "folder": path = folder.path
        case "no movie box": write([0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 0, 0], to: path)
        default: break
        }
        let failure = try #require(refusal(of: { _ = try MovieReader(path: path) }))
        #expect(failure.kind == .notARecording && failure.thing.contains(path) && !failure.cause.isEmpty)
    }

    @Test("a sample that leaves the file is refused, not read")
    func outside() throws {
        let path = folder.file("good.mp4")
        write(try GoodFile.progressive.bytes(), to: path)
        let reader = try MovieReader(path: path)
        var samples = try reader.samples(ofTrack: 0)
        var sample = try #require(try samples.next())
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for offset in [reader.byteCount - 1, .max, .max - 10, -1] {
            sample.offset = offset
            let failure = refusal(of: {
                _ = try buffer.withUnsafeMutableBytes { try reader.read(sample, into: $0) }
            })
            #expect(failure?.kind == .damaged)
        }
    }
}
