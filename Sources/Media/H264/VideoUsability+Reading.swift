extension VideoUsability {
    /// Reads vui_parameters( ), E.1.1.
    init(_ reader: inout BitReader) throws(Failure) {
        if try reader.flag() { sampleAspectRatio = try Self.aspectRatio(&reader) }
        if try reader.flag() { isOverscanAppropriate = try reader.flag() }
        if try reader.flag() { try readSignal(&reader) }
        if try reader.flag() {
            chromaLocation = ChromaLocation(
                top: UInt8(try reader.unsigned(upTo: 5, "chroma_sample_loc_type_top_field")),
                bottom: UInt8(try reader.unsigned(upTo: 5, "chroma_sample_loc_type_bottom_field")))
        }
        if try reader.flag() {
            timing = Timing(
                unitsInTick: try reader.bits(32), timeScale: try reader.bits(32), isFixed: try reader.flag())
        }
        if try reader.flag() { nalReferenceDecoder = try ReferenceDecoder(&reader) }
        if try reader.flag() { vclReferenceDecoder = try ReferenceDecoder(&reader) }
        if nalReferenceDecoder != nil || vclReferenceDecoder != nil { isLowDelay = try reader.flag() }
        hasPictureStructure = try reader.flag()
        if try reader.flag() { restriction = try Restriction(&reader) }
    }

    private static func aspectRatio(_ reader: inout BitReader) throws(Failure) -> SampleAspectRatio? {
        let index = Int(try reader.bits(8))
        if index == 255 {
            let (width, height) = (UInt16(try reader.bits(16)), UInt16(try reader.bits(16)))
            return width == 0 || height == 0 ? nil : SampleAspectRatio(width: width, height: height)
        }
        return (1...SampleAspectRatio.known.count).contains(index) ? SampleAspectRatio.known[index - 1] : nil
    }

    private mutating func readSignal(_ reader: inout BitReader) throws(Failure) {
        videoFormat = UInt8(try reader.bits(3))
        var color = ColorDescription(primaries: 2, transfer: 2, matrix: 2, isFullRange: try reader.flag())
        if try reader.flag() {
            color.primaries = UInt8(try reader.bits(8))
            color.transfer = UInt8(try reader.bits(8))
            color.matrix = UInt8(try reader.bits(8))
        }
        self.color = color
    }
}

extension VideoUsability.ReferenceDecoder {
    fileprivate init(_ reader: inout BitReader) throws(Failure) {
        let count = try reader.unsigned(upTo: 31, "cpb_cnt_minus1") + 1
        rateScale = UInt8(try reader.bits(4))
        sizeScale = UInt8(try reader.bits(4))
        buckets = []
        for _ in 0..<count {
            buckets.append(
                Bucket(
                    rate: try reader.unsigned(), size: try reader.unsigned(), isConstantRate: try reader.flag()))
        }
        lengths = []
        for _ in 0..<4 { lengths.append(UInt8(try reader.bits(5))) }
    }
}

extension VideoUsability.Restriction {
    fileprivate init(_ reader: inout BitReader) throws(Failure) {
        allowsVectorsOverEdges = try reader.flag()
        maximumBytesDenominator = UInt8(try reader.unsigned(upTo: 16, "max_bytes_per_pic_denom"))
        maximumBitsDenominator = UInt8(try reader.unsigned(upTo: 16, "max_bits_per_mb_denom"))
        horizontalVectorLog = UInt8(try reader.unsigned(upTo: 16, "log2_max_mv_length_horizontal"))
        verticalVectorLog = UInt8(try reader.unsigned(upTo: 16, "log2_max_mv_length_vertical"))
        reorderedFrames = try reader.unsigned(upTo: 16, "max_num_reorder_frames")
        maximumBufferedFrames = try reader.unsigned(upTo: 16, "max_dec_frame_buffering")
        guard reorderedFrames <= maximumBufferedFrames else {
            throw BitReader.damage("max_num_reorder_frames is greater than max_dec_frame_buffering")
        }
    }
}
