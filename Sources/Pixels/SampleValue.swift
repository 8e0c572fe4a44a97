import Media

/// The code values of one colour: luma and both colour differences, 8 bits each.
public struct SampleValue: Hashable, Sendable {
    public var y: UInt8
    public var cb: UInt8
    public var cr: UInt8

    public init(y: UInt8, cb: UInt8, cr: UInt8) {
        self.y = y
        self.cb = cb
        self.cr = cr
    }

    /// The code values of a colour by Rec. ITU-R BT.709-6 (items 3.2 to 3.4 and 4) or BT.601-7, as the description says.
    /// - Parameters:
    ///   - red: R', 0…1. Values outside give excursions, cut to what 8 bits may carry.
    ///   - green: G', 0…1.
    ///   - blue: B', 0…1.
    ///   - color: matrix and range; a matrix other than BT.601's is taken for BT.709's.
    public init(red: Double, green: Double, blue: Double, color: ColorDescription) {
        let (kr, kb) = color.matrix == 5 || color.matrix == 6 ? (0.299, 0.114) : (0.2126, 0.0722)
        let luma = kr * red + (1 - kr - kb) * green + kb * blue
        let (scale, offset, chroma) = color.isFullRange ? (255.0, 0.0, 255.0) : (219.0, 16.0, 224.0)
        let (lowest, highest) = color.isFullRange ? (0.0, 255.0) : (1.0, 254.0)
        func code(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), lowest), highest)) }
        y = code(offset + scale * luma)
        cb = code(128 + chroma * (blue - luma) / (2 * (1 - kb)))
        cr = code(128 + chroma * (red - luma) / (2 * (1 - kr)))
    }
}
