/// What the sample values of a picture mean: the code points of ISO/IEC 23091-2 (Rec. ITU-T H.273), which H.264's VUI and
/// MP4's `colr` box share.
public struct ColorDescription: Hashable, Sendable {
    /// Colour primaries: 1 BT.709, 5 BT.601 with 625 lines, 6 BT.601 with 525 lines, 2 unspecified.
    public var primaries: UInt8
    /// Transfer characteristics: 1 BT.709, 6 BT.601 (the same curve), 13 sRGB, 2 unspecified.
    public var transfer: UInt8
    /// Matrix coefficients: 1 BT.709, 5 and 6 BT.601, 2 unspecified.
    public var matrix: UInt8
    /// True when samples use 0…255, false when luma uses 16…235.
    public var isFullRange: Bool

    public init(primaries: UInt8, transfer: UInt8, matrix: UInt8, isFullRange: Bool = false) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// High definition: BT.709, limited range.
    public static let bt709 = ColorDescription(primaries: 1, transfer: 1, matrix: 1)
    /// Standard definition with 525 lines: SMPTE 170M, limited range.
    public static let bt601 = ColorDescription(primaries: 6, transfer: 6, matrix: 6)

    /// What CEA-861 says for a picture whose source says nothing: BT.709 from 720 lines up, else BT.601.
    public static func standard(width: Int, height: Int) -> ColorDescription {
        height >= 720 || width >= 1280 ? .bt709 : .bt601
    }
}
