import Testing

@testable import Media

@Suite("NAL units")
struct NALUnitTests {
    @Test("a byte stream falls into its units, with start codes of either length and zeros between")
    func annexB() {
        let bytes: [UInt8] = [
            9, 9, 0, 0, 0, 1, 0x67, 1, 1, 0, 0, 1, 0x68, 2, 0, 0, 0, 0, 1, 0x65, 0, 0, 3, 1, 5, 0, 0, 1, 0, 0, 1, 0x41,
            1, 0,
        ]
        let units = bytes.withUnsafeBytes { bytes in
            AnnexBNALUnits(bytes).map { ($0.kind, Array($0.bytes)) }
        }
        #expect(units.map(\.1) == [[0x67, 1, 1], [0x68, 2], [0x65, 0, 0, 3, 1, 5], [0x41, 1]])
        #expect(units.map(\.0) == [.sequenceParameterSet, .pictureParameterSet, .idrSlice, .slice])
    }

    @Test("a stream without a start code has no unit", arguments: [[], [1], [0, 0], [0, 1, 0, 1], [0, 0, 1]])
    func noUnits(bytes: [UInt8]) {
        #expect(bytes.withUnsafeBytes { AnnexBNALUnits($0).map(\.kind.rawValue) } == [])
    }

    @Test("a sample falls into its units", arguments: [1, 2, 4])
    func lengthPrefixed(size: Int) {
        let bytes = [[0x65, 7, 8], [0x06]].flatMap { (unit: [UInt8]) in
            [UInt8](repeating: 0, count: size - 1) + [UInt8(unit.count)] + unit
        }
        bytes.withUnsafeBytes { bytes in
            var units = LengthPrefixedNALUnits(bytes, lengthSize: size)
            let first = units.next()
            #expect(first?.kind == .idrSlice && first?.referenceIndicator == 3 && first?.bytes.count == 3)
            #expect(units.next()?.kind == .supplement)
            #expect(units.next() == nil)
            #expect(!units.isDamaged)
        }
    }

    @Test(
        "a length that leads beyond the sample is told",
        arguments: [[0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2, 0x65], [255, 255, 255, 255, 1], [0, 0, 0, 1, 0x85]])
    func damaged(bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var units = LengthPrefixedNALUnits(bytes)
            #expect(units.next() == nil)
            #expect(units.isDamaged)
        }
    }

    @Test("emulation prevention goes out and comes back")
    func emulation() {
        let cases: [([UInt8], [UInt8])] = [
            ([0, 0, 1], [0, 0, 3, 1]), ([0, 0, 0, 0], [0, 0, 3, 0, 0, 3]), ([0, 0, 3], [0, 0, 3, 3]),
            ([0, 0, 4], [0, 0, 4]), ([1, 0], [1, 0, 3]), ([0, 1, 0, 0, 2], [0, 1, 0, 0, 3, 2]),
        ]
        for (plain, guarded) in cases {
            #expect(EmulationPrevention.inserted(into: plain) == guarded)
            let removed = guarded.withUnsafeBytes { EmulationPrevention.removed(from: $0) }
            // The byte behind a last zero belongs to no reading that stops at the stop bit.
            #expect(removed == plain || removed == plain + [3])
        }
    }

    @Test("numbers of all lengths are read as they were written")
    func numbers() throws {
        var writer = BitWriter()
        let values: [UInt32] = [0, 1, 2, 3, 7, 8, 255, 65534, 65535, 1 << 31 - 1, UInt32.max - 1]
        for value in values {
            writer.unsigned(value)
            writer.bits(value, 32)
        }
        writer.trailingBits()
        let bytes = EmulationPrevention.inserted(into: writer.bytes)
        try bytes.withUnsafeBytes { bytes in
            var reader = BitReader(bytes)
            for value in values {
                let number = try reader.unsigned()
                #expect(number == value && reader.hasMoreData())
                let bits = try reader.bits(32)
                #expect(bits == value)
            }
            #expect(!reader.hasMoreData())
        }
    }

    @Test("slices tell where they begin and which picture they belong to")
    func slices() throws {
        let sequence = try SequenceParameterSet(ParameterSetSamples.highDefinition.sequence)
        let expected: [(String, Int, SliceHeader.Kind, Int, Int?)] = [
            ("65888410ffd2acfd78d9ea30", 0, .i, 0, 0), ("65001fe2221010bfd6781eff", 4080, .i, 0, 0),
            ("419a26231fd05d889f3705ad", 0, .p, 1, nil), ("41001fe2689887dffe9e1001", 4080, .p, 1, nil),
            ("6588820cffccff9e64cd9b89", 0, .i, 0, 1), ("6588820cff", 0, .i, 0, 1),
        ]
        for (hex, macroblock, kind, number, idr) in expected {
            try ParameterSetSamples.bytes(hex).withUnsafeBytes { bytes in
                let header = try SliceHeader(try #require(NALUnit(bytes)), sequence: sequence)
                #expect(header.firstMacroblock == macroblock && header.kind == kind && header.isWholePicture)
                #expect(header.frameNumber == number && header.idrID == idr && header.pictureSetID == 0)
                #expect(!header.isField)
            }
        }
    }

    @Test("what is no slice, or a cut one, is refused", arguments: ["67640028", "65", "6500", "65001fe2"])
    func noSlice(hex: String) throws {
        let sequence = try SequenceParameterSet(ParameterSetSamples.highDefinition.sequence)
        try ParameterSetSamples.bytes(hex).withUnsafeBytes { bytes in
            let unit = try #require(NALUnit(bytes))
            #expect(throws: Failure.self) { try SliceHeader(unit, sequence: sequence) }
        }
    }
}
