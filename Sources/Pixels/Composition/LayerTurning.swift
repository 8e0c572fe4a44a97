/// Brings layers that are turned by a quarter to lie as the canvas does. Their source is read line after line, as it lies in
/// memory, since memory that devices share is slow to read in any other order; what is jumped about in is memory of our own.
final class LayerTurning {
    /// Lines of a source that are taken at once: as many pixels then lie side by side in the result.
    private static let bandLines = 16

    private var memory: UnsafeMutableRawPointer
    private var capacity = 0
    private var used = 0
    private var band: UnsafeMutablePointer<UInt64>
    private var bandCount = 0

    init() {
        memory = .allocate(byteCount: 64, alignment: 64)
        band = .allocate(capacity: 1)
    }

    deinit {
        memory.deallocate()
        band.deallocate()
    }

    /// Makes room for all that is turned; what was turned before is lost.
    func begin(_ layers: [PlacedLayer]) {
        var (bytes, length) = (0, 0)
        for layer in layers where layer.isTurned {
            bytes += Self.byteCount(layer)
            length = max(length, layer.visible.height)
        }
        used = 0
        if bytes > capacity {
            memory.deallocate()
            memory = .allocate(byteCount: bytes, alignment: 64)
            capacity = bytes
        }
        if length * Self.bandLines > bandCount {
            band.deallocate()
            bandCount = length * Self.bandLines
            band = .allocate(capacity: bandCount)
        }
    }

    /// - Returns: a layer that shows the same, and is not turned. Its memory stays until `begin`.
    func turn(_ layer: PlacedLayer, number: Int, _ fetch: LineFetch) -> PlacedLayer {
        let base = memory + used
        used += Self.byteCount(layer)
        let (width, height) = (layer.visible.width, layer.visible.height)
        let isDeep = layer.layout.isDeep
        for left in stride(from: 0, to: width, by: Self.bandLines) {
            let columns = min(Self.bandLines, width - left)
            for column in 0..<columns {
                let line = layer.placesAcross.lowerBound + left + column
                if isDeep {
                    fetch.deep(
                        layer, number: number, line: line, layer.placesAlong, to: band + column * height)
                } else {
                    let shallow = UnsafeMutableRawPointer(band).assumingMemoryBound(to: UInt32.self)
                    fetch.shallow(
                        layer, number: number, line: line, layer.placesAlong, to: shallow + column * height)
                }
            }
            if isDeep {
                exchange(band, lines: columns, length: height, to: base + 8 * left, bytesPerLine: 8 * width)
            } else {
                let shallow = UnsafeMutableRawPointer(band).assumingMemoryBound(to: UInt32.self)
                exchange(shallow, lines: columns, length: height, to: base + 4 * left, bytesPerLine: 4 * width)
            }
        }
        return PlacedLayer(
            replacing: layer, by: base, layout: isDeep ? Self.deepLayout : Self.shallowLayout,
            bytesPerLine: width * (isDeep ? 8 : 4))
    }

    private static let shallowLayout = PlaneLayout("turned", "AR24", .bgra)
    private static let deepLayout = PlaneLayout("turned", "AR48", .sixteen(isRedFirst: false))

    private static func byteCount(_ layer: PlacedLayer) -> Int {
        (layer.visible.width * layer.visible.height * (layer.layout.isDeep ? 8 : 4) + 63) & ~63
    }

    /// Writes lines as columns.
    @inline(__always)
    private func exchange<Pixel>(
        _ from: UnsafePointer<Pixel>, lines: Int, length: Int, to: UnsafeMutableRawPointer, bytesPerLine: Int
    ) {
        for place in 0..<length {
            let result = (to + place * bytesPerLine).assumingMemoryBound(to: Pixel.self)
            for line in 0..<lines { result[line] = from[line &* length &+ place] }
        }
    }
}
