import Media
import Testing

@testable import MP4

@Suite("Gathering samples into fragments")
struct FragmentAssemblerTests {
    private let tracks = [EncodedStream.noise(frames: 1).track, EncodedStream.audioNoise(packets: 1).track]

    private func append(_ assembler: FragmentAssembler, _ count: Int, track: Int, time: Int64, isSync: Bool = true) {
        [UInt8](repeating: UInt8(count), count: count).withUnsafeBytes {
            assembler.append($0, track: track, time: time, isSync: isSync)
        }
    }

    @Test("every duration is the difference of two times, also over the end of a fragment")
    func durations() throws {
        let assembler = FragmentAssembler(tracks: tracks)
        append(assembler, 3, track: 0, time: 0)
        append(assembler, 4, track: 0, time: 2999, isSync: false)
        append(assembler, 5, track: 1, time: 0)
        #expect(assembler.byteCount == 12)
        let first = try #require(assembler.seal(nextTimes: [6001, 1024]))
        #expect(assembler.byteCount == 0)
        #expect(first.runs[0].entries.map(\.duration) == [2999, 3002])
        #expect(first.runs[0].entries.map(\.isSync) == [true, false])
        #expect(first.runs[1].entries.map(\.duration) == [1024])
        #expect(first.endNanoseconds(track: 0) == 6001 * 1_000_000_000 / 90_000)
        append(assembler, 1, track: 0, time: 6001)
        let second = try #require(assembler.seal(nextTimes: [9000, 0]))
        #expect(second.runs[0].baseTime == 6001)
        #expect(second.runs[0].entries.map(\.duration) == [2999])
        #expect(second.sampleCount(track: 1) == 0)
        #expect(assembler.seal(nextTimes: [9000, 0]) == nil)
    }

    @Test("a track that begins late begins at 0 and is where it belongs from its second sample on")
    func lateStart() throws {
        let assembler = FragmentAssembler(tracks: tracks)
        append(assembler, 1, track: 0, time: 0)
        append(assembler, 1, track: 1, time: 700)
        append(assembler, 1, track: 1, time: 1724)
        let fragment = try #require(assembler.seal(nextTimes: [3000, 2748]))
        #expect(fragment.runs[1].baseTime == 0)
        #expect(fragment.runs[1].entries.map(\.duration) == [1724, 1024])
    }

    @Test("times that do not rise are made to, and samples without bytes are passed over")
    func badTimes() throws {
        let assembler = FragmentAssembler(tracks: tracks)
        for time: Int64 in [0, 3000, 2000, 3000, 6000] { append(assembler, 1, track: 0, time: time) }
        append(assembler, 0, track: 0, time: 9000)
        let first = try #require(assembler.seal(nextTimes: [5000, 0]))
        #expect(first.runs[0].entries.map(\.duration) == [3000, 1, 1, 2998, 1])
        append(assembler, 1, track: 0, time: 100)
        let second = try #require(assembler.seal(nextTimes: [0, 0]))
        #expect(second.runs[0].baseTime == 6001)
    }

    @Test("the size of a fragment is told before it is written, and memory of written ones is used again")
    func sizesAndReuse() throws {
        let folder = TemporaryFolder(isInMemory: true)
        let part = try PartFile.create(at: folder.file("part.mp4"), session: Session(), part: 1)
        var recorded = Recorded([.noise(frames: 200, gop: 7), .audioNoise(packets: 300)])
        try part.begin(tracks: recorded.streams.map(\.track))
        var known: Set<ObjectIdentifier> = []
        var start: Int64 = 0
        for second in 1...6 {
            let next = recorded.fragment(until: Int64(second) * 1_000_000_000)
            let fragment = try #require(next)
            let before = (part.byteCount, part.finalByteCount)
            try part.append([fragment])
            if second > 1 {
                #expect(part.byteCount - before.0 == Int64(fragment.byteCount))
                #expect(part.finalByteCount - before.1 <= Int64(fragment.byteCount + fragment.tableByteCount))
            } else {
                start = part.byteCount - Int64(fragment.byteCount)
            }
            known.insert(ObjectIdentifier(fragment))
            recorded.assembler.recycle(fragment)
        }
        // One is open while another is written.
        #expect(known.count <= 2)
        #expect(start > 132)
        let expected = part.finalByteCount
        #expect(try part.finalise().byteCount == expected)
    }
}
