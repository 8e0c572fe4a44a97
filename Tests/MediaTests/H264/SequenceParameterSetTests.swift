import Testing

@testable import Media

@Suite("Sequence and picture parameter sets")
struct SequenceParameterSetTests {
    @Test("a high definition set is read whole")
    func highDefinition() throws {
        let set = try SequenceParameterSet(ParameterSetSamples.highDefinition.sequence)
        #expect(set.profile == 100 && set.constraints == 0 && set.level == 40 && set.id == 0)
        #expect(set.width == 1920 && set.height == 1080 && set.codedHeight == 1088 && set.isProgressive)
        #expect(set.crop == SequenceParameterSet.Crop(left: 0, right: 0, top: 0, bottom: 8))
        #expect(set.chromaFormat == 1 && set.lumaBitDepth == 8 && set.chromaBitDepth == 8)
        #expect(set.pictureOrderType == 2 && set.referenceFrames == 1 && set.frameNumberBits == 4)
        let usability = try #require(set.usability)
        #expect(usability.sampleAspectRatio == .square)
        #expect(usability.color == .bt709 && usability.videoFormat == 5)
        #expect(usability.timing == VideoUsability.Timing(unitsInTick: 1, timeScale: 60, isFixed: true))
        #expect(usability.timing?.rate == .thirty)
        let restriction = try #require(usability.restriction)
        #expect(restriction.reorderedFrames == 0 && restriction.maximumBufferedFrames == 1)
        #expect(restriction.horizontalVectorLog == 11 && restriction.verticalVectorLog == 11)
        #expect(usability.nalReferenceDecoder == nil && !usability.hasPictureStructure)
    }

    @Test("a reference decoder, overscan and chroma location are read")
    func referenceDecoder() throws {
        let set = try SequenceParameterSet(ParameterSetSamples.referenceDecoder.sequence)
        #expect(set.width == 1366 && set.height == 768 && set.referenceFrames == 5 && set.pictureOrderType == 0)
        let usability = try #require(set.usability)
        #expect(usability.isOverscanAppropriate == false && usability.videoFormat == 1)
        #expect(usability.color == ColorDescription(primaries: 2, transfer: 2, matrix: 2))
        #expect(usability.chromaLocation == VideoUsability.ChromaLocation(top: 1, bottom: 1))
        let decoder = try #require(usability.nalReferenceDecoder)
        #expect(decoder.bitRate == 4_000_000 && decoder.bufferSize == 8_000_000)
        #expect(decoder.lengths == [19, 13, 7, 0])
        #expect(usability.vclReferenceDecoder == nil && !usability.isLowDelay)
        #expect(usability.restriction?.reorderedFrames == 2)
    }

    @Test("fields, other chroma formats, bit depths and profiles are read")
    func formats() throws {
        let interlaced = try SequenceParameterSet(ParameterSetSamples.interlaced.sequence)
        #expect(interlaced.width == 1920 && interlaced.height == 1080 && !interlaced.isProgressive)
        #expect(interlaced.usability?.hasPictureStructure == true)
        let tenBits = try SequenceParameterSet(ParameterSetSamples.tenBits.sequence)
        #expect(tenBits.profile == 122 && tenBits.chromaFormat == 2 && tenBits.lumaBitDepth == 10)
        #expect(tenBits.width == 640 && tenBits.height == 480 && tenBits.chromaBitDepth == 10)
        let fullChroma = try SequenceParameterSet(ParameterSetSamples.fullChroma.sequence)
        #expect(fullChroma.profile == 244 && fullChroma.chromaFormat == 3 && !fullChroma.hasSeparatePlanes)
        #expect(fullChroma.width == 322 && fullChroma.height == 242 && fullChroma.level == 13)
        let baseline = try SequenceParameterSet(ParameterSetSamples.baseline.sequence)
        #expect(baseline.profile == 66 && baseline.constraints == 0xC0 && baseline.level == 31)
        #expect(baseline.width == 640 && baseline.height == 360 && baseline.referenceFrames == 3)
        #expect(baseline.usability?.timing?.rate == FrameRate(60000, 1001))
        let fullRange = try SequenceParameterSet(ParameterSetSamples.fullRange.sequence)
        #expect(fullRange.width == 160 && fullRange.height == 120 && fullRange.level == 10)
        #expect(
            fullRange.usability?.color
                == ColorDescription(primaries: 6, transfer: 6, matrix: 6, isFullRange: true))
        let ultrafast = try SequenceParameterSet(ParameterSetSamples.ultrafast.sequence)
        #expect(ultrafast.width == 1296 && ultrafast.height == 972 && ultrafast.level == 32)
    }

    @Test("the picture parameter set tells its ids and its entropy coding")
    func pictureSet() throws {
        let cabac = try PictureParameterSet(ParameterSetSamples.highDefinition.picture)
        #expect(cabac.id == 0 && cabac.sequenceID == 0 && cabac.usesArithmeticCoding)
        #expect(try !PictureParameterSet(ParameterSetSamples.baseline.picture).usesArithmeticCoding)
        #expect(throws: Failure.self) { try PictureParameterSet(ParameterSetSamples.baseline.sequence) }
        #expect(throws: Failure.self) { try PictureParameterSet([0x68]) }
    }

    @Test("VUI that is read and written again gives the same bytes", arguments: ParameterSetSamples.all)
    func rewritten(sets: ParameterSets) throws {
        let usability = try #require(try SequenceParameterSet(sets.sequence).usability)
        #expect(try SequenceParameterSet.setting(usability, in: sets.sequence) == sets.sequence)
    }

    @Test("new VUI changes nothing else", arguments: ParameterSetSamples.all)
    func patched(sets: ParameterSets) throws {
        let before = try SequenceParameterSet(sets.sequence)
        var usability = VideoUsability(
            color: .bt601, rate: try #require(FrameRate(60000, 1001)), referenceFrames: before.referenceFrames)
        usability.sampleAspectRatio = VideoUsability.SampleAspectRatio(width: 1000, height: 999)
        let patched = try SequenceParameterSet.setting(usability, in: sets.sequence)
        let after = try SequenceParameterSet(patched)
        #expect(after.usability == usability)
        #expect(after.usabilityPosition == before.usabilityPosition)
        #expect(after.width == before.width && after.height == before.height && after.level == before.level)
        // Bits before the VUI, emulation prevention aside, are the same; so taking the old VUI back gives the old set.
        let old = try #require(before.usability)
        #expect(try SequenceParameterSet.setting(old, in: patched) == sets.sequence)
    }

    @Test("a set that is cut anywhere is told, and never read beyond its end", arguments: ParameterSetSamples.all)
    func cut(sets: ParameterSets) throws {
        let whole = try SequenceParameterSet(sets.sequence)
        for length in 0..<sets.sequence.count {
            // The last byte may hold the stop bit alone.
            guard let read = try? SequenceParameterSet(Array(sets.sequence.prefix(length))) else { continue }
            #expect(length == sets.sequence.count - 1 && read == whole)
        }
    }

    @Test("any bytes are read or refused, without a crash")
    func hostile() {
        var random = Random(state: 1)
        var read = 0
        for round in 0..<4000 {
            var bytes = ParameterSetSamples.all[round % ParameterSetSamples.all.count].sequence
            for _ in 0...(round % 5) {
                bytes[Int.random(in: 1..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let set = try? SequenceParameterSet(bytes) else { continue }
            read += 1
            #expect(set.width > 0 && set.height > 0 && set.referenceFrames <= 16)
        }
        #expect(read > 0)
    }

    /// The same numbers in every run (a linear congruential generator).
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 33
        }
    }

    @Test("values that the standard excludes are refused")
    func excluded() {
        // 255 empty macroblock columns and a crop of everything; then a number of more than 32 bits.
        for hex in ["6742c01e" + String(repeating: "00", count: 40), "6742c01eff", "67", "", "e742c01fd900a02ff97011"] {
            #expect(throws: Failure.self) { try SequenceParameterSet(ParameterSetSamples.bytes(hex)) }
        }
    }
}
