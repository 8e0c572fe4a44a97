import KMS

/// Puts a line of pixels over what lies below ("Plane Composition Properties" in the kernel's documentation of KMS). All is
/// computed with 16 bits for a colour and rounded once: for a colour c and an alpha a of the pixel, an alpha p of the plane
/// and b below, all 0…65535, with r(x) = x / 65535 rounded,
/// - premultiplied: r(c·p + b·(65535 − r(a·p)))
/// - coverage: r(c·r(a·p) + b·(65535 − r(a·p)))
/// - none: r(c·p + b·(65535 − p))
/// and cut to 65535 where colours are larger than their alpha.
enum LineBlending {
    /// Where p is 65535, what lies below is of 8 bits exactly, and one line alone is put over it, the same result as by 16
    /// bits is found by r(x) = x / 255: no rounding of both can differ, since no eighth bit lies nearer than 1/510 to a half.
    static func shallow(
        _ line: UnsafePointer<UInt32>, _ count: Int, _ blend: ScreenPlane.Blend, over: UnsafeMutablePointer<UInt32>
    ) {
        guard blend != .none else { return over.update(from: line, count: count) }
        var place = 0
        // A block that is transparent, or opaque, all of it, is found by its pixels' bits.
        while place + block <= count {
            let (from, to) = (line + place, over + place)
            var (any, all): (UInt32, UInt32) = (0, 0xFFFF_FFFF)
            for pixel in 0..<block { (any, all) = (any | from[pixel], all & from[pixel]) }
            if all >= 0xFF00_0000 {
                to.update(from: from, count: block)
            } else if blend == .premultiplied {
                if any != 0 { premultiplied(from, block, to) }
            } else if any >= 0x0100_0000 {
                coverage(from, block, to)
            }
            place += block
        }
        if blend == .premultiplied {
            premultiplied(line + place, count - place, over + place)
        } else {
            coverage(line + place, count - place, over + place)
        }
    }

    /// Pixels that are looked at together.
    private static let block = 16

    static func deep(
        _ line: UnsafePointer<UInt64>, _ count: Int, _ blend: ScreenPlane.Blend, alpha: UInt32,
        over: UnsafeMutablePointer<UInt64>
    ) {
        for place in 0..<count {
            let pixel = line[place]
            let own = blend == .none ? alpha : divided(UInt32(truncatingIfNeeded: pixel >> 48) &* alpha)
            let weight = blend == .coverage ? own : alpha
            if own == 0 && (blend == .coverage || pixel == 0) { continue }
            if own == 0xFFFF {
                over[place] = pixel
                continue
            }
            over[place] = mixed(pixel, over[place], weight, own)
        }
    }

    /// The four parts at once; the one of alpha has no meaning.
    @inline(__always)
    private static func mixed(_ pixel: UInt64, _ below: UInt64, _ weight: UInt32, _ alpha: UInt32) -> UInt64 {
        let (weights, rests) = (wide(weight), wide(65535 &- alpha))
        let own = parts(pixel) &* weights
        let sum = own &+ parts(below) &* rests
        // What passes 32 bits was more than white.
        let white = SIMD4<UInt32>(repeating: 65535 &* 65535)
        let value = sum.replacing(with: white, where: (sum .< own) .| (sum .> white)) &+ 32768
        let result = SIMD4<UInt16>(truncatingIfNeeded: (value &+ value &>> 16) &>> 16)
        return unsafeBitCast(result, to: UInt64.self)
    }

    @inline(__always)
    private static func parts(_ pixel: UInt64) -> SIMD4<UInt32> {
        SIMD4<UInt32>(truncatingIfNeeded: unsafeBitCast(pixel, to: SIMD4<UInt16>.self))
    }

    /// As a vector whose parts are seen to have 16 bits: processors multiply these faster.
    @inline(__always)
    private static func wide(_ value: UInt32) -> SIMD4<UInt32> {
        SIMD4<UInt32>(truncatingIfNeeded: SIMD4<UInt16>(repeating: UInt16(truncatingIfNeeded: value)))
    }

    /// x / 65535 rounded, for x up to 65535².
    @inline(__always)
    private static func divided(_ value: UInt32) -> UInt32 {
        let value = value &+ 32768
        return (value &+ value >> 16) >> 16
    }

    @inline(__always)
    private static func premultiplied(
        _ line: UnsafePointer<UInt32>, _ count: Int, _ over: UnsafeMutablePointer<UInt32>
    ) {
        for place in 0..<count {
            let (pixel, below) = (line[place], over[place])
            let rest = 255 &- pixel >> 24
            // Red and blue together, 16 bits each; x / 255 rounded is (x + 128 + (x + 128) / 256) / 256 for x up to 255².
            var pair = (below & 0xFF00FF) &* rest &+ 0x800080
            pair = ((pair &+ (pair >> 8 & 0xFF00FF)) >> 8 & 0xFF00FF) &+ (pixel & 0xFF00FF)
            var green = (below >> 8 & 0xFF) &* rest &+ 0x80
            green = ((green &+ green >> 8) >> 8) &+ (pixel >> 8 & 0xFF)
            // A carry out of 8 bits, where a colour was larger than its alpha, makes all bits 1.
            pair |= (pair >> 8 & 0x010001) &* 0xFF
            green |= (green >> 8) &* 0xFF
            over[place] = pair & 0xFF00FF | (green & 0xFF) << 8
        }
    }

    @inline(__always)
    private static func coverage(
        _ line: UnsafePointer<UInt32>, _ count: Int, _ over: UnsafeMutablePointer<UInt32>
    ) {
        for place in 0..<count {
            let (pixel, below) = (line[place], over[place])
            let alpha = pixel >> 24
            let rest = 255 &- alpha
            var pair = (below & 0xFF00FF) &* rest &+ (pixel & 0xFF00FF) &* alpha &+ 0x800080
            pair = (pair &+ (pair >> 8 & 0xFF00FF)) >> 8 & 0xFF00FF
            var green = (below >> 8 & 0xFF) &* rest &+ (pixel >> 8 & 0xFF) &* alpha &+ 0x80
            green = (green &+ green >> 8) >> 8
            over[place] = pair | green << 8
        }
    }
}
