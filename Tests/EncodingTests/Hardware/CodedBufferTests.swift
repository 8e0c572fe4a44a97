import Media
import Testing

@testable import Encoding

@Suite("Sorting what a hardware encoder puts out")
struct CodedBufferTests {
    private let format = VideoFormat(width: 64, height: 48, pixelFormat: .nv12, rate: .thirty, color: .bt601)

    /// A stream of x264's: its parameter sets, and its first pictures as NAL units.
    private func stream(_ count: Int) throws -> (ParameterSets, [[[UInt8]]]) {
        let encoder = try SoftwareEncoder(SoftwareEncoder.Configuration(format: format))
        let coded = try EncodedStream(encoder, TestPictures(format), count: count)
        let pictures = coded.pictures.map { picture in
            picture.bytes.withUnsafeBytes { bytes in LengthPrefixedNALUnits(bytes).map { Array($0.bytes) } }
        }
        return (try #require(coded.parameterSets[0]), pictures)
    }

    private func sort(
        _ units: [[UInt8]], _ header: inout StreamHeader, startCode: [UInt8] = [0, 0, 0, 1]
    ) throws -> (CodedBuffer.Content, EncodedPacket) {
        let packet = EncodedPacket()
        let bytes = units.flatMap { startCode + $0 }
        let content = try bytes.withUnsafeBytes { try CodedBuffer.sort($0, into: packet, &header) }
        return (content, packet)
    }

    private func expect(
        _ units: [[UInt8]], _ header: inout StreamHeader, _ expected: CodedBuffer.Content,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let content = try sort(units, &header).0
        #expect(content == expected, sourceLocation: location)
    }

    private func units(_ packet: EncodedPacket) -> [[UInt8]] {
        LengthPrefixedNALUnits(packet.bytes).map { Array($0.bytes) }
    }

    @Test("parameter sets, delimiters and filler are left out; slices stay as they are", arguments: [3, 4])
    func whole(zeros: Int) throws {
        let (sets, pictures) = try stream(2)
        let code = Array(repeating: UInt8(0), count: zeros - 1) + [1]
        var header = StreamHeader(format, .nv12)
        let first = [[9, 0xF0], sets.sequence, sets.picture] + pictures[0] + [[12, 0xFF, 0x80]]
        let (content, packet) = try sort(first, &header, startCode: code)
        #expect(content == .picture(isKeyFrame: true) && packet.isKeyFrame)
        #expect(units(packet) == pictures[0])
        let (new, none) = (header.takeNewSets(), header.takeNewSets())
        #expect(new != nil && none == nil)
        let (next, other) = try sort([[9, 0xF0]] + pictures[1], &header, startCode: code)
        #expect(next == .picture(isKeyFrame: false) && !other.isKeyFrame)
        #expect(units(other) == pictures[1])
        // The same sets once more are no new ones; zeros behind a unit are no part of it.
        let again = [sets.sequence, sets.picture + [0, 0]] + pictures[0]
        try expect(again, &header, .picture(isKeyFrame: true))
        let newest = header.takeNewSets()
        #expect(newest == nil)
    }

    @Test("parameter sets alone are no picture; their picture follows")
    func headersAlone() throws {
        let (sets, pictures) = try stream(1)
        var header = StreamHeader(format, .nv12)
        try expect([sets.sequence, sets.picture], &header, .noPicture)
        try expect([], &header, .noPicture)
        try expect(pictures[0], &header, .picture(isKeyFrame: true))
        let new = header.takeNewSets()
        #expect(new != nil)
    }

    @Test("what cannot be decoded is damaged: no parameter sets, a cut header, a picture that begins in its middle")
    func damaged() throws {
        let (sets, pictures) = try stream(2)
        var header = StreamHeader(format, .nv12)
        try expect(pictures[0], &header, .damaged)
        try expect([sets.sequence, sets.picture] + pictures[0], &header, .picture(isKeyFrame: true))
        let slice = try #require(pictures[1].last)
        try expect([Array(slice[..<2])], &header, .damaged)
        try expect([Array(slice[..<1])], &header, .damaged)
        // first_mb_in_slice 1 instead of 0: the code 010 for 1.
        var later = slice
        later[1] = slice[1] >> 2 | 0x40
        try expect([later], &header, .damaged)
        try expect([[0x67, 100]], &header, .damaged)
        try expect([[0x68]], &header, .damaged)
    }

    @Test("any bytes are sorted without a trap")
    func anything() throws {
        let (sets, pictures) = try stream(1)
        var random = SystemRandomNumberGenerator()
        let good = [sets.sequence, sets.picture] + pictures[0]
        for _ in 0..<300 {
            var header = StreamHeader(format, .nv12)
            var bytes: [UInt8] = good.flatMap { (unit: [UInt8]) -> [UInt8] in [0, 0, 1] + unit }
            for _ in 0..<8 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255) }
            let cut = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
            // A stream of another size is refused.
            let content = try? Array(cut).withUnsafeBytes { try CodedBuffer.sort($0, into: EncodedPacket(), &header) }
            if case .picture = content { #expect(header.sequence?.width == 64) }
        }
    }
}
