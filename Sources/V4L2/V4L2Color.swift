import CKernel
import Media

/// What samples mean, in V4L2's words ("Colorspaces" in the kernel's documentation): four numbers of which each may be 0,
/// and then follows from the others.
public struct V4L2Color: Hashable, Sendable {
    /// V4L2_COLORSPACE_….
    public var space: UInt32
    /// V4L2_XFER_FUNC_….
    public var transfer: UInt32
    /// V4L2_YCBCR_ENC_….
    public var encoding: UInt32
    /// V4L2_QUANTIZATION_….
    public var quantization: UInt32

    public init(space: UInt32 = 0, transfer: UInt32 = 0, encoding: UInt32 = 0, quantization: UInt32 = 0) {
        self.space = space
        self.transfer = transfer
        self.encoding = encoding
        self.quantization = quantization
    }

    /// What a device is told of pictures whose meaning is known in the words of H.273; what has no word in V4L2 is left open.
    public init(_ color: ColorDescription) {
        space =
            switch color.primaries {
            case 1 where color.transfer == 13: V4L2_COLORSPACE_SRGB.rawValue
            case 1: V4L2_COLORSPACE_REC709.rawValue
            case 4: V4L2_COLORSPACE_470_SYSTEM_M.rawValue
            case 5: V4L2_COLORSPACE_470_SYSTEM_BG.rawValue
            case 6: V4L2_COLORSPACE_SMPTE170M.rawValue
            case 7: V4L2_COLORSPACE_SMPTE240M.rawValue
            case 9: V4L2_COLORSPACE_BT2020.rawValue
            case 11: V4L2_COLORSPACE_DCI_P3.rawValue
            default: V4L2_COLORSPACE_DEFAULT.rawValue
            }
        transfer =
            switch color.transfer {
            case 1, 6: V4L2_XFER_FUNC_709.rawValue
            case 7: V4L2_XFER_FUNC_SMPTE240M.rawValue
            case 8: V4L2_XFER_FUNC_NONE.rawValue
            case 13: V4L2_XFER_FUNC_SRGB.rawValue
            case 16: V4L2_XFER_FUNC_SMPTE2084.rawValue
            case 17: V4L2_XFER_FUNC_DCI_P3.rawValue
            default: V4L2_XFER_FUNC_DEFAULT.rawValue
            }
        encoding =
            switch color.matrix {
            case 1: V4L2_YCBCR_ENC_709.rawValue
            case 5, 6: V4L2_YCBCR_ENC_601.rawValue
            case 7: V4L2_YCBCR_ENC_SMPTE240M.rawValue
            case 9: V4L2_YCBCR_ENC_BT2020.rawValue
            case 10: V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue
            default: V4L2_YCBCR_ENC_DEFAULT.rawValue
            }
        quantization =
            color.isFullRange ? V4L2_QUANTIZATION_FULL_RANGE.rawValue : V4L2_QUANTIZATION_LIM_RANGE.rawValue
    }

    /// The same in the words of H.273. What a driver leaves open is taken as the documentation says, and where it says
    /// nothing at all, as CEA-861 says for the size.
    /// - Parameters:
    ///   - pixelFormat: the samples' layout: R'G'B' has no matrix and uses all values by default.
    ///   - width: pixels a line.
    ///   - height: lines.
    public func description(_ pixelFormat: PixelFormat, width: Int, height: Int) -> ColorDescription {
        let isRGB = pixelFormat.isRGB
        let isFullRange = quantization == 0 ? isRGB || space == V4L2_COLORSPACE_JPEG.rawValue : quantization == 1
        if space == V4L2_COLORSPACE_DEFAULT.rawValue {
            var color = ColorDescription.standard(width: width, height: height)
            color.isFullRange = isFullRange
            if isRGB { (color.primaries, color.transfer, color.matrix) = (1, 13, 0) }
            return color
        }
        return ColorDescription(
            primaries: primaries, transfer: transferCharacteristics, matrix: isRGB ? 0 : matrix,
            isFullRange: isFullRange)
    }

    private var primaries: UInt8 {
        switch space {
        case V4L2_COLORSPACE_SMPTE170M.rawValue, V4L2_COLORSPACE_BT878.rawValue: 6
        case V4L2_COLORSPACE_SMPTE240M.rawValue: 7
        case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_SRGB.rawValue, V4L2_COLORSPACE_JPEG.rawValue: 1
        case V4L2_COLORSPACE_470_SYSTEM_M.rawValue: 4
        case V4L2_COLORSPACE_470_SYSTEM_BG.rawValue: 5
        case V4L2_COLORSPACE_BT2020.rawValue: 9
        case V4L2_COLORSPACE_DCI_P3.rawValue: 11
        default: 2
        }
    }

    private var transferCharacteristics: UInt8 {
        switch transfer == 0 ? usualTransfer : transfer {
        case V4L2_XFER_FUNC_709.rawValue: space == V4L2_COLORSPACE_SMPTE170M.rawValue ? 6 : 1
        case V4L2_XFER_FUNC_SRGB.rawValue: 13
        case V4L2_XFER_FUNC_SMPTE240M.rawValue: 7
        case V4L2_XFER_FUNC_NONE.rawValue: 8
        case V4L2_XFER_FUNC_DCI_P3.rawValue: 17
        case V4L2_XFER_FUNC_SMPTE2084.rawValue: 16
        default: 2
        }
    }

    /// V4L2_MAP_XFER_FUNC_DEFAULT.
    private var usualTransfer: UInt32 {
        switch space {
        case V4L2_COLORSPACE_OPRGB.rawValue: V4L2_XFER_FUNC_OPRGB.rawValue
        case V4L2_COLORSPACE_SMPTE240M.rawValue: V4L2_XFER_FUNC_SMPTE240M.rawValue
        case V4L2_COLORSPACE_DCI_P3.rawValue: V4L2_XFER_FUNC_DCI_P3.rawValue
        case V4L2_COLORSPACE_RAW.rawValue: V4L2_XFER_FUNC_NONE.rawValue
        case V4L2_COLORSPACE_SRGB.rawValue, V4L2_COLORSPACE_JPEG.rawValue: V4L2_XFER_FUNC_SRGB.rawValue
        default: V4L2_XFER_FUNC_709.rawValue
        }
    }

    private var matrix: UInt8 {
        switch encoding == 0 ? usualEncoding : encoding {
        case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: 1
        case V4L2_YCBCR_ENC_BT2020.rawValue: 9
        case V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue: 10
        case V4L2_YCBCR_ENC_SMPTE240M.rawValue: 7
        default: space == V4L2_COLORSPACE_470_SYSTEM_BG.rawValue ? 5 : 6
        }
    }

    /// V4L2_MAP_YCBCR_ENC_DEFAULT.
    private var usualEncoding: UInt32 {
        switch space {
        case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_DCI_P3.rawValue: V4L2_YCBCR_ENC_709.rawValue
        case V4L2_COLORSPACE_BT2020.rawValue: V4L2_YCBCR_ENC_BT2020.rawValue
        case V4L2_COLORSPACE_SMPTE240M.rawValue: V4L2_YCBCR_ENC_SMPTE240M.rawValue
        default: V4L2_YCBCR_ENC_601.rawValue
        }
    }
}
