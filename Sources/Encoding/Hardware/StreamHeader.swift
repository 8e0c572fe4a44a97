import Media

/// The parameter sets of a hardware encoder's stream, completed: hardware says little or nothing about colour and rate.
struct StreamHeader {
    /// What the sequence parameter set says; nil until there is one.
    private(set) var sequence: SequenceParameterSet?
    /// What the stream's samples mean, in its parameter sets as in the file.
    private(set) var color: ColorDescription
    private let format: VideoFormat
    /// Whether the encoder makes Y'CbCr of the frames' R'G'B' itself.
    private let isConverted: Bool
    private var sequenceUnit: [UInt8] = []
    private var pictureUnit: [UInt8] = []
    /// The completed sets, once both are there.
    private var sets: ParameterSets?
    private var isNew = false

    /// - Parameters:
    ///   - format: what the frames are.
    ///   - layout: how their samples lie.
    init(_ format: VideoFormat, _ layout: PixelFormat) {
        self.format = format
        isConverted = layout.isRGB
        color = isConverted ? .bt709 : format.color
    }

    /// Takes a sequence parameter set.
    /// - Returns: false when it cannot be read.
    /// - Throws: `Failure` of kind encoderFailed when its pictures are not those that went in.
    mutating func take(sequence unit: NALUnit) throws(Failure) -> Bool {
        guard !Self.isSame(unit, sequenceUnit) else { return true }
        let bytes = Array(unit.bytes)
        guard let set = try? SequenceParameterSet(bytes) else { return false }
        guard set.width == format.width, set.height == format.height, set.chromaFormat == 1, set.lumaBitDepth == 8
        else {
            throw Failure(
                .encoderFailed, "cannot use the encoder's stream",
                because: "it has pictures of \(set.width)x\(set.height) (chroma format \(set.chromaFormat), "
                    + "\(set.lumaBitDepth) bits) for frames of \(format.width)x\(format.height)")
        }
        // The encoder knows what it made of R'G'B'; of all else the source knows what it is.
        if isConverted { color = Self.stated(set.usability) ?? .bt709 }
        sequence = set
        sequenceUnit = bytes
        complete()
        return true
    }

    /// Takes a picture parameter set.
    /// - Returns: false when it cannot be read.
    mutating func take(picture unit: NALUnit) -> Bool {
        guard !Self.isSame(unit, pictureUnit) else { return true }
        let bytes = Array(unit.bytes)
        guard (try? PictureParameterSet(bytes)) != nil else { return false }
        pictureUnit = bytes
        complete()
        return true
    }

    /// Parameter sets that hold from the next picture on and were not given before.
    mutating func takeNewSets() -> ParameterSets? {
        guard isNew else { return nil }
        isNew = false
        return sets
    }

    /// Whether there are parameter sets, so that pictures are of any use.
    var isComplete: Bool { sets != nil }

    private mutating func complete() {
        guard let sequence, !pictureUnit.isEmpty else { return }
        var usability = sequence.usability ?? VideoUsability()
        let whole = VideoUsability(
            color: color, rate: format.rate, isFixed: format.hasConstantRate,
            referenceFrames: sequence.referenceFrames)
        usability.color = color
        usability.timing = whole.timing
        usability.sampleAspectRatio = usability.sampleAspectRatio ?? whole.sampleAspectRatio
        usability.restriction = usability.restriction ?? whole.restriction
        // It could be read before.
        guard let completed = try? SequenceParameterSet.setting(usability, in: sequenceUnit) else { return }
        sets = ParameterSets(sequence: completed, picture: pictureUnit)
        isNew = true
    }

    /// The colour that an encoder states, where it states one that Y'CbCr can have.
    private static func stated(_ usability: VideoUsability?) -> ColorDescription? {
        guard let color = usability?.color, color.matrix != 0, color.matrix != 2, color.primaries != 2 else {
            return nil
        }
        return color
    }

    private static func isSame(_ unit: NALUnit, _ bytes: [UInt8]) -> Bool {
        unit.bytes.elementsEqual(bytes)
    }
}
