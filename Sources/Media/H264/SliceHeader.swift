/// The beginning of a slice header (Rec. ITU-T H.264, 7.3.3). Reading one allocates nothing.
public struct SliceHeader: Hashable, Sendable {
    /// What a slice is predicted from (table 7-6).
    public enum Kind: UInt8, Sendable {
        case p, b, i, switchingP, switchingI
    }

    /// first_mb_in_slice: 0 in the slice that begins a picture.
    public let firstMacroblock: Int
    /// slice_type.
    public let kind: Kind
    /// True when the slice says that all slices of its picture are of its kind.
    public let isWholePicture: Bool
    /// pic_parameter_set_id, 0…255.
    public let pictureSetID: Int
    /// frame_num, 0…65535.
    public let frameNumber: Int
    /// True when the slice belongs to a field.
    public let isField: Bool
    /// idr_pic_id, in slices of IDR pictures.
    public let idrID: Int?

    /// - Parameters:
    ///   - unit: a slice.
    ///   - sequence: the sequence parameter set that holds for it.
    /// - Throws: `Failure` of kind damaged when the unit is no slice, ends too early, or holds a value that the standard
    ///   excludes.
    public init(_ unit: NALUnit, sequence: SequenceParameterSet) throws(Failure) {
        guard unit.kind == .slice || unit.kind == .idrSlice else { throw BitReader.damage("it is no slice") }
        var reader = BitReader(UnsafeRawBufferPointer(rebasing: unit.bytes[1...]))
        let macroblocks = sequence.codedWidth / 16 * (sequence.codedHeight / 16)
        firstMacroblock = try reader.unsigned(upTo: UInt32(macroblocks - 1), "first_mb_in_slice")
        let type = try reader.unsigned(upTo: 9, "slice_type")
        guard let kind = Kind(rawValue: UInt8(type % 5)) else { throw BitReader.damage("slice_type is \(type)") }
        self.kind = kind
        isWholePicture = type > 4
        pictureSetID = try reader.unsigned(upTo: 255, "pic_parameter_set_id")
        if sequence.hasSeparatePlanes { _ = try reader.bits(2) }
        frameNumber = Int(try reader.bits(sequence.frameNumberBits))
        isField = sequence.isProgressive ? false : try reader.flag()
        if isField { _ = try reader.flag() }
        idrID = unit.kind == .idrSlice ? try reader.unsigned(upTo: 65535, "idr_pic_id") : nil
    }
}
