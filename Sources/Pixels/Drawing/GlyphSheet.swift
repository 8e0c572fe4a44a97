/// Characters drawn once in one size and one pair of values, to be copied into pictures.
public struct GlyphSheet: Sendable {
    private struct Cell {
        var width: Int
        var start: Int
    }

    /// Lines of a cell.
    public let height: Int
    private var samples: [UInt8] = []
    private var cells: [Cell?] = Array(repeating: nil, count: 128)

    /// - Parameters:
    ///   - characters: ASCII characters that `StrokeFont` has; others are left out.
    ///   - height: lines of a digit, 5 or more.
    ///   - foreground: the characters' value.
    ///   - background: the value around them.
    public init(_ characters: String, height: Int, foreground: UInt8, background: UInt8) {
        self.height = height
        for character in characters {
            guard let ascii = character.asciiValue, let glyph = StrokeFont.glyph(character) else { continue }
            let mask = Self.mask(glyph, height: height)
            cells[Int(ascii)] = Cell(width: mask.width, start: samples.count)
            let (low, high) = (Int(background), Int(foreground))
            samples.append(contentsOf: mask.samples.map { UInt8(low + ((high - low) * Int($0) + 127) / 255) })
        }
    }

    /// Columns that a text takes; characters that the sheet does not have take none.
    public func width(of text: String) -> Int {
        text.utf8.reduce(0) { $0 + width(of: $1) }
    }

    /// Columns that a character takes.
    public func width(of ascii: UInt8) -> Int {
        ascii < 128 ? cells[Int(ascii)]?.width ?? 0 : 0
    }

    /// Draws one character, background and all.
    /// - Returns: the column behind it.
    @discardableResult
    public func draw(_ ascii: UInt8, on canvas: LumaCanvas, x: Int, y: Int) -> Int {
        guard ascii < 128, let cell = cells[Int(ascii)] else { return x }
        samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            canvas.copy(base + cell.start, to: Area(x: x, y: y, width: cell.width, height: height))
        }
        return x + cell.width
    }

    /// Draws a text, background and all.
    public func draw(_ text: String, on canvas: LumaCanvas, x: Int, y: Int) {
        var x = x
        for ascii in text.utf8 { x = draw(ascii, on: canvas, x: x, y: y) }
    }

    /// A character between two halves of the space to its neighbours.
    private static func mask(_ glyph: (width: Double, strokes: [Stroke]), height: Int) -> CoverageMask {
        let pen = max(1.3, Double(height) * 0.13)
        let scale = (Double(height) - pen) / StrokeFont.height
        let side = max(0.5, Double(height) * 0.065)
        let width = Int((glyph.width * scale + pen + 2 * side).rounded())
        var mask = CoverageMask(width: width, height: height)
        let left = (Double(width) - glyph.width * scale) / 2
        for stroke in glyph.strokes { mask.add(stroke, scale: scale, x: left, y: pen / 2, pen: pen) }
        return mask
    }
}
