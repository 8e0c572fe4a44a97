import KMS
import Pixels

/// The formulas of docs/screen.md, "How planes are put together", written down pixel by pixel, with plain division.
struct ReferenceScreen {
    /// Red, green and blue, 0…65535.
    struct Color: Equatable {
        var red = 0
        var green = 0
        var blue = 0
    }

    let width: Int
    let height: Int
    let layers: [ScreenLayer]
    private let pixels: [ReferencePixel]

    init(width: Int, height: Int, layers: [ScreenLayer]) {
        (self.width, self.height, self.layers) = (width, height, layers)
        pixels = layers.map(ReferencePixel.init)
    }

    /// The colour of a pixel of the turned picture, 8 bits each.
    func color(_ column: Int, _ line: Int, turn: Turn) -> Color {
        let (x, y) =
            switch turn {
            case .none: (column, line)
            case .quarter: (width - 1 - line, column)
            case .half: (width - 1 - column, height - 1 - line)
            case .threeQuarters: (line, height - 1 - column)
            }
        var below = Color()
        for (layer, pixel) in zip(layers, pixels) { below = put(layer.plane, pixel, x, y, over: below) }
        func narrow(_ value: Int) -> Int { (value + 128) / 257 }
        return Color(red: narrow(below.red), green: narrow(below.green), blue: narrow(below.blue))
    }

    private func put(
        _ plane: ScreenPlane, _ pixel: ReferencePixel, _ x: Int, _ y: Int, over below: Color
    ) -> Color {
        var (column, line) = (x - plane.x, y - plane.y)
        var (columns, lines) = (plane.targetWidth, plane.targetHeight)
        guard column >= 0, line >= 0, column < columns, line < lines, plane.sourceWidth > 0, plane.sourceHeight > 0
        else { return below }
        // Turned back clockwise, a quarter at a time: the right edge is where the upper one was.
        for _ in 0..<(plane.rotation & 15).trailingZeroBitCount {
            (column, line, columns, lines) = (lines - 1 - line, column, lines, columns)
        }
        if plane.rotation & 16 != 0 { column = columns - 1 - column }
        if plane.rotation & 32 != 0 { line = lines - 1 - line }
        let u = (Int(plane.sourceX) + (2 * column + 1) * Int(plane.sourceWidth) / (2 * columns)) / 65536
        let v = (Int(plane.sourceY) + (2 * line + 1) * Int(plane.sourceHeight) / (2 * lines)) / 65536
        let (color, alpha) = pixel.read(u, v)
        return blend(color, alpha, plane, over: below)
    }

    private func blend(_ color: Color, _ pixelAlpha: Int?, _ plane: ScreenPlane, over below: Color) -> Color {
        let own = Int(plane.alpha)
        let mode = pixelAlpha == nil ? .none : plane.blend
        let alpha = mode == .none ? own : rounded((pixelAlpha ?? 0) * own)
        let weight = mode == .coverage ? alpha : own
        func mix(_ value: Int, _ below: Int) -> Int {
            min(rounded(value * weight + below * (65535 - alpha)), 65535)
        }
        return Color(
            red: mix(color.red, below.red), green: mix(color.green, below.green), blue: mix(color.blue, below.blue))
    }

    private func rounded(_ value: Int) -> Int { (value + 32767) / 65535 }
}
