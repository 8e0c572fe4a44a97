/// The sequence and picture parameter sets of an H.264 stream as NAL units, without start codes or lengths.
public struct ParameterSets: Hashable, Sendable {
    /// The sequence parameter set (NAL unit type 7).
    public var sequence: [UInt8]
    /// The picture parameter set (NAL unit type 8).
    public var picture: [UInt8]

    public init(sequence: [UInt8], picture: [UInt8]) {
        self.sequence = sequence
        self.picture = picture
    }
}
