/// The formats that are put together, by the four letters of drm_fourcc.h.
enum FormatName: String, CaseIterable {
    case xrgb8888 = "XR24"
    case argb8888 = "AR24"
    case xbgr8888 = "XB24"
    case abgr8888 = "AB24"
    case rgbx8888 = "RX24"
    case rgba8888 = "RA24"
    case bgrx8888 = "BX24"
    case bgra8888 = "BA24"
    case rgb888 = "RG24"
    case bgr888 = "BG24"
    case rgb565 = "RG16"
    case bgr565 = "BG16"
    case xrgb2101010 = "XR30"
    case argb2101010 = "AR30"
    case xbgr2101010 = "XB30"
    case abgr2101010 = "AB30"
    case xrgb16161616 = "XR48"
    case argb16161616 = "AR48"
    case xbgr16161616 = "XB48"
    case abgr16161616 = "AB48"
    case nv12 = "NV12"
    case nv21 = "NV21"
    case nv16 = "NV16"
    case nv61 = "NV61"
    case nv24 = "NV24"
    case nv42 = "NV42"
    case yuv420 = "YU12"
    case yvu420 = "YV12"
    case yuv422 = "YU16"
    case yvu422 = "YV16"
    case yuv444 = "YU24"
    case yuyv = "YUYV"
    case yvyu = "YVYU"
    case uyvy = "UYVY"
    case vyuy = "VYUY"

    init(fourcc: UInt32) {
        self = Self.allCases.first { $0.fourcc == fourcc } ?? .vyuy
    }

    var fourcc: UInt32 { rawValue.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    /// Whether colours are R'G'B'.
    var isRGB: Bool {
        Self.allCases.firstIndex(of: self).map { $0 < 20 } ?? false
    }

    /// Whether the Raspberry Pi's display engine takes it in an order that is not linear.
    var canBeTiled: Bool {
        [.xrgb8888, .argb8888, .xbgr8888, .abgr8888, .rgb565, .bgr565, .nv12, .nv21].contains(self)
    }

    /// For each piece: bytes of a line of `width` pixels, and lines.
    func pieces(width: Int, height: Int) -> [(bytes: Int, lines: Int)] {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        return switch self {
        case .xrgb8888, .argb8888, .xbgr8888, .abgr8888, .rgbx8888, .rgba8888, .bgrx8888, .bgra8888, .xrgb2101010,
            .argb2101010, .xbgr2101010, .abgr2101010:
            [(4 * width, height)]
        case .rgb888, .bgr888: [(3 * width, height)]
        case .rgb565, .bgr565: [(2 * width, height)]
        case .xrgb16161616, .argb16161616, .xbgr16161616, .abgr16161616: [(8 * width, height)]
        case .nv12, .nv21: [(width, height), (2 * halfWidth, halfHeight)]
        case .nv16, .nv61: [(width, height), (2 * halfWidth, height)]
        case .nv24, .nv42: [(width, height), (2 * width, height)]
        case .yuv420, .yvu420: [(width, height), (halfWidth, halfHeight), (halfWidth, halfHeight)]
        case .yuv422, .yvu422: [(width, height), (halfWidth, height), (halfWidth, height)]
        case .yuv444: [(width, height), (width, height), (width, height)]
        case .yuyv, .yvyu, .uyvy, .vyuy: [(4 * halfWidth, height)]
        }
    }
}
