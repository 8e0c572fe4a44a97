/// A rectangle of samples.
public struct Area: Hashable, Sendable {
    /// The leftmost column.
    public var x: Int
    /// The topmost line.
    public var y: Int
    /// Columns.
    public var width: Int
    /// Lines.
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The column behind the last.
    public var maxX: Int { x + width }
    /// The line behind the last.
    public var maxY: Int { y + height }

    /// The same rectangle in planes of half the width and height, for even numbers.
    public var halved: Area { Area(x: x / 2, y: y / 2, width: width / 2, height: height / 2) }

    /// The part that lies within a plane; empty when none does.
    public func clipped(width limit: Int, height lines: Int) -> Area {
        let (left, top) = (max(x, 0), max(y, 0))
        let (right, bottom) = (min(maxX, limit), min(maxY, lines))
        guard right > left, bottom > top else { return Area(x: 0, y: 0, width: 0, height: 0) }
        return Area(x: left, y: top, width: right - left, height: bottom - top)
    }
}
