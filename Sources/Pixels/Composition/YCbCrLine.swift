/// Reads neighbouring pixels of a line of Y'CbCr. A pixel takes the chroma that it shares with others as it is.
enum YCbCrLine {
    static func read(
        _ layer: borrowing PlacedLayer, _ places: PlaneLayout.YCbCrPlaces, line: Int, first: Int, count: Int,
        to: UnsafeMutablePointer<UInt32>
    ) {
        let luma = start(layer, places.y, line) + first * places.lumaStep
        let chromaLine = line >> places.lineShift
        let (cb, cr) = (start(layer, places.cb, chromaLine), start(layer, places.cr, chromaLine))
        convert(
            luma, cb, cr, lumaStep: places.lumaStep, chromaStep: places.chromaStep, shift: places.columnShift,
            first: first, count: count, layer.conversion, to)
    }

    private static func start(
        _ layer: borrowing PlacedLayer, _ place: PlaneLayout.Place, _ line: Int
    ) -> UnsafePointer<UInt8> {
        let (base, bytesPerLine) =
            switch place.piece {
            case 0: (layer.bases.0, layer.bytesPerLine.0)
            case 1: (layer.bases.1, layer.bytesPerLine.1)
            default: (layer.bases.2, layer.bytesPerLine.2)
            }
        return (base + line * bytesPerLine + place.offset).assumingMemoryBound(to: UInt8.self)
    }

    @inline(__always)
    private static func convert(
        _ luma: UnsafePointer<UInt8>, _ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>, lumaStep: Int,
        chromaStep: Int, shift: Int, first: Int, count: Int, _ conversion: YCbCrConversion,
        _ to: UnsafeMutablePointer<UInt32>
    ) {
        for place in 0..<count {
            let pair = ((first &+ place) >> shift) &* chromaStep
            to[place] = conversion.pixel(luma[place &* lumaStep], cb[pair], cr[pair])
        }
    }
}
