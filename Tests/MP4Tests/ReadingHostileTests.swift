import Media
import Testing

@testable import MP4

@Suite("Files that are made to trap a reader")
struct ReadingHostileTests {
    let folder = TemporaryFolder(isInMemory: true)

    /// A box around others.
    private func box(_ type: BoxType, _ content: [UInt8] = []) -> [UInt8] {
        var writer = ByteWriter()
        writer.put(box: type) { $0.put(content) }
        return writer.bytes
    }

    private func numbers(_ values: UInt32...) -> [UInt8] {
        var writer = ByteWriter()
        for value in values { writer.put32(value) }
        return writer.bytes
    }

    private var brand: [UInt8] { box("ftyp", Array("isom".utf8) + numbers(0) + Array("isom".utf8)) }

    /// The codes of the faults of a file behind its brand; the reader is made to walk it too.
    private func codes(_ bytes: [UInt8]) throws -> Set<FaultCode> {
        let path = folder.file("hostile.mp4")
        write(brand + bytes, to: path)
        if let reader = try? MovieReader(path: path) {
            for track in reader.tracks.indices {
                var samples = try? reader.samples(ofTrack: track)
                while let sample = try? samples?.next() { _ = sample }
            }
        }
        #expect(refusal(of: { _ = try Recovery.recover(path: path) })?.kind == .notARecording)
        return Set(try Checker.check(path: path).faults.map(\.code))
    }

    /// A track with the tables that are given.
    private func track(_ tables: [UInt8], id: UInt32 = 1) -> [UInt8] {
        let header = box("tkhd", numbers(3, 0, 0, id) + [UInt8](repeating: 0, count: 68))
        let media =
            box("mdhd", numbers(0, 0, 0, 1000, 0, 0)) + box("hdlr", numbers(0, 0, BoxType("vide").code, 0, 0, 0) + [0])
            + box("minf", box("vmhd", numbers(0, 0, 0)) + box("stbl", tables))
        return box("trak", header + box("mdia", media))
    }

    @Test("a hundred thousand boxes, each inside the other")
    func nested() throws {
        var sizes = numbers()
        for depth in (0..<100_000).reversed() {
            sizes += numbers(UInt32(8 * (depth + 1)), BoxType("udta").code)
        }
        #expect(try codes(box("moov", sizes)).contains(.boxDepth))
    }

    @Test("a hundred thousand boxes without content, on all levels")
    func manyBoxes() throws {
        let empty = [UInt8](repeatElement(box("free"), count: 50_000).joined())
        let found = try codes(empty + box("moov", empty + track(empty)))
        #expect(found.contains(.boxMissing) && !found.contains(.unreadable))
    }

    @Test("ten thousand tracks")
    func manyTracks() throws {
        let tracks = [UInt8](repeatElement(track([]), count: 10_000).joined())
        #expect(try codes(box("moov", tracks)).contains(.boxDepth))
    }

    @Test(
        "sizes that overflow 64 bits wherever they stand",
        arguments: [.max, 1 << 63, 1 << 63 - 1, 1 << 62, 16, 15, 0] as [UInt64])
    func overflow(_ size: UInt64) throws {
        var long = ByteWriter()
        long.put32(1)
        long.put32(BoxType("mdat").code)
        long.put64(size)
        #expect(try codes(long.bytes).contains(.boxMissing))
        #expect(try codes(box("moov", long.bytes)).contains(size == 16 ? .boxOrder : .boxSize))
        #expect(try codes(box("moov", track(long.bytes))).contains(size == 16 ? .boxOrder : .boxSize))
    }

    @Test(
        "tables that count to the largest number and have nothing",
        arguments: ["stts", "ctts", "stss", "stsc", "stco", "co64"])
    func countsAlone(_ name: String) throws {
        let type = BoxType(name.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        #expect(try codes(box("moov", track(box(type, numbers(0, .max))))).contains(.tableCount))
    }

    @Test("four billion samples of one byte, and of none", arguments: [UInt32(0), 1, .max])
    func manySamples(_ size: UInt32) throws {
        let tables =
            box("stts", numbers(0, 1, .max, .max)) + box("stsc", numbers(0, 1, 1, .max, 1))
            + box("stco", numbers(0, 1, 0)) + box("stsz", numbers(0, size, .max))
        let found = try codes(box("moov", track(tables)))
        #expect(found.contains(size == 0 ? .tableCount : .sampleCount))
    }

    @Test("a fragment with four billion samples that need no byte to be described", arguments: [UInt32(0), 1, .max])
    func manySamplesInFragment(_ size: UInt32) throws {
        let extends = box("mvex", box("trex", numbers(0, 1, 1, 1, size, 0)))
        let run = box("trun", numbers(0, .max))
        let fragment = box("moof", box("mfhd", numbers(0, 1)) + box("traf", box("tfhd", numbers(0x2_0000, 1)) + run))
        #expect(try codes(box("moov", track([]) + extends) + fragment + box("mdat", [0])).contains(.sampleCount))
    }

    @Test("a million edits")
    func manyEdits() throws {
        let edits = [UInt8](repeating: 1, count: 12_000_000)
        let header = box("tkhd", numbers(3, 0, 0, 1) + [UInt8](repeating: 0, count: 68))
        let list = box("edts", box("elst", numbers(0, 1_000_000) + edits))
        #expect(try codes(box("moov", box("trak", header + list))).contains(.editList))
    }

    @Test("ten thousand fragments whose media lie behind all of them")
    func farMedia() throws {
        let extends = box("mvex", box("trex", numbers(0, 1, 1, 1, 1, 0)))
        var fragments: [UInt8] = []
        for number in 1...UInt32(10_000) {
            let run = box("trun", numbers(1, 1, 0x7FFF_FFFF))
            fragments += box(
                "moof", box("mfhd", numbers(0, number)) + box("traf", box("tfhd", numbers(0x2_0000, 1)) + run))
        }
        #expect(try codes(box("moov", track([]) + extends) + fragments).contains(.sampleOutside))
    }
}
