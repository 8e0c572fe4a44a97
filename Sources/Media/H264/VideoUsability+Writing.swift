extension VideoUsability {
    /// Writes vui_parameters( ), E.1.1.
    func write(to writer: inout BitWriter) {
        writeAspectRatio(to: &writer)
        writer.flag(isOverscanAppropriate != nil)
        if let isOverscanAppropriate { writer.flag(isOverscanAppropriate) }
        writeSignal(to: &writer)
        writer.flag(chromaLocation != nil)
        if let chromaLocation {
            writer.unsigned(UInt32(chromaLocation.top))
            writer.unsigned(UInt32(chromaLocation.bottom))
        }
        writer.flag(timing != nil)
        if let timing {
            writer.bits(timing.unitsInTick, 32)
            writer.bits(timing.timeScale, 32)
            writer.flag(timing.isFixed)
        }
        writer.flag(nalReferenceDecoder != nil)
        nalReferenceDecoder?.write(to: &writer)
        writer.flag(vclReferenceDecoder != nil)
        vclReferenceDecoder?.write(to: &writer)
        if nalReferenceDecoder != nil || vclReferenceDecoder != nil { writer.flag(isLowDelay) }
        writer.flag(hasPictureStructure)
        writer.flag(restriction != nil)
        restriction?.write(to: &writer)
    }

    private func writeAspectRatio(to writer: inout BitWriter) {
        writer.flag(sampleAspectRatio != nil)
        guard let ratio = sampleAspectRatio else { return }
        if let index = SampleAspectRatio.known.firstIndex(of: ratio) {
            writer.bits(UInt32(index + 1), 8)
        } else {
            writer.bits(255, 8)
            writer.bits(UInt32(ratio.width), 16)
            writer.bits(UInt32(ratio.height), 16)
        }
    }

    private func writeSignal(to writer: inout BitWriter) {
        writer.flag(color != nil)
        guard let color else { return }
        writer.bits(UInt32(videoFormat & 7), 3)
        writer.flag(color.isFullRange)
        let isDescribed = color.primaries != 2 || color.transfer != 2 || color.matrix != 2
        writer.flag(isDescribed)
        guard isDescribed else { return }
        writer.bits(UInt32(color.primaries), 8)
        writer.bits(UInt32(color.transfer), 8)
        writer.bits(UInt32(color.matrix), 8)
    }
}

extension VideoUsability.ReferenceDecoder {
    fileprivate func write(to writer: inout BitWriter) {
        writer.unsigned(UInt32(buckets.count - 1))
        writer.bits(UInt32(rateScale), 4)
        writer.bits(UInt32(sizeScale), 4)
        for bucket in buckets {
            writer.unsigned(bucket.rate)
            writer.unsigned(bucket.size)
            writer.flag(bucket.isConstantRate)
        }
        for length in lengths { writer.bits(UInt32(length), 5) }
    }
}

extension VideoUsability.Restriction {
    fileprivate func write(to writer: inout BitWriter) {
        writer.flag(allowsVectorsOverEdges)
        for value in [
            maximumBytesDenominator, maximumBitsDenominator, horizontalVectorLog, verticalVectorLog,
        ] {
            writer.unsigned(UInt32(value))
        }
        writer.unsigned(UInt32(reorderedFrames))
        writer.unsigned(UInt32(maximumBufferedFrames))
    }
}

extension SequenceParameterSet {
    /// The same sequence parameter set with other VUI: all bits before it stay as they are. Hardware encoders say little
    /// or nothing about colour and rate; this is how their streams are completed.
    /// - Parameters:
    ///   - usability: what the VUI says from now on.
    ///   - nal: the NAL unit without start code and without length.
    /// - Throws: `Failure` of kind damaged when `nal` cannot be read.
    public static func setting(_ usability: VideoUsability, in nal: [UInt8]) throws(Failure) -> [UInt8] {
        let set = try SequenceParameterSet(nal)
        let plain = nal.withUnsafeBytes { EmulationPrevention.removed(from: $0) }
        var writer = BitWriter()
        let kept = 8 + set.usabilityPosition
        for byte in plain[..<(kept / 8)] { writer.bits(UInt32(byte), 8) }
        if kept % 8 > 0 { writer.bits(UInt32(plain[kept / 8]) >> UInt32(8 - kept % 8), kept % 8) }
        writer.flag(true)
        usability.write(to: &writer)
        writer.trailingBits()
        return EmulationPrevention.inserted(into: writer.bytes)
    }
}
