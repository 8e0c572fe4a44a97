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
    /// A line's bytes in their order, of two pieces, where they lie in another one.
    private var ordered: (UnsafeMutableRawPointer, UnsafeMutableRawPointer)

    /// - Parameters:
    ///   - layerCount: the most layers.
    ///   - length: the most pixels of a line or column of the canvas.
    init(layerCount: Int, length: Int) {
        tables = .allocate(capacity: layerCount * length)
        tableCount = length
        segmentCount = length
        segment = .allocate(capacity: length)
        spare = .allocate(capacity: length)
        ordered = Self.allocateOrdered(length)
    }

    deinit {
        tables.deallocate()
        segment.deallocate()
        spare.deallocate()
        ordered.0.deallocate()
        ordered.1.deallocate()
    }

    private static func allocateOrdered(_ count: Int) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer) {
        (.allocate(byteCount: 4 * count + 32, alignment: 16), .allocate(byteCount: 4 * count + 32, alignment: 16))
    }

    /// Makes ready for a layer's lines.
    /// - Parameter number: the layer's, by which its lines are asked for.
    func prepare(_ layer: PlacedLayer, number: Int) {
        let places = layer.placesAlong
        let ends = Self.ends(of: layer.columns, places)
        if !layer.columns.isUnscaled || layer.columns.isReversed {
            layer.columns.write(places, less: 0, to: tables + number * tableCount)
        }
        guard ends.count > segmentCount else { return }
        segment.deallocate()
        spare.deallocate()
        ordered.0.deallocate()
        ordered.1.deallocate()
        segmentCount = ends.count
        segment = .allocate(capacity: segmentCount)
        spare = .allocate(capacity: segmentCount)
        ordered = Self.allocateOrdered(segmentCount)
    }

    /// - Parameters:
    ///   - line: the place across the source's lines, which is visible.
    ///   - places: along them, all of them visible.
    ///   - to: room for as many pixels.
    func shallow(
        _ layer: PlacedLayer, number: Int, line: Int, _ places: Range<Int>,
        to: UnsafeMutablePointer<UInt32>
    ) {
        let ends = Self.ends(of: layer.columns, places)
        let lines = source(layer, layer.lines.index(line), ends)
        if layer.columns.isUnscaled && !layer.columns.isReversed {
            return LineReading.shallow(layer, lines, first: ends.lowerBound, count: ends.count, to: to)
        }
        LineReading.shallow(layer, lines, first: ends.lowerBound, count: ends.count, to: spare)
        if layer.columns.isUnscaled { return mirror(spare, ends.count, to) }
        let table = tables + number * tableCount + (places.lowerBound - layer.placesAlong.lowerBound)
        let picked = UnsafePointer(spare) - ends.lowerBound
        for place in 0..<places.count { to[place] = picked[Int(table[place])] }
    }

    /// The same with 16 bits for each colour.
    func deep(
        _ layer: PlacedLayer, number: Int, line: Int, _ places: Range<Int>,
        to: UnsafeMutablePointer<UInt64>
    ) {
        let ends = Self.ends(of: layer.columns, places)
        let lines = source(layer, layer.lines.index(line), ends)
        if layer.columns.isUnscaled && !layer.columns.isReversed {
            return LineReading.deep(
                layer, lines, first: ends.lowerBound, count: ends.count, to: to, spare: spare)
        }
        LineReading.deep(layer, lines, first: ends.lowerBound, count: ends.count, to: segment, spare: spare)
        let table = tables + number * tableCount + (places.lowerBound - layer.placesAlong.lowerBound)
        let picked = UnsafePointer(segment) - ends.lowerBound
        for place in 0..<places.count { to[place] = picked[Int(table[place])] }
    }

    private func mirror(_ from: UnsafePointer<UInt32>, _ count: Int, _ to: UnsafeMutablePointer<UInt32>) {
        for place in 0..<count { to[place] = from[count &- 1 &- place] }
    }

    /// Where the source's line lies, in the order of its columns: as far as they are named.
    private func source(_ layer: PlacedLayer, _ line: Int, _ columns: Range<Int>) -> SourceLines {
        let second = layer.layout.line(piece: 1, of: line)
        guard layer.tilings.0 == .linear else { return orderedLines(layer, line, second, columns) }
        return SourceLines(
            first: layer.bases.0 + line * layer.bytesPerLine.0, second: layer.bases.1 + second * layer.bytesPerLine.1,
            third: layer.bases.2 + second * layer.bytesPerLine.2)
    }

    private func orderedLines(
        _ layer: PlacedLayer, _ line: Int, _ second: Int, _ columns: Range<Int>
    ) -> SourceLines {
        func bytes(_ piece: Int) -> Range<Int> {
            // Chroma begins with the pair of the first column.
            let start = layer.layout.lineBytes(piece: piece, count: columns.lowerBound & ~1)
            return start..<layer.layout.lineBytes(piece: piece, count: columns.upperBound)
        }
        let luma = bytes(0)
        let first = layer.tilings.0.read(layer.bases.0, line: line, luma, to: ordered.0) - luma.lowerBound
        guard layer.layout.pieceCount > 1 else { return SourceLines(first: first, second: first, third: first) }
        let chroma = bytes(1)
        let pairs = layer.tilings.1.read(layer.bases.1, line: second, chroma, to: ordered.1) - chroma.lowerBound
        return SourceLines(first: first, second: pairs, third: pairs)
    }

    /// The source's columns that are touched.
    private static func ends(of axis: SampleAxis, _ places: Range<Int>) -> Range<Int> {
        let (first, last) = (axis.index(places.lowerBound), axis.index(places.upperBound - 1))
        return min(first, last)..<(max(first, last) + 1)
    }
}

/// Where a line of a picture lies in each of its pieces: the places of the first column, also where only later ones are
/// there.
struct SourceLines {
    var first: UnsafeRawPointer
    var second: UnsafeRawPointer
    var third: UnsafeRawPointer
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
