import KMS
import Pixels

/// One pixel of a framebuffer, as drm_fourcc.h describes its formats.
struct ReferencePixel {
    typealias Color = ReferenceScreen.Color
    private let layer: ScreenLayer
    private let orders: [TiledOrder?]

    init(_ layer: ScreenLayer) {
        self.layer = layer
        let plane = layer.plane
        let shapes = FormatName(fourcc: plane.fourcc).pieces(width: plane.width, height: plane.height)
        orders = zip(plane.pieces, shapes).map { piece, shape in
            TiledOrder(
                modifier: plane.modifier, bytesPerLine: piece.bytesPerLine, lineBytes: shape.bytes, lines: plane.height)
        }
    }

    /// - Returns: the colour, and alpha where the format has one, 0…65535.
    func read(_ x: Int, _ y: Int) -> (Color, alpha: Int?) {
        let name = FormatName(fourcc: layer.plane.fourcc)
        switch name {
        case .xrgb8888: return (eights(x, y, 16, 8, 0), nil)
        case .argb8888: return (eights(x, y, 16, 8, 0), part(x, y, 4, 24, 8) * 257)
        case .xbgr8888: return (eights(x, y, 0, 8, 16), nil)
        case .abgr8888: return (eights(x, y, 0, 8, 16), part(x, y, 4, 24, 8) * 257)
        case .rgbx8888: return (eights(x, y, 24, 16, 8), nil)
        case .rgba8888: return (eights(x, y, 24, 16, 8), part(x, y, 4, 0, 8) * 257)
        case .bgrx8888: return (eights(x, y, 8, 16, 24), nil)
        case .bgra8888: return (eights(x, y, 8, 16, 24), part(x, y, 4, 0, 8) * 257)
        case .rgb888: return (color(x, y, 3, (16, 8), (8, 8), (0, 8)), nil)
        case .bgr888: return (color(x, y, 3, (0, 8), (8, 8), (16, 8)), nil)
        case .rgb565: return (color(x, y, 2, (11, 5), (5, 6), (0, 5)), nil)
        case .bgr565: return (color(x, y, 2, (0, 5), (5, 6), (11, 5)), nil)
        case .xrgb2101010: return (tens(x, y, 20, 0), nil)
        case .argb2101010: return (tens(x, y, 20, 0), part(x, y, 4, 30, 2) * 21845)
        case .xbgr2101010: return (tens(x, y, 0, 20), nil)
        case .abgr2101010: return (tens(x, y, 0, 20), part(x, y, 4, 30, 2) * 21845)
        case .xrgb16161616: return (sixteens(x, y, 32, 0), nil)
        case .argb16161616: return (sixteens(x, y, 32, 0), part(x, y, 8, 48, 16))
        case .xbgr16161616: return (sixteens(x, y, 0, 32), nil)
        case .abgr16161616: return (sixteens(x, y, 0, 32), part(x, y, 8, 48, 16))
        default: return (yCbCr(name, x, y), nil)
        }
    }

    private func eights(_ x: Int, _ y: Int, _ red: Int, _ green: Int, _ blue: Int) -> Color {
        color(x, y, 4, (red, 8), (green, 8), (blue, 8))
    }

    private func tens(_ x: Int, _ y: Int, _ red: Int, _ blue: Int) -> Color {
        color(x, y, 4, (red, 10), (10, 10), (blue, 10))
    }

    private func sixteens(_ x: Int, _ y: Int, _ red: Int, _ blue: Int) -> Color {
        color(x, y, 8, (red, 16), (16, 16), (blue, 16))
    }

    private func color(
        _ x: Int, _ y: Int, _ bytes: Int, _ red: (Int, Int), _ green: (Int, Int), _ blue: (Int, Int)
    ) -> Color {
        func wide(_ place: (Int, Int)) -> Int {
            let most = (1 << place.1) - 1
            return (part(x, y, bytes, place.0, place.1) * 65535 + most / 2) / most
        }
        return Color(red: wide(red), green: wide(green), blue: wide(blue))
    }

    /// Bits of a pixel, as a little-endian number.
    private func part(_ x: Int, _ y: Int, _ bytes: Int, _ shift: Int, _ bits: Int) -> Int {
        var number: UInt64 = 0
        for byte in (0..<bytes).reversed() { number = number << 8 | UInt64(self.byte(0, x * bytes + byte, y)) }
        return Int(number >> UInt64(shift) & ((1 << UInt64(bits)) - 1))
    }

    private func byte(_ piece: Int, _ column: Int, _ line: Int) -> Int {
        let place = layer.plane.pieces[piece]
        let offset = orders[piece]?.offset(column, line) ?? line * place.bytesPerLine + column
        return Int(layer[memory: piece][place.offset + offset])
    }

    private func yCbCr(_ name: FormatName, _ x: Int, _ y: Int) -> Color {
        let (luma, cb, cr) =
            switch name {
            case .nv12: (byte(0, x, y), byte(1, x / 2 * 2, y / 2), byte(1, x / 2 * 2 + 1, y / 2))
            case .nv21: (byte(0, x, y), byte(1, x / 2 * 2 + 1, y / 2), byte(1, x / 2 * 2, y / 2))
            case .nv16: (byte(0, x, y), byte(1, x / 2 * 2, y), byte(1, x / 2 * 2 + 1, y))
            case .nv61: (byte(0, x, y), byte(1, x / 2 * 2 + 1, y), byte(1, x / 2 * 2, y))
            case .nv24: (byte(0, x, y), byte(1, 2 * x, y), byte(1, 2 * x + 1, y))
            case .nv42: (byte(0, x, y), byte(1, 2 * x + 1, y), byte(1, 2 * x, y))
            case .yuv420: (byte(0, x, y), byte(1, x / 2, y / 2), byte(2, x / 2, y / 2))
            case .yvu420: (byte(0, x, y), byte(2, x / 2, y / 2), byte(1, x / 2, y / 2))
            case .yuv422: (byte(0, x, y), byte(1, x / 2, y), byte(2, x / 2, y))
            case .yvu422: (byte(0, x, y), byte(2, x / 2, y), byte(1, x / 2, y))
            case .yuv444: (byte(0, x, y), byte(1, x, y), byte(2, x, y))
            case .yuyv: (byte(0, 2 * x, y), byte(0, x / 2 * 4 + 1, y), byte(0, x / 2 * 4 + 3, y))
            case .yvyu: (byte(0, 2 * x, y), byte(0, x / 2 * 4 + 3, y), byte(0, x / 2 * 4 + 1, y))
            case .uyvy: (byte(0, 2 * x + 1, y), byte(0, x / 2 * 4, y), byte(0, x / 2 * 4 + 2, y))
            default: (byte(0, 2 * x + 1, y), byte(0, x / 2 * 4 + 2, y), byte(0, x / 2 * 4, y))
            }
        return Self.color(luma, cb, cr, matrix: layer.plane.matrix, isFullRange: layer.plane.isFullRange)
    }

    /// The stated weights, from the matrices of H.273.
    static func color(_ luma: Int, _ cb: Int, _ cr: Int, matrix: UInt8, isFullRange: Bool) -> Color {
        let (kr, kb) = weights(matrix)
        let kg = 1 - kr - kb
        let (lumaScale, chromaScale) = isFullRange ? (1, 1) : (255.0 / 219, 255.0 / 224)
        func fixed(_ value: Double) -> Int { Int((8192 * value).rounded()) }
        func cut(_ value: Int) -> Int { min(max((value + 4096) >> 13, 0), 255) * 257 }
        let level = fixed(lumaScale) * (isFullRange ? luma : luma - 16)
        let red = fixed(2 * (1 - kr) * chromaScale) * (cr - 128)
        let blue = fixed(2 * (1 - kb) * chromaScale) * (cb - 128)
        let green =
            fixed(-2 * kb * (1 - kb) / kg * chromaScale) * (cb - 128)
            + fixed(-2 * kr * (1 - kr) / kg * chromaScale) * (cr - 128)
        return Color(red: cut(level + red), green: cut(level + green), blue: cut(level + blue))
    }

    /// The same without any rounding but the last.
    static func exactColor(_ luma: Int, _ cb: Int, _ cr: Int, matrix: UInt8, isFullRange: Bool) -> [Double] {
        let (kr, kb) = weights(matrix)
        let level = isFullRange ? Double(luma) / 255 : Double(luma - 16) / 219
        let (u, v) = (Double(cb - 128) / (isFullRange ? 255 : 224), Double(cr - 128) / (isFullRange ? 255 : 224))
        let (red, blue) = (level + 2 * (1 - kr) * v, level + 2 * (1 - kb) * u)
        let green = (level - kr * red - kb * blue) / (1 - kr - kb)
        return [red, green, blue].map { min(max(255 * $0, 0), 255) }
    }

    private static func weights(_ matrix: UInt8) -> (kr: Double, kb: Double) {
        switch matrix {
        case 1: (0.2126, 0.0722)
        case 9: (0.2627, 0.0593)
        default: (0.299, 0.114)
        }
    }
}
