import Media
import Testing

@Suite("The avcC record")
struct AVCDecoderConfigurationTests {
    @Test("a High stream's record has its sets and the fields of the High profiles")
    func high() throws {
        let sets = ParameterSetSamples.highDefinition
        let bytes = try AVCDecoderConfiguration(sets).bytes
        let expected: [UInt8] =
            [1, 100, 0, 40, 0xFF, 0xE1, 0, UInt8(sets.sequence.count)] + sets.sequence
            + [1, 0, UInt8(sets.picture.count)] + sets.picture + [0xFD, 0xF8, 0xF8, 0]
        #expect(bytes == expected)
    }

    @Test("a Baseline stream's record ends behind its sets")
    func baseline() throws {
        let sets = ParameterSetSamples.baseline
        let bytes = try AVCDecoderConfiguration(sets).bytes
        #expect(Array(bytes.prefix(6)) == [1, 66, 0xC0, 31, 0xFF, 0xE1])
        #expect(Array(bytes.suffix(sets.picture.count)) == sets.picture)
    }

    @Test("a record that was written is read again", arguments: ParameterSetSamples.all)
    func roundTrip(sets: ParameterSets) throws {
        let written = try AVCDecoderConfiguration(sets)
        let read = try written.bytes.withUnsafeBytes { try AVCDecoderConfiguration($0) }
        #expect(read == written)
        #expect(read.sequenceSets == [sets.sequence] && read.pictureSets == [sets.picture])
    }

    @Test("a record that is cut is refused, except where the fields of the High profiles are left out")
    func cut() throws {
        let bytes = try AVCDecoderConfiguration(ParameterSetSamples.highDefinition).bytes
        for length in 0..<bytes.count {
            let read = bytes.prefix(length).withUnsafeBytes { try? AVCDecoderConfiguration($0) }
            #expect((read != nil) == (length == bytes.count - 4))
        }
    }

    @Test("a version or a length size that does not exist is refused")
    func wrong() throws {
        var bytes = try AVCDecoderConfiguration(ParameterSetSamples.highDefinition).bytes
        bytes[4] = 0xFE
        #expect(throws: Failure.self) { try bytes.withUnsafeBytes { try AVCDecoderConfiguration($0) } }
        bytes[4] = 0xFF
        bytes[0] = 2
        #expect(throws: Failure.self) { try bytes.withUnsafeBytes { try AVCDecoderConfiguration($0) } }
    }

    @Test("sets that are none make no record")
    func noSets() {
        let sets = ParameterSetSamples.highDefinition
        #expect(throws: Failure.self) {
            try AVCDecoderConfiguration(ParameterSets(sequence: sets.picture, picture: sets.sequence))
        }
    }
}
