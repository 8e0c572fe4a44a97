/// A colour of a picture on the screen, with 16 bits for each value, 0…65535: the numbers in which planes are put together.
struct ShownColour: Equatable {
    var red = 0
    var green = 0
    var blue = 0
    /// How much it covers; where a plane is premultiplied, the others are multiplied by it already.
    var alpha = 65535

    /// x / 65535, rounded.
    static func divided(_ value: Int) -> Int { (2 * value + 65535) / 131_070 }

    /// A value of so many bits, brought to 16 and rounded.
    static func widened(_ value: Int, bits: Int) -> Int {
        let most = 1 << bits - 1
        return (2 * value * 65535 + most) / (2 * most)
    }

    /// A value of 16 bits with 8, rounded.
    static func narrowed(_ value: Int) -> Int { (value + 128) / 257 }

    /// What lies over `below`, premultiplied, on a plane with an alpha of its own.
    func over(_ below: ShownColour, _ blend: Blend = .premultiplied, planeAlpha: Int = 65535) -> ShownColour {
        let own = Self.divided(alpha * planeAlpha)
        let (weight, rest) =
            switch blend {
            case .premultiplied: (planeAlpha, 65535 - own)
            case .coverage: (own, 65535 - own)
            case .none: (planeAlpha, 65535 - planeAlpha)
            }
        func mixed(_ value: Int, _ under: Int) -> Int { min(Self.divided(value * weight + under * rest), 65535) }
        return ShownColour(
            red: mixed(red, below.red), green: mixed(green, below.green), blue: mixed(blue, below.blue))
    }

    /// The kernel's pixel blend modes.
    enum Blend: CaseIterable { case premultiplied, coverage, none }
}

/// A layout of a framebuffer that the board's screen takes: what of a colour it keeps.
enum ShownFormat: String, CaseIterable {
    case xrgb8888 = "XRGB8888"
    case argb8888 = "ARGB8888"
    case rgb565 = "RGB565"
    case xrgb16161616 = "XRGB16161616"
    case argb16161616 = "ARGB16161616"

    /// What `board-screen` puts into it of a colour that is not multiplied yet: the highest bits, then multiplied.
    func kept(_ colour: ShownColour) -> ShownColour {
        switch self {
        case .rgb565:
            return ShownColour(
                red: ShownColour.widened(colour.red >> 11, bits: 5),
                green: ShownColour.widened(colour.green >> 10, bits: 6),
                blue: ShownColour.widened(colour.blue >> 11, bits: 5))
        case .xrgb8888, .argb8888:
            let alpha = self == .argb8888 ? colour.alpha >> 8 : 255
            func value(_ channel: Int) -> Int { (channel >> 8) * alpha / 255 * 257 }
            return ShownColour(
                red: value(colour.red), green: value(colour.green), blue: value(colour.blue), alpha: alpha * 257)
        case .xrgb16161616, .argb16161616:
            let alpha = self == .argb16161616 ? colour.alpha : 65535
            func value(_ channel: Int) -> Int { channel * alpha / 65535 }
            return ShownColour(
                red: value(colour.red), green: value(colour.green), blue: value(colour.blue), alpha: alpha)
        }
    }
}
