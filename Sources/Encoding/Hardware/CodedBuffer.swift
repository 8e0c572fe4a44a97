import Media

/// Sorts what a hardware encoder put into a buffer: pictures go into packets, parameter sets into the header, and what MP4
/// has no use for is left out.
enum CodedBuffer {
    /// What a buffer turned out to hold.
    enum Content: Hashable, Sendable {
        /// Nothing, or parameter sets alone.
        case noPicture
        case picture(isKeyFrame: Bool)
        /// A picture that is not whole or cannot be decoded.
        case damaged
    }

    /// Sorts one buffer's NAL units.
    /// - Parameters:
    ///   - bytes: a byte stream with start codes.
    ///   - packet: empty; gets slices and supplements, each behind its length.
    ///   - header: gets the parameter sets.
    /// - Throws: `Failure` of kind encoderFailed when the stream is of no use.
    static func sort(
        _ bytes: UnsafeRawBufferPointer, into packet: EncodedPacket, _ header: inout StreamHeader
    ) throws(Failure) -> Content {
        var content = Content.noPicture
        for unit in AnnexBNALUnits(bytes) {
            switch unit.kind {
            case .sequenceParameterSet:
                if try !header.take(sequence: unit) { return .damaged }
            case .pictureParameterSet:
                if !header.take(picture: unit) { return .damaged }
            case .slice, .idrSlice:
                guard isWhole(unit, header, isFirst: content == .noPicture) else { return .damaged }
                content = .picture(isKeyFrame: unit.kind == .idrSlice)
                append(unit, to: packet)
            case .supplement:
                append(unit, to: packet)
            default:
                break
            }
        }
        if case .picture(let isKeyFrame) = content { packet.isKeyFrame = isKeyFrame }
        return content
    }

    /// Whether a slice can be what it says. A picture that was cut off within its samples cannot be told from a whole one
    /// without decoding it; one that was cut off in its header can.
    private static func isWhole(_ unit: NALUnit, _ header: StreamHeader, isFirst: Bool) -> Bool {
        guard header.isComplete, let sequence = header.sequence,
            let slice = try? SliceHeader(unit, sequence: sequence)
        else { return false }
        return !isFirst || slice.firstMacroblock == 0
    }

    private static func append(_ unit: NALUnit, to packet: EncodedPacket) {
        withUnsafeBytes(of: UInt32(unit.bytes.count).bigEndian) { packet.append($0) }
        packet.append(unit.bytes)
    }
}
