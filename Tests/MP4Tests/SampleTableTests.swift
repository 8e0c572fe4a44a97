import Linux
import Media
import Testing

@testable import MP4

/// An output that keeps everything in memory.
private final class MemoryOutput: PartOutput {
    private(set) var bytes: [UInt8] = []
    /// The most bytes that came in one write.
    private(set) var largestWrite = 0

    func write(_ pieces: [OutputPiece], at offset: Int64) throws(Errno) {
        largestWrite = max(largestWrite, pieces.reduce(0) { $0 + $1.bytes.count })
        for piece in pieces { bytes += piece.bytes }
    }
    func synchronise() throws(Errno) {}
    func truncate(to length: Int64) throws(Errno) {}
    func forget(before offset: Int64) {}
    func remove() throws(Errno) {}
}

@Suite("Sample tables")
struct SampleTableTests {
    /// Runs of a second of pictures that come when they please, and of sound.
    private func fragment(_ second: Int, _ generator: inout NumberSequence) -> [SampleRun] {
        var picture = SampleRun()
        picture.baseTime = Int64(second) * 90_000
        for frame in 0..<30 {
            let size = frame == 0 ? 90_000 : Int.random(in: 1...70_000, using: &generator)
            let isLast = frame == 29
            let left = UInt32(picture.baseTime + 90_000 - picture.endTime)
            let duration = isLast ? left : 2999 + UInt32.random(in: 0...2, using: &generator)
            picture.entries.append(SampleEntry(size: size, isSync: frame == 0, duration: duration))
            picture.byteCount += size
        }
        var sound = SampleRun()
        sound.baseTime = Int64(second) * 48_128
        for _ in 0..<47 {
            sound.entries.append(SampleEntry(size: 420, isSync: true, duration: 1024))
            sound.byteCount += 420
        }
        return [picture, sound]
    }

    private func tables(seconds: Int) throws -> PartTables {
        let descriptions = try [EncodedStream.noise(frames: 1), .audioNoise(packets: 1)].map {
            try TrackDescription($0.track)
        }
        let tables = PartTables(descriptions: descriptions, start: 1000)
        var generator = NumberSequence(seed: 1)
        for second in 0..<seconds { tables.append(fragment(second, &generator), headerLength: 500) }
        return tables
    }

    private func movie(_ tables: PartTables) throws -> (bytes: [UInt8], largestWrite: Int) {
        let output = MemoryOutput()
        let stream = PieceStream(output, at: 0)
        let movie = FinalMovie(tables, record: SessionRecord(session: Session.fixed, part: 1))
        try movie.write(to: stream)
        try stream.flush()
        #expect(Int64(output.bytes.count) == movie.byteCount)
        return (output.bytes, output.largestWrite)
    }

    @Test(
        "an hour of pictures at an uneven rate and of sound takes less than 2 MB of memory, and leaves in small pieces")
    func hour() throws {
        let tables = try tables(seconds: 3600)
        #expect(tables.memoryByteCount < 2_000_000)
        let movie = try movie(tables)
        #expect(movie.bytes.count > 1_500_000)
        #expect(movie.largestWrite <= 256 << 10)
    }

    @Test("fragments that are taken away leave no trace but in the bit rate", arguments: [0, 1, 5, 59])
    func removal(_ kept: Int) throws {
        let shortened = try tables(seconds: 60)
        while shortened.fragmentCount > kept { shortened.removeLastFragment() }
        let fresh = try tables(seconds: kept)
        #expect(shortened.end == fresh.end)
        for (left, right) in zip(shortened.tracks, fresh.tracks) {
            #expect(left.sampleCount == right.sampleCount)
            #expect(left.duration == right.duration)
            #expect(left.mediaByteCount == right.mediaByteCount)
        }
        guard kept > 0 else { return }
        // The bit rates stand in the sample entry; behind it the tables begin.
        let (first, second) = (try movie(shortened).bytes, try movie(fresh).bytes)
        #expect(first.count == second.count)
        let differing = zip(first, second).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
        #expect(differing.count <= 8 + 4, "the largest sample, the peak, and the seal over them")
    }

    @Test("a place in the file leads to the fragment that holds it")
    func places() throws {
        let tables = try tables(seconds: 20)
        #expect(tables.firstFragment(endingBehind: 0) == 0)
        for index in 0..<20 {
            let start = tables.start(ofFragment: index)
            #expect(tables.firstFragment(endingBehind: start) == index)
            #expect(tables.firstFragment(endingBehind: start + 1) == index)
        }
        #expect(tables.firstFragment(endingBehind: tables.end) == 20)
    }

    @Test("runs of equal values are one row, and can be taken back")
    func runs() {
        var list = RunList()
        var generator = NumberSequence(seed: 9)
        var expected: [UInt32] = []
        for _ in 0..<5000 {
            if UInt8.random(in: 0...2, using: &generator) == 0 {
                #expect(list.removeLast() == expected.popLast())
            } else {
                let value = UInt32.random(in: 1...2, using: &generator)
                list.append(value)
                expected.append(value)
            }
        }
        var actual: [UInt32] = []
        list.forEach { actual += Array(repeating: $0.value, count: Int($0.length)) }
        #expect(actual == expected && list.count == expected.count)
        #expect(zip(expected, expected.dropFirst()).count { $0 != $1 } + 1 == list.runCount)
    }

    @Test("sizes of every magnitude come back as they went in")
    func sizes() {
        var list = SizeList()
        let values: [UInt32] = [0, 1, 65_534, 65_535, 65_536, 7, 2_147_483_647, 3]
        let expected = (0..<3000).map { values[$0 % values.count] + UInt32($0 / values.count % 2) }
        for value in expected { list.append(value) }
        for value in expected.suffix(1000).reversed() { #expect(list.removeLast() == value) }
        var actual: [UInt32] = []
        list.forEach { actual.append($0) }
        #expect(actual == Array(expected.prefix(2000)))
    }
}

extension Session {
    /// Always the same, so that files can be compared.
    static let fixed = Session(
        identifier: Identifier(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210),
        boot: Identifier(high: 1, low: 2), wallClock: 1_800_000_000_000_000_000, isClockSynchronised: true,
        monotonicClock: 5_000_000_000)
}
