import CKernel
import Glibc
import Linux
import Media
import Testing

@testable import MP4

@Suite("What stands in the file")
struct WritingStructureTests {
    let folder = TemporaryFolder(isInMemory: true)

    @Test("while recording: header, session record, description, and fragments behind their records")
    func unfinished() throws {
        let path = folder.file("part.mp4")
        let streams = [EncodedStream.noise(frames: 90), .audioNoise(packets: 141)]
        let part = try Recorded.unfinished(streams, at: path, session: .fixed)
        let tree = BoxTree(bytes: contents(of: path))
        let boxes = tree.boxes()
        #expect(
            boxes.map(\.type) == ["ftyp", "free", "uuid", "moov"]
                + Array(repeating: ["uuid", "moof", "mdat"], count: 3).flatMap { $0 })
        #expect(boxes.map(\.start).prefix(4) == [0, 32, 48, 132])
        #expect(boxes.last?.end == Int(part.byteCount))
        #expect(tree.number(48 + 28, 8) == 0x0123_4567_89AB_CDEF)
        #expect(tree.number(48 + 80) == Int(checksum(tree.bytes[48..<128])))
        var durable = 132
        for (index, record) in boxes.dropFirst(4).filter({ $0.type == "uuid" }).enumerated() {
            let (moof, mdat) = (boxes[5 + 3 * index], boxes[6 + 3 * index])
            #expect(tree.number(record.start + 44) == 1 && tree.number(record.start + 48) == index + 1)
            #expect(tree.number(record.start + 52) == mdat.payload - moof.start)
            #expect(tree.number(record.start + 56) == mdat.end - mdat.payload)
            #expect(tree.number(record.start + 60, 8) == durable)
            #expect(tree.number(record.start + 68) == Int(checksum(tree.bytes[boxes[3].start..<boxes[3].end])))
            #expect(tree.number(record.start + 72) == Int(checksum(tree.bytes[mdat.payload..<mdat.end])))
            let covered = tree.bytes[record.start..<(record.start + 76)] + tree.bytes[moof.start..<mdat.payload]
            #expect(tree.number(record.start + 76) == Int(checksum(covered)))
            durable = mdat.end
        }
    }

    @Test("finished: one mdat around all, the tables behind it, and each sample where they say")
    func finished() throws {
        let path = folder.file("part.mp4")
        let streams = [
            EncodedStream.noise(frames: 90), .audioNoise(packets: 141), .audioNoise(packets: 100, name: "Microphone"),
        ]
        try Recorded.finished(streams, at: path, session: .fixed)
        let tree = BoxTree(bytes: contents(of: path))
        #expect(tree.boxes().map(\.type) == ["ftyp", "mdat", "moov"])
        #expect(tree.box("moov", "trak", "edts") == nil)
        let movie = try #require(tree.box("moov"))
        let seal = movie.end - 52
        #expect(tree.number(seal + 48) == Int(checksum(tree.bytes[movie.start..<seal])))
        // 2027-01-15 08:00 UTC, counted from 1904.
        #expect(tree.number(movie.payload + 12) == 1_800_000_000 + 2_082_844_800)
        let tracks = tree.boxes(from: movie.payload, to: movie.end).filter { $0.type == "trak" }
        #expect(tracks.count == 3)
        for (track, stream) in zip(tracks, streams) {
            #expect(samples(tree, track) == stream.samples.map(\.bytes))
        }
    }

    @Test("pictures that come when they please keep their times to the tick")
    func unevenTimes() throws {
        var stream = EncodedStream.noise(frames: 100)
        var generator = NumberSequence(seed: 4)
        for index in 1..<100 {
            stream.samples[index].time = stream.samples[index - 1].time + Int64.random(in: 1...9000, using: &generator)
        }
        stream.end = stream.samples[99].time + 1234
        let path = folder.file("part.mp4")
        try Recorded.finished([stream], at: path, fragmentSeconds: 0.5)
        let tree = BoxTree(bytes: contents(of: path))
        let times = try #require(tree.box("moov", "trak", "mdia", "minf", "stbl", "stts"))
        var actual: [Int64] = [0]
        for row in 0..<tree.number(times.payload + 4) {
            for _ in 0..<tree.number(times.payload + 8 + 8 * row) {
                actual.append((actual.last ?? 0) + Int64(tree.number(times.payload + 12 + 8 * row)))
            }
        }
        #expect(actual == stream.samples.map(\.time) + [stream.end])
    }

    @Test("a file above 4 GiB and times above 2^32 ticks get the long forms, and only those")
    func longForms() throws {
        let path = folder.file("part.mp4")
        let output = HoleOutput(try FileOutput.create(at: path))
        let part = try PartFile(output: output, path: path, session: .fixed, part: 1)
        let track = EncodedStream.noise(frames: 1).track
        let assembler = FragmentAssembler(tracks: [track])
        try part.begin(tracks: [track])
        let (count, step): (Int64, Int64) = (70, 900 * 90_000)
        let filler = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 20, alignment: 16)
        defer { filler.deallocate() }
        for number in 0..<count {
            assembler.append(UnsafeRawBufferPointer(filler), track: 0, time: number * step, isSync: true)
            let fragment = try #require(assembler.seal(nextTimes: [(number + 1) * step]))
            try part.append([fragment])
            assembler.recycle(fragment)
        }
        let size = part.finalByteCount
        #expect(try part.finalise().byteCount == size)
        let file = try FileDescriptor.open(path, O_RDONLY)
        let window = FileWindow(file.raw)
        let media = try BoxHeader.read(window, at: 32, limit: size)
        #expect(media.headerSize == 16 && media.end > 4 << 30)
        let movie = try BoxHeader.read(window, at: media.end, limit: size)
        #expect(movie.type == "moov" && movie.end == size)
        var bytes = [UInt8](repeating: 0, count: Int(movie.size))
        _ = try bytes.withUnsafeMutableBytes { buffer throws(Errno) in try file.read(into: buffer, at: movie.offset) }
        let tree = BoxTree(bytes: bytes)
        let header = try #require(tree.box("moov", "trak", "mdia", "mdhd"))
        #expect(tree.bytes[header.payload] == 1)
        #expect(tree.number(header.payload + 24, 8) == Int(count * step))
        let movieHeader = try #require(tree.box("moov", "mvhd"))
        #expect(tree.bytes[movieHeader.payload] == 0, "17.5 hours in milliseconds fit")
        let offsets = try #require(tree.box("moov", "trak", "mdia", "minf", "stbl", "co64"))
        #expect(tree.number(offsets.payload + 8 + 69 * 8, 8) > 4 << 30)
    }

    private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBytes { ckernel_crc32c_by_tables(0, $0.baseAddress, $0.count) }
    }

    /// The samples of a track, by its tables.
    private func samples(_ tree: BoxTree, _ track: BoxTree.Box) -> [[UInt8]] {
        func child(_ parent: BoxTree.Box?, _ type: String) -> BoxTree.Box? {
            parent.flatMap { parent in tree.boxes(from: parent.payload, to: parent.end).first { $0.type == type } }
        }
        let table = child(child(child(track, "mdia"), "minf"), "stbl")
        guard let sizes = child(table, "stsz"), let rows = child(table, "stsc"), let places = child(table, "stco")
        else {
            return []
        }
        var lengths: [Int] = []
        for row in 0..<tree.number(rows.payload + 4) {
            let entry = rows.payload + 8 + 12 * row
            let isLast = row + 1 == tree.number(rows.payload + 4)
            let next = isLast ? tree.number(places.payload + 4) + 1 : tree.number(entry + 12)
            lengths += Array(repeating: tree.number(entry + 4), count: next - tree.number(entry))
        }
        var samples: [[UInt8]] = []
        for (chunk, length) in lengths.enumerated() {
            var place = tree.number(places.payload + 8 + 4 * chunk)
            for _ in 0..<length {
                let size = tree.number(sizes.payload + 12 + 4 * samples.count)
                samples.append(Array(tree.bytes[place..<(place + size)]))
                place += size
            }
        }
        return samples.count == tree.number(sizes.payload + 8) ? samples : []
    }
}

/// Leaves the samples out, as holes.
private final class HoleOutput: PartOutput {
    private let inner: FileOutput

    init(_ inner: FileOutput) { self.inner = inner }

    func write(_ pieces: [OutputPiece], at offset: Int64) throws(Errno) {
        var place = offset
        for piece in pieces {
            if !piece.isMedia { try inner.write([piece], at: place) }
            place += Int64(piece.bytes.count)
        }
    }
    func synchronise() throws(Errno) { try inner.synchronise() }
    func truncate(to length: Int64) throws(Errno) { try inner.truncate(to: length) }
    func forget(before offset: Int64) {}
    func remove() throws(Errno) { try inner.remove() }
}
