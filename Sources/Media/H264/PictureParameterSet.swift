/// What a picture parameter set says, as far as a recorder cares (Rec. ITU-T H.264, 7.3.2.2).
public struct PictureParameterSet: Hashable, Sendable {
    /// pic_parameter_set_id, 0…255.
    public let id: Int
    /// The sequence parameter set that it refers to, 0…31.
    public let sequenceID: Int
    /// entropy_coding_mode_flag: CABAC when true, else CAVLC.
    public let usesArithmeticCoding: Bool

    /// - Parameter nal: the NAL unit without start code and without length.
    /// - Throws: `Failure` of kind damaged when it is no picture parameter set, ends too early, or holds an id that the
    ///   standard excludes.
    public init(_ nal: [UInt8]) throws(Failure) {
        self = try BitReader.read(nal, of: .pictureParameterSet, "picture parameter set") {
            (reader) throws(Failure) in
            let id = try reader.unsigned(upTo: 255, "pic_parameter_set_id")
            let sequenceID = try reader.unsigned(upTo: 31, "seq_parameter_set_id")
            let mode = try reader.flag()
            guard reader.hasMoreData() else { throw BitReader.damage("it ends too early") }
            return PictureParameterSet(id: id, sequenceID: sequenceID, usesArithmeticCoding: mode)
        }
    }

    private init(id: Int, sequenceID: Int, usesArithmeticCoding: Bool) {
        self.id = id
        self.sequenceID = sequenceID
        self.usesArithmeticCoding = usesArithmeticCoding
    }
}
