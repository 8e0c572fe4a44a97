/// Reads neighbouring pixels of a line of Y'CbCr. A pixel takes the chroma that it shares with others as it is.
enum YCbCrLine {
    static func read(
        _ lines: SourceLines, _ places: PlaneLayout.YCbCrPlaces, _ conversion: YCbCrConversion, first: Int, count: Int,
        to: UnsafeMutablePointer<UInt32>
    ) {
        func start(_ place: PlaneLayout.Place) -> UnsafePointer<UInt8> {
            let line = place.piece == 0 ? lines.first : place.piece == 1 ? lines.second : lines.third
            return (line + place.offset).assumingMemoryBound(to: UInt8.self)
        }
        let (luma, cb, cr) = (start(places.y), start(places.cb), start(places.cr))
        // Pixels that share chroma are made together; one whose neighbour is not wanted is made alone.
        let lead = places.columnShift == 1 ? min(first & 1, count) : count
        let pairs = (count - lead) / 2
        single(luma, cb, cr, places, first..<(first + lead), conversion, to)
        let begin = first + lead
        if pairs > 0 {
            let result = to + lead
            switch (places.lumaStep, places.chromaStep) {
            case (1, 1): planar(luma + begin, cb + begin / 2, cr + begin / 2, pairs, conversion, result)
            case (1, _):
                let base = (places.cb.offset < places.cr.offset ? cb : cr) + begin
                semiPlanar(luma + begin, base, isCrFirst: places.cr.offset == 0, pairs, conversion, result)
            default: packed(lines.first + 2 * begin, places, pairs, conversion, result)
            }
        }
        single(luma, cb, cr, places, (begin + 2 * pairs)..<(first + count), conversion, to + lead + 2 * pairs)
    }

    private static func single(
        _ luma: UnsafePointer<UInt8>, _ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>,
        _ places: PlaneLayout.YCbCrPlaces, _ columns: Range<Int>, _ conversion: YCbCrConversion,
        _ to: UnsafeMutablePointer<UInt32>
    ) {
        let (lumaStep, chromaStep, shift) = (places.lumaStep, places.chromaStep, places.columnShift)
        for column in columns {
            let pair = (column >> shift) &* chromaStep
            let tint = conversion.tint(UInt32(cb[pair]), UInt32(cr[pair]))
            to[column &- columns.lowerBound] = conversion.pixel(UInt32(luma[column &* lumaStep]), tint)
        }
    }

    private static func planar(
        _ luma: UnsafePointer<UInt8>, _ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>, _ pairs: Int,
        _ conversion: YCbCrConversion, _ to: UnsafeMutablePointer<UInt32>
    ) {
        for pair in 0..<pairs {
            let tint = conversion.tint(UInt32(cb[pair]), UInt32(cr[pair]))
            to[2 &* pair] = conversion.pixel(UInt32(luma[2 &* pair]), tint)
            to[2 &* pair &+ 1] = conversion.pixel(UInt32(luma[2 &* pair &+ 1]), tint)
        }
    }

    private static func semiPlanar(
        _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, isCrFirst: Bool, _ pairs: Int,
        _ conversion: YCbCrConversion, _ to: UnsafeMutablePointer<UInt32>
    ) {
        let (cbShift, crShift): (UInt32, UInt32) = isCrFirst ? (8, 0) : (0, 8)
        for pair in 0..<pairs {
            let both = UInt32(chroma[2 &* pair]) | UInt32(chroma[2 &* pair &+ 1]) << 8
            let tint = conversion.tint(both &>> cbShift & 0xFF, both &>> crShift & 0xFF)
            to[2 &* pair] = conversion.pixel(UInt32(luma[2 &* pair]), tint)
            to[2 &* pair &+ 1] = conversion.pixel(UInt32(luma[2 &* pair &+ 1]), tint)
        }
    }

    private static func packed(
        _ words: UnsafeRawPointer, _ places: PlaneLayout.YCbCrPlaces, _ pairs: Int,
        _ conversion: YCbCrConversion, _ to: UnsafeMutablePointer<UInt32>
    ) {
        let shift = { (offset: Int) in UInt32(8 * offset) }
        let (y, cb, cr) = (shift(places.y.offset), shift(places.cb.offset), shift(places.cr.offset))
        for pair in 0..<pairs {
            let word = words.loadUnaligned(fromByteOffset: 4 &* pair, as: UInt32.self)
            let tint = conversion.tint(word &>> cb & 0xFF, word &>> cr & 0xFF)
            to[2 &* pair] = conversion.pixel(word &>> y & 0xFF, tint)
            to[2 &* pair &+ 1] = conversion.pixel(word &>> (y &+ 16) & 0xFF, tint)
        }
    }
}
