/// Brings lines of layers, as they stand on the canvas, from the layers' memory: finds the source's line, reads it, and picks
/// the pixels by their columns where they are scaled or run backwards. Places are counted from the target's start, along the
/// source's lines: across the canvas, or down it for a layer that is turned.
final class LineFetch {
    /// Columns in the source for the visible part of each layer, from the first of them on.
    private let tables: UnsafeMutablePointer<UInt32>
    private let tableCount: Int
    /// A line of the source before its pixels are picked, and room for what is on its way to deep.
    private var segment: UnsafeMutablePointer<UInt64>
    private var spare: UnsafeMutablePointer<UInt32>
    private var segmentCount: Int

    /// - Parameters:
    ///   - layerCount: the most layers.
    ///   - length: the most pixels of a line or column of the canvas.
    init(layerCount: Int, length: Int) {
        tables = .allocate(capacity: layerCount * length)
        tableCount = length
        segmentCount = length
        segment = .allocate(capacity: length)
        spare = .allocate(capacity: length)
    }

    deinit {
        tables.deallocate()
        segment.deallocate()
        spare.deallocate()
    }

    /// Makes ready for a layer's lines.
    /// - Parameter number: the layer's, by which its lines are asked for.
    func prepare(_ layer: borrowing PlacedLayer, number: Int) {
        let places = layer.placesAlong
        let ends = Self.ends(of: layer.columns, places)
        if !layer.columns.isUnscaled || layer.columns.isReversed {
            layer.columns.write(places, less: 0, to: tables + number * tableCount)
        }
        guard ends.count > segmentCount else { return }
        segment.deallocate()
        spare.deallocate()
        segmentCount = ends.count
        segment = .allocate(capacity: segmentCount)
        spare = .allocate(capacity: segmentCount)
    }

    /// - Parameters:
    ///   - line: the place across the source's lines, which is visible.
    ///   - places: along them, all of them visible.
    ///   - to: room for as many pixels.
    func shallow(
        _ layer: borrowing PlacedLayer, number: Int, line: Int, _ places: Range<Int>,
        to: UnsafeMutablePointer<UInt32>
    ) {
        let source = layer.lines.index(line)
        let ends = Self.ends(of: layer.columns, places)
        if layer.columns.isUnscaled && !layer.columns.isReversed {
            return LineReading.shallow(layer, line: source, first: ends.lowerBound, count: ends.count, to: to)
        }
        LineReading.shallow(layer, line: source, first: ends.lowerBound, count: ends.count, to: spare)
        let table = tables + number * tableCount + (places.lowerBound - layer.placesAlong.lowerBound)
        let picked = UnsafePointer(spare) - ends.lowerBound
        for place in 0..<places.count { to[place] = picked[Int(table[place])] }
    }

    /// The same with 16 bits for each colour.
    func deep(
        _ layer: borrowing PlacedLayer, number: Int, line: Int, _ places: Range<Int>,
        to: UnsafeMutablePointer<UInt64>
    ) {
        let source = layer.lines.index(line)
        let ends = Self.ends(of: layer.columns, places)
        if layer.columns.isUnscaled && !layer.columns.isReversed {
            return LineReading.deep(
                layer, line: source, first: ends.lowerBound, count: ends.count, to: to, spare: spare)
        }
        LineReading.deep(layer, line: source, first: ends.lowerBound, count: ends.count, to: segment, spare: spare)
        let table = tables + number * tableCount + (places.lowerBound - layer.placesAlong.lowerBound)
        let picked = UnsafePointer(segment) - ends.lowerBound
        for place in 0..<places.count { to[place] = picked[Int(table[place])] }
    }

    /// The source's columns that are touched.
    private static func ends(of axis: SampleAxis, _ places: Range<Int>) -> Range<Int> {
        let (first, last) = (axis.index(places.lowerBound), axis.index(places.upperBound - 1))
        return min(first, last)..<(max(first, last) + 1)
    }
}

extension PlacedLayer {
    /// The visible places along the source's lines, from the target's start.
    var placesAlong: Range<Int> {
        isTurned
            ? (visible.top - target.top)..<(visible.bottom - target.top)
            : (visible.left - target.left)..<(visible.right - target.left)
    }

    /// The visible places across the source's lines, from the target's start.
    var placesAcross: Range<Int> {
        isTurned
            ? (visible.left - target.left)..<(visible.right - target.left)
            : (visible.top - target.top)..<(visible.bottom - target.top)
    }
}
