import Media
import Testing

@Suite("Reading and writing bytes")
struct ByteReaderTests {
    @Test("numbers are read as they were written, the most significant byte first")
    func roundTrip() {
        var writer = ByteWriter()
        writer.put8(0x12)
        writer.put16(0x3456)
        writer.put24(0xFF78_9ABC)
        writer.put32(0xDEF0_1234)
        writer.put64(0x5678_9ABC_DEF0_1234)
        writer.put(text: "avc1")
        writer.put(repeating: 7, count: 2)
        #expect(writer.count == 24)
        #expect(Array(writer.bytes.prefix(6)) == [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC])
        writer.bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            #expect(reader.take8() == 0x12)
            #expect(reader.take16() == 0x3456)
            #expect(reader.take24() == 0x78_9ABC)
            #expect(reader.take32() == 0xDEF0_1234)
            #expect(reader.take64() == 0x5678_9ABC_DEF0_1234)
            #expect(reader.take(4).map(Array.init) == Array("avc1".utf8))
            #expect(reader.remaining == 2 && reader.offset == 22)
        }
    }

    @Test("a read that would pass the end gives nothing and moves nothing")
    func end() {
        [UInt8](1...7).withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            #expect(reader.take64() == nil && reader.offset == 0)
            #expect(reader.take(8) == nil && reader.take(-1) == nil && !reader.skip(8))
            #expect(reader.skip(5) && reader.take24() == nil && reader.take32() == nil)
            #expect(reader.take16() == 0x0607)
            #expect(reader.take8() == nil && reader.take(0)?.count == 0 && reader.remaining == 0)
        }
        var empty = ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(empty.take8() == nil && empty.take(0)?.count == 0)
    }

    @Test("a number can be put over an older one, and memory is kept")
    func replace() {
        var writer = ByteWriter()
        writer.put([1, 2, 3, 4, 5, 6])
        writer.replace32(at: 1, with: 0xA0B0_C0D0)
        #expect(writer.bytes == [1, 0xA0, 0xB0, 0xC0, 0xD0, 6])
        writer.removeAll()
        #expect(writer.count == 0 && writer.bytes.isEmpty)
    }
}
