/// The contents of an MP4 file's `avcC` box: AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3).
public struct AVCDecoderConfiguration: Hashable, Sendable {
    /// AVCProfileIndication, equal to the sequence parameter sets' profile_idc.
    public let profile: UInt8
    /// profile_compatibility, equal to the byte between profile_idc and level_idc.
    public let compatibility: UInt8
    /// AVCLevelIndication.
    public let level: UInt8
    /// Bytes of a NAL unit's length in samples: 1, 2 or 4.
    public let lengthSize: Int
    /// Sequence parameter sets as NAL units, at most 31.
    public let sequenceSets: [[UInt8]]
    /// Picture parameter sets as NAL units, at most 255.
    public let pictureSets: [[UInt8]]
    /// What the High profiles add; nil in other profiles and in records that leave it out.
    public let extended: Extended?

    /// The fields that follow in the High profiles.
    public struct Extended: Hashable, Sendable {
        /// chroma_format, 0…3.
        public let chromaFormat: UInt8
        /// Bits of a luma sample, 8…15.
        public let lumaBitDepth: UInt8
        /// Bits of a chroma sample, 8…15.
        public let chromaBitDepth: UInt8
        /// Sequence parameter set extensions as NAL units.
        public let extensionSets: [[UInt8]]
    }

    /// The record for a stream with one pair of parameter sets and lengths of four bytes.
    /// - Throws: `Failure` of kind damaged when the sequence parameter set cannot be read or a set is too long.
    public init(_ sets: ParameterSets) throws(Failure) {
        let sequence = try SequenceParameterSet(sets.sequence)
        _ = try PictureParameterSet(sets.picture)
        guard sets.sequence.count <= 65535, sets.picture.count <= 65535 else {
            throw Self.damage("a parameter set is longer than 65535 bytes")
        }
        profile = sequence.profile
        compatibility = sequence.constraints
        level = sequence.level
        lengthSize = 4
        sequenceSets = [sets.sequence]
        pictureSets = [sets.picture]
        extended =
            Self.isExtended(profile)
            ? Extended(
                chromaFormat: UInt8(sequence.chromaFormat), lumaBitDepth: UInt8(sequence.lumaBitDepth),
                chromaBitDepth: UInt8(sequence.chromaBitDepth), extensionSets: []) : nil
    }

    /// Reads a box's contents.
    /// - Parameter bytes: what follows the box header.
    /// - Throws: `Failure` of kind damaged when the version is not 1, a length size is 3, a set leads beyond the end, or
    ///   the bytes end too early.
    public init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var reader = ByteReader(bytes)
        guard let version = reader.take8(), let profile = reader.take8(), let compatibility = reader.take8(),
            let level = reader.take8(), let lengths = reader.take8(), let count = reader.take8()
        else { throw Self.damage("it ends too early") }
        guard version == 1 else { throw Self.damage("its version is \(version), not 1") }
        guard lengths & 3 != 2 else { throw Self.damage("its NAL units have lengths of three bytes") }
        self.profile = profile
        self.compatibility = compatibility
        self.level = level
        lengthSize = Int(lengths & 3) + 1
        sequenceSets = try Self.sets(&reader, count: count & 31)
        guard let pictures = reader.take8() else { throw Self.damage("it ends too early") }
        pictureSets = try Self.sets(&reader, count: pictures)
        guard Self.isExtended(profile), reader.remaining > 0 else {
            extended = nil
            return
        }
        guard let chroma = reader.take8(), let luma = reader.take8(), let depth = reader.take8(),
            let extensions = reader.take8()
        else { throw Self.damage("it ends too early") }
        extended = Extended(
            chromaFormat: chroma & 3, lumaBitDepth: (luma & 7) + 8, chromaBitDepth: (depth & 7) + 8,
            extensionSets: try Self.sets(&reader, count: extensions))
    }

    /// The box's contents.
    public var bytes: [UInt8] {
        var writer = ByteWriter(reserving: 64)
        writer.put([1, profile, compatibility, level, 0xFC | UInt8(lengthSize - 1)])
        writer.put8(0xE0 | UInt8(sequenceSets.count))
        Self.put(sequenceSets, to: &writer)
        writer.put8(UInt8(pictureSets.count))
        Self.put(pictureSets, to: &writer)
        if let extended {
            writer.put8(0xFC | extended.chromaFormat)
            writer.put8(0xF8 | (extended.lumaBitDepth - 8))
            writer.put8(0xF8 | (extended.chromaBitDepth - 8))
            writer.put8(UInt8(extended.extensionSets.count))
            Self.put(extended.extensionSets, to: &writer)
        }
        return writer.bytes
    }

    private static func sets(_ reader: inout ByteReader, count: UInt8) throws(Failure) -> [[UInt8]] {
        var sets: [[UInt8]] = []
        for _ in 0..<count {
            guard let length = reader.take16(), let set = reader.take(Int(length)) else {
                throw damage("a parameter set leads beyond its end")
            }
            sets.append(Array(set))
        }
        return sets
    }

    private static func put(_ sets: [[UInt8]], to writer: inout ByteWriter) {
        for set in sets {
            writer.put16(UInt16(set.count))
            writer.put(set)
        }
    }

    /// All profiles but Baseline, Main and Extended have the further fields.
    private static func isExtended(_ profile: UInt8) -> Bool { profile != 66 && profile != 77 && profile != 88 }

    private static func damage(_ cause: String) -> Failure {
        Failure(.damaged, "cannot read the avcC box", because: cause)
    }
}
