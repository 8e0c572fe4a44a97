/// A layout that has all of a pixel in one little-endian number (drm_fourcc.h): where its channels lie.
struct PackedFormat: Sendable {
    /// The format's four characters.
    let code: String
    let pixelBytes: Int
    /// The lowest bit and the number of bits.
    let red: (shift: Int, bits: Int)
    let green: (shift: Int, bits: Int)
    let blue: (shift: Int, bits: Int)
    let alpha: (shift: Int, bits: Int)?

    private init(
        _ code: String, _ pixelBytes: Int, _ red: (Int, Int), _ green: (Int, Int), _ blue: (Int, Int),
        alpha: (Int, Int)? = nil
    ) {
        (self.code, self.pixelBytes, self.red, self.green, self.blue) = (code, pixelBytes, red, green, blue)
        self.alpha = alpha.map { (shift: $0.0, bits: $0.1) }
    }

    static let xrgb8888 = PackedFormat("XR24", 4, (16, 8), (8, 8), (0, 8))
    static let argb8888 = PackedFormat("AR24", 4, (16, 8), (8, 8), (0, 8), alpha: (24, 8))
    static let xbgr8888 = PackedFormat("XB24", 4, (0, 8), (8, 8), (16, 8))
    static let abgr8888 = PackedFormat("AB24", 4, (0, 8), (8, 8), (16, 8), alpha: (24, 8))
    static let rgb565 = PackedFormat("RG16", 2, (11, 5), (5, 6), (0, 5))
    static let xrgb2101010 = PackedFormat("XR30", 4, (20, 10), (10, 10), (0, 10))
    static let argb2101010 = PackedFormat("AR30", 4, (20, 10), (10, 10), (0, 10), alpha: (30, 2))
    static let xbgr2101010 = PackedFormat("XB30", 4, (0, 10), (10, 10), (20, 10))
    static let abgr2101010 = PackedFormat("AB30", 4, (0, 10), (10, 10), (20, 10), alpha: (30, 2))
    static let xrgb16161616 = PackedFormat("XR48", 8, (32, 16), (16, 16), (0, 16))
    static let argb16161616 = PackedFormat("AR48", 8, (32, 16), (16, 16), (0, 16), alpha: (48, 16))
    static let xbgr16161616 = PackedFormat("XB48", 8, (0, 16), (16, 16), (32, 16))
    static let abgr16161616 = PackedFormat("AB48", 8, (0, 16), (16, 16), (32, 16), alpha: (48, 16))

    static let all = [
        xrgb8888, argb8888, xbgr8888, abgr8888, rgb565, xrgb2101010, argb2101010, xbgr2101010, abgr2101010,
        xrgb16161616, argb16161616, xbgr16161616, abgr16161616,
    ]

    /// The highest bits of a colour's channels, multiplied by alpha's where that is asked for.
    private func kept(_ colour: ShownColour, isMultiplied: Bool) -> [Int] {
        let own = alpha.map { colour.alpha >> (16 - $0.bits) }
        let values = [(colour.red, red.bits), (colour.green, green.bits), (colour.blue, blue.bits)].map { value, bits in
            let high = value >> (16 - bits)
            guard isMultiplied, let own, let alpha else { return high }
            return high * own / (1 << alpha.bits - 1)
        }
        return values + [own ?? 0]
    }

    /// The number that stands for a colour. Bits without a meaning are set.
    func word(_ colour: ShownColour, isMultiplied: Bool) -> UInt64 {
        let values = kept(colour, isMultiplied: isMultiplied)
        var word = alpha == nil ? ~UInt64(0) : 0
        for (value, place) in zip(values, [red, green, blue] + (alpha.map { [$0] } ?? [])) {
            word &= ~((1 << UInt64(place.bits) - 1) << UInt64(place.shift))
            word |= UInt64(value) << UInt64(place.shift)
        }
        return word
    }

    /// What it is read as.
    func shown(_ colour: ShownColour, isMultiplied: Bool) -> ShownColour {
        let values = kept(colour, isMultiplied: isMultiplied)
        return ShownColour(
            red: ShownColour.widened(values[0], bits: red.bits),
            green: ShownColour.widened(values[1], bits: green.bits),
            blue: ShownColour.widened(values[2], bits: blue.bits),
            alpha: alpha.map { ShownColour.widened(values[3], bits: $0.bits) } ?? 65535)
    }
}
