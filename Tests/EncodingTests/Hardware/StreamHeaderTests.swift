import Media
import Testing

@testable import Encoding

@Suite("Completing a hardware encoder's parameter sets")
struct StreamHeaderTests {
    private func format(_ color: ColorDescription, width: Int = 64) -> VideoFormat {
        VideoFormat(width: width, height: 48, pixelFormat: .nv12, rate: .thirty, color: color)
    }

    /// Parameter sets with the VUI that an encoder gives them.
    private func sets(_ usability: VideoUsability?) throws -> ParameterSets {
        let encoder = try SoftwareEncoder(SoftwareEncoder.Configuration(format: format(.bt601)))
        var sets = encoder.parameterSets
        sets.sequence = try SequenceParameterSet.setting(usability ?? VideoUsability(), in: sets.sequence)
        return sets
    }

    private func taken(_ sets: ParameterSets, _ header: inout StreamHeader) throws -> Bool {
        let first = try sets.sequence.withUnsafeBytes { bytes in
            let unit = try #require(NALUnit(bytes))
            return try header.take(sequence: unit)
        }
        return try sets.picture.withUnsafeBytes { bytes in
            let unit = try #require(NALUnit(bytes))
            return header.take(picture: unit) && first
        }
    }

    @Test("the samples are what went in, whatever the encoder says of them")
    func samples() throws {
        var wrong = VideoUsability()
        wrong.color = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true)
        wrong.timing = VideoUsability.Timing(unitsInTick: 1, timeScale: 50, isFixed: false)
        for usability in [nil, wrong] {
            var header = StreamHeader(format(.bt601), .nv12)
            #expect(header.color == .bt601)
            let isTaken = try taken(sets(usability), &header)
            let new = header.takeNewSets()
            let completed = try #require(new)
            #expect(isTaken)
            let said = try SequenceParameterSet(completed.sequence).usability
            #expect(said?.color == .bt601 && header.color == .bt601)
            #expect(said?.timing?.rate == .thirty)
            #expect(said?.restriction?.reorderedFrames == 0)
            #expect(said?.sampleAspectRatio == .square)
        }
    }

    @Test("a rate that is not kept to is not said to be fixed", arguments: [true, false])
    func uneven(isConstant: Bool) throws {
        var format = format(.bt601)
        format.hasConstantRate = isConstant
        var header = StreamHeader(format, .nv12)
        _ = try taken(sets(nil), &header)
        let new = header.takeNewSets()
        let timing = try SequenceParameterSet(try #require(new).sequence).usability?.timing
        #expect(timing == VideoUsability.Timing(.thirty, isFixed: isConstant))
    }

    @Test("of R'G'B' the encoder knows what it made; where it does not say, it is BT.709")
    func converted() throws {
        let colors = ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
        var stated = VideoUsability()
        stated.color = .bt601
        var rangeOnly = VideoUsability()
        rangeOnly.color = ColorDescription(primaries: 2, transfer: 2, matrix: 2, isFullRange: false)
        for (usability, expected) in [(stated, ColorDescription.bt601), (rangeOnly, .bt709), (nil, .bt709)] {
            var header = StreamHeader(format(colors), .bgrx32)
            #expect(header.color == .bt709)
            let isTaken = try taken(sets(usability), &header)
            let new = header.takeNewSets()
            #expect(isTaken && header.color == expected)
            let completed = try #require(new)
            #expect(try SequenceParameterSet(completed.sequence).usability?.color == expected)
        }
    }

    @Test("what the encoder says of its references stays")
    func references() throws {
        var usability = VideoUsability()
        usability.restriction = VideoUsability.Restriction(maximumBufferedFrames: 4)
        usability.hasPictureStructure = true
        var header = StreamHeader(format(.bt709), .nv12)
        let isTaken = try taken(sets(usability), &header)
        let new = header.takeNewSets()
        let said = try SequenceParameterSet(try #require(new).sequence).usability
        #expect(isTaken)
        #expect(said?.restriction == usability.restriction && said?.hasPictureStructure == true)
    }

    @Test("a stream of another size than the frames is refused")
    func otherSize() throws {
        var header = StreamHeader(format(.bt709, width: 80), .nv12)
        let failure = #expect(throws: Failure.self) { try taken(sets(nil), &header) }
        #expect(failure?.kind == .encoderFailed && failure?.cause.contains("64x48") == true)
        #expect(!header.isComplete)
    }
}
