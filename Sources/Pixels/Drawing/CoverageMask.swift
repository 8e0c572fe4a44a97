import Glibc

/// How far a shape covers each sample of a rectangle: 0 not at all, 255 wholly. Edges are smooth.
public struct CoverageMask: Sendable {
    /// Samples a line.
    public let width: Int
    /// Lines.
    public let height: Int
    /// Line behind line, `width * height` values.
    public private(set) var samples: [UInt8]

    /// An empty mask.
    public init(width: Int, height: Int) {
        self.width = max(width, 0)
        self.height = max(height, 0)
        samples = [UInt8](repeating: 0, count: self.width * self.height)
    }

    /// A line of text.
    /// - Parameters:
    ///   - text: characters that `StrokeFont` has; others are left out.
    ///   - height: samples from the top of a capital to its foot, the pen's width included; 5 or more.
    public init(_ text: String, height: Int) {
        let glyphs = text.compactMap(StrokeFont.glyph)
        let pen = max(1.3, Double(height) * 0.13)
        let scale = (Double(height) - pen) / StrokeFont.height
        let gap = max(1, Double(height) * 0.13)
        let width = glyphs.reduce(0) { $0 + $1.width * scale + pen + gap }
        self.init(width: Int(width.rounded(.up)), height: height)
        var x = gap / 2
        for glyph in glyphs {
            for stroke in glyph.strokes { add(stroke, scale: scale, x: x + pen / 2, y: pen / 2, pen: pen) }
            x += glyph.width * scale + pen + gap
        }
    }

    /// Adds a pen stroke.
    /// - Parameters:
    ///   - stroke: in the units of its glyph.
    ///   - scale: samples for a unit.
    ///   - x: the sample column of the unit 0; may lie between columns.
    ///   - y: the sample line of the unit 0; may lie between lines.
    ///   - pen: the pen's diameter in samples.
    public mutating func add(_ stroke: Stroke, scale: Double, x: Double, y: Double, pen: Double) {
        let points = stroke.points
        for (start, end) in zip(points, points.dropFirst()) {
            addSegment(
                (x + start.x * scale, y + start.y * scale), (x + end.x * scale, y + end.y * scale), radius: pen / 2)
        }
    }

    /// Adds a filled disc; a ring when `hole` is greater than 0.
    public mutating func addDisc(x: Double, y: Double, radius: Double, hole: Double = 0) {
        for line in lines(from: y - radius, to: y + radius) {
            for column in columns(from: x - radius, to: x + radius) {
                let distance = hypot(Double(column) + 0.5 - x, Double(line) + 0.5 - y)
                let inner = hole > 0 ? distance - hole + 0.5 : 1
                cover(column, line, min(radius - distance + 0.5, inner))
            }
        }
    }

    private mutating func addSegment(_ start: (x: Double, y: Double), _ end: (x: Double, y: Double), radius: Double) {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = dx * dx + dy * dy
        for line in lines(from: min(start.y, end.y) - radius, to: max(start.y, end.y) + radius) {
            for column in columns(from: min(start.x, end.x) - radius, to: max(start.x, end.x) + radius) {
                let (px, py) = (Double(column) + 0.5 - start.x, Double(line) + 0.5 - start.y)
                let along = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
                let distance = hypot(px - along * dx, py - along * dy)
                cover(column, line, radius - distance + 0.5)
            }
        }
    }

    private func lines(from top: Double, to bottom: Double) -> Range<Int> {
        let first = min(max(Int(top) - 1, 0), height)
        return first..<max(first, min(Int(bottom) + 2, height))
    }

    private func columns(from left: Double, to right: Double) -> Range<Int> {
        let first = min(max(Int(left) - 1, 0), width)
        return first..<max(first, min(Int(right) + 2, width))
    }

    private mutating func cover(_ column: Int, _ line: Int, _ coverage: Double) {
        guard coverage > 0 else { return }
        let place = line * width + column
        samples[place] = max(samples[place], UInt8(min(coverage, 1) * 255))
    }
}
