import CKernel
import Glibc
import Linux
import Media
import Testing

@testable import MP4

@Suite("What recovery leaves alone")
struct RecoveryRefusalTests {
    let folder = TemporaryFolder(isInMemory: true)
    let streams = [EncodedStream.noise(frames: 150, size: 30), EncodedStream.audioNoise(packets: 235, size: 10)]

    private func failure(_ path: String) -> Failure? {
        do throws(Failure) {
            _ = try Recovery.recover(path: path)
            return nil
        } catch {
            return error
        }
    }

    /// The bytes of an unfinished recording, and where its fragments begin.
    private func recording() throws -> (bytes: [UInt8], starts: [Int]) {
        let path = folder.file("recording.mp4")
        var part = Optional(try PartFile.create(at: path, session: Session(), part: 1))
        var starts: [Int] = []
        var recorded = Recorded(streams)
        try part?.begin(tracks: streams.map(\.track))
        for second in 1...5 {
            guard let fragment = recorded.fragment(until: Int64(second) * 1_000_000_000) else { break }
            try part?.append([fragment])
            try part?.flush()
            starts.append(Int(part?.byteCount ?? 0) - fragment.byteCount)
        }
        part = nil
        let bytes = contents(of: path)
        unlink(path)
        return (bytes, starts)
    }

    @Test("a recording that runs is busy, and not a byte of it is changed")
    func busy() throws {
        let path = folder.file("live.mp4")
        let part = try Recorded.unfinished(streams, at: path)
        let before = contents(of: path)
        #expect(failure(path)?.kind == .busy)
        #expect(contents(of: path) == before)
        _ = try part.finalise()
        #expect(failure(path)?.kind == .busy, "its writer still holds it")
    }

    @Test("files that are none of ours are not touched")
    func foreign() throws {
        let foreign: [(String, [UInt8])] = [
            ("empty.mp4", []), ("text.mp4", Array("no recording at all, but long enough to hold a header".utf8)),
            ("zeros.mp4", [UInt8](repeating: 0, count: 4096)),
            ("other.mp4", FileHeader.fragmented + [UInt8](repeating: 1, count: 300)),
        ]
        for (name, bytes) in foreign {
            let path = folder.file(name)
            write(bytes, to: path)
            #expect(failure(path)?.kind == .notARecording)
            #expect(contents(of: path) == bytes)
        }
        #expect(failure(folder.file("missing.mp4"))?.kind == .notARecording)
        #expect(failure(folder.path)?.kind == .notARecording)
        mkfifo(folder.file("pipe"), 0o600)
        #expect(failure(folder.file("pipe"))?.kind == .notARecording)
    }

    @Test("a recording whose start was damaged afterwards is left as it is")
    func damagedStart() throws {
        let (bytes, starts) = try recording()
        for place in [150, starts[0] + 50, starts[0] + 100] {
            var damaged = bytes
            damaged[place] ^= 0x40
            let path = folder.file("damaged.mp4")
            write(damaged, to: path)
            #expect(failure(path)?.kind == .damaged)
            #expect(folder.holds(damaged, in: path))
        }
    }

    @Test("media that were safe are believed, unless a thorough recovery is asked for")
    func thorough() throws {
        let (bytes, starts) = try recording()
        var damaged = bytes
        damaged[starts[3] - 20] ^= 1
        let path = folder.file("damaged.mp4")
        write(damaged, to: path)
        guard case .finished(_, let frames, let lost) = try Recovery.recover(path: path) else {
            Issue.record("it was not finished")
            return
        }
        #expect(frames == 150 && lost == 0)
        write(damaged, to: path)
        guard case .finished(_, let frames, let lost) = try Recovery.recover(path: path, isThorough: true) else {
            Issue.record("it was not finished")
            return
        }
        #expect(frames == 60 && lost == Int64(bytes.count - starts[2]))
    }

    @Test("fragments of another part of the same session do not count")
    func otherPart() throws {
        let session = Session()
        var parts: [[UInt8]] = []
        for number in 1...2 {
            let path = folder.file("part\(number).mp4")
            let part = try PartFile.create(at: path, session: session, part: number)
            var recorded = Recorded(streams)
            try recorded.write(to: part)
            parts.append(contents(of: path))
        }
        let path = folder.file("mixed.mp4")
        // The same samples in both: only the number of the part tells the second half from what was cut off. The middle
        // lies in the third fragment.
        let half = parts[0].count / 2
        write(Array(parts[0][..<half]) + Array(parts[1][half...]), to: path)
        guard case .finished(_, let frames, _) = try Recovery.recover(path: path) else {
            Issue.record("it was not finished")
            return
        }
        #expect(frames == 90)
    }

    @Test("sizes that a hostile file names lead nowhere, whether its checksums agree or not", arguments: [false, true])
    func hostile(_ isSealed: Bool) throws {
        let (bytes, starts) = try recording()
        var generator = NumberSequence(seed: 21)
        let path = folder.file("hostile.mp4")
        for round in 0..<600 {
            var damaged = bytes
            for _ in 0...(round % 4) {
                let place = Int.random(in: 132..<(starts[1] + 400), using: &generator)
                let values: [[UInt8]] = [
                    [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 1],
                    [0, 0, 0, 8], [0, 0x10, 0, 0],
                ]
                let value = values.randomElement(using: &generator) ?? []
                damaged.replaceSubrange(place..<(place + 4), with: value)
            }
            if isSealed { seal(&damaged, starts) }
            write(damaged, to: path)
            // Whatever it says, it must neither crash nor touch what it will not finish.
            if failure(path) != nil { #expect(folder.holds(damaged, in: path)) }
        }
    }

    /// Makes the checksums of the fragments' records agree with what was done to them and to the tracks' description.
    private func seal(_ bytes: inout [UInt8], _ starts: [Int]) {
        let movie = checksum(bytes[132..<starts[0]])
        for start in starts {
            put(movie, into: &bytes, at: start + 68)
            let headerLength = bytes[(start + 52)..<(start + 56)].reduce(0) { $0 << 8 | Int($1) }
            let end = min(start + 80 + headerLength, bytes.count)
            put(checksum(bytes[start..<(start + 76)] + bytes[(start + 80)..<end]), into: &bytes, at: start + 76)
        }
    }

    private func put(_ number: UInt32, into bytes: inout [UInt8], at place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index)) }
    }

    private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBytes { ckernel_crc32c(0, $0.baseAddress, $0.count) }
    }
}
