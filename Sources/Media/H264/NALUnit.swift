/// One NAL unit's header and the bytes that it heads (Rec. ITU-T H.264, 7.3.1). The bytes stay where they are: they belong
/// to whoever gave them and must outlive the value.
public struct NALUnit {
    /// What a NAL unit carries (Rec. ITU-T H.264, table 7-1): the number that its first byte holds.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// 0…31.
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A slice of a picture that is no IDR picture.
        public static let slice = Kind(rawValue: 1)
        /// A slice of an IDR picture.
        public static let idrSlice = Kind(rawValue: 5)
        /// Supplemental enhancement information.
        public static let supplement = Kind(rawValue: 6)
        /// A sequence parameter set.
        public static let sequenceParameterSet = Kind(rawValue: 7)
        /// A picture parameter set.
        public static let pictureParameterSet = Kind(rawValue: 8)
        /// An access unit delimiter.
        public static let accessUnitDelimiter = Kind(rawValue: 9)
        /// Filler data.
        public static let filler = Kind(rawValue: 12)

        /// True for units that carry picture data: slices and data partitions.
        public var isPicture: Bool { (1...5).contains(rawValue) }
    }

    /// All bytes, the header first, emulation prevention bytes still in.
    public let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: a NAL unit without start code and without length.
    /// - Returns: nil when there is no byte or the forbidden bit is set.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first, first & 0x80 == 0 else { return nil }
        self.bytes = bytes
    }

    /// What the unit carries.
    public var kind: Kind { Kind(rawValue: bytes[0] & 31) }

    /// nal_ref_idc, 0…3: 0 when no other picture needs this one.
    public var referenceIndicator: UInt8 { bytes[0] >> 5 & 3 }
}
