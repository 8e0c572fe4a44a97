import Glibc
import Media
import Pixels

/// The numbered pictures that `boardctl hdmi feed` sends (board/virtual/programs/board-feed.c says what they look like),
/// and what a recording of them has to show: planar 4:2:0, luma, Cb, Cr.
///
/// Luma and chroma come as they were fed; chroma of 4:2:2 is halved as the encoder module's README says, which is what our
/// own conversion does as well. R'G'B' is reduced by the module's formula, or where the module does not take the layout by
/// our conversion or the board's converter.
final class FedPicture {
    let width: Int
    let height: Int
    private let code: String
    private let conversion: Conversion?
    private let isConvertedByBoard: Bool
    private let source: VideoFrame
    private let target: VideoFrame
    private let picture: UnsafeMutableBufferPointer<UInt8>
    /// Luma of a row, from any of its values on.
    private let ramp: [UInt8]

    /// Rows above this one change with the number.
    private static let changingRows = 96

    /// - Parameters:
    ///   - code: a four-character code that board-feed knows.
    ///   - converted: what our conversion makes of R'G'B' that the encoder does not take; nil where the encoder takes it.
    ///   - isConvertedByBoard: whether R'G'B' goes through the board's converter.
    init(
        _ code: String, width: Int, height: Int, converted: (from: PixelFormat, color: ColorDescription)? = nil,
        isConvertedByBoard: Bool = false
    ) throws {
        (self.code, self.width, self.height) = (code, width, height)
        self.isConvertedByBoard = isConvertedByBoard
        conversion = try converted.map {
            try Conversion(from: $0.from, to: .nv12, width: width, height: height, color: $0.color)
        }
        source = VideoFrame(
            index: 0, width: width, height: height, pixelFormat: converted?.from ?? .nv12, lineAlignment: 1)
        target = VideoFrame(index: 0, width: width, height: height, pixelFormat: .nv12, lineAlignment: 1)
        picture = .allocate(capacity: width * height * 3 / 2)
        ramp = (0..<(width + 220)).map { UInt8(16 + $0 % 220) }
        draw(rows: 0..<height, number: 0)
        if !isRGB { drawChroma() }
    }

    deinit { picture.deallocate() }

    private var isRGB: Bool { code.contains("R") || code.contains("B") }

    /// Whether a decoded picture is what a recording has to show of picture `number`.
    func equals(_ decoded: [UInt8], _ number: UInt32) -> Bool {
        draw(rows: 0..<min(Self.changingRows, height), number: Int(number))
        return decoded.withUnsafeBytes { bytes in
            bytes.count == picture.count && memcmp(bytes.baseAddress!, picture.baseAddress!, picture.count) == 0
        }
    }

    /// The number that a picture carries in its top rows.
    func number(in picture: UnsafeBufferPointer<UInt8>) -> UInt32 {
        (0..<32).reduce(0) { number, bit in
            let isSet = picture[16 * width + width / 32 * bit + width / 64] > 128
            return isSet ? number | 1 << UInt32(bit) : number
        }
    }

    /// A sample as it is fed: luma or red, or of R'G'B' green (1) or blue (2).
    private func sample(_ component: Int, _ x: Int, _ y: Int, _ number: Int) -> Int {
        if y < 32 { return x / (width / 32) < 32 && number >> (x / (width / 32)) & 1 == 1 ? 235 : 16 }
        let move = y < Self.changingRows ? number : 0
        if !isRGB { return 16 + (x + y + move) % 220 }
        switch component {
        case 0: return (x + y + move) & 255
        case 1: return (2 * x + y) & 255
        default: return (x + 2 * y) & 255
        }
    }

    private func draw(rows: Range<Int>, number: Int) {
        if !isRGB {
            for y in rows { drawLuma(y, number) }
        } else if let conversion {
            drawSource(rows, number)
            _ = conversion.convert(source, to: target)
            takeTarget()
        } else {
            for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
                for x in stride(from: 0, to: width, by: 2) {
                    if isConvertedByBoard { makeYUYV(x, y, number) } else { reduce(x, y, number) }
                }
            }
        }
    }

    private func drawLuma(_ y: Int, _ number: Int) {
        guard y >= 32 else {
            for x in 0..<width { picture[y * width + x] = UInt8(sample(0, x, y, number)) }
            return
        }
        let first = (y + (y < Self.changingRows ? number : 0)) % 220
        ramp.withUnsafeBytes { bytes in
            _ = memcpy(picture.baseAddress! + y * width, bytes.baseAddress! + first, width)
        }
    }

    /// Four pixels by the module's formula.
    private func reduce(_ x: Int, _ y: Int, _ number: Int) {
        var (red, green, blue) = (0, 0, 0)
        for pixel in 0..<4 {
            let (column, row) = (x + pixel & 1, y + pixel >> 1)
            let (r, g, b) = (
                sample(0, column, row, number), sample(1, column, row, number), sample(2, column, row, number)
            )
            picture[row * width + column] = UInt8((47 * r + 157 * g + 16 * b + 128) >> 8 + 16)
            (red, green, blue) = (red + r, green + g, blue + b)
        }
        let place = width * height + y / 2 * (width / 2) + x / 2
        picture[place] = UInt8((-26 * red - 86 * green + 112 * blue + 512) >> 10 + 128)
        picture[place + width * height / 4] = UInt8((112 * red - 102 * green - 10 * blue + 512) >> 10 + 128)
    }

    /// Four pixels as `vim2m.c` makes YUYV of them, each two with the first one's chroma, and the module's mean of two lines.
    private func makeYUYV(_ x: Int, _ y: Int, _ number: Int) {
        var (cb, cr) = (1, 1)
        for pixel in 0..<4 {
            let (column, row) = (x + pixel & 1, y + pixel >> 1)
            let (r, g, b) = (
                sample(0, column, row, number), sample(1, column, row, number), sample(2, column, row, number)
            )
            picture[row * width + column] = UInt8((8453 * r + 16594 * g + 3223 * b + 524_288) >> 15)
            guard column == x else { continue }
            cb += (-4878 * r - 9578 * g + 14456 * b + 4_210_688) >> 15
            cr += (14456 * r - 12105 * g - 2351 * b + 4_210_688) >> 15
        }
        let place = width * height + y / 2 * (width / 2) + x / 2
        picture[place] = UInt8(cb >> 1)
        picture[place + width * height / 4] = UInt8(cr >> 1)
    }

    private func drawSource(_ rows: Range<Int>, _ number: Int) {
        let isReversed = code.hasPrefix("B")
        let plane = source.planes[0]
        let bytes = plane.base.assumingMemoryBound(to: UInt8.self)
        for y in rows {
            for x in 0..<width {
                let pixel = bytes + y * plane.bytesPerLine + 3 * x
                for component in 0..<3 {
                    pixel[isReversed ? 2 - component : component] = UInt8(sample(component, x, y, number))
                }
            }
        }
    }

    private func takeTarget() {
        let luma = target.planes[0].base.assumingMemoryBound(to: UInt8.self)
        let pairs = target.planes[1].base.assumingMemoryBound(to: UInt8.self)
        for index in 0..<(width * height) { picture[index] = luma[index] }
        for index in 0..<(width * height / 4) {
            picture[width * height + index] = pairs[2 * index]
            picture[width * height * 5 / 4 + index] = pairs[2 * index + 1]
        }
    }

    private func drawChroma() {
        let isHalved = code.contains("12") || code == "YM21"
        func cb(_ x: Int, _ y: Int) -> Int { 16 + (x + 2 * y) % 224 }
        func cr(_ x: Int, _ y: Int) -> Int { 240 - (2 * x + y) % 224 }
        for y in 0..<(height / 2) {
            for x in 0..<(width / 2) {
                let place = width * height + y * (width / 2) + x
                picture[place] = UInt8(isHalved ? cb(x, y) : (cb(x, 2 * y) + cb(x, 2 * y + 1) + 1) >> 1)
                picture[place + width * height / 4] = UInt8(
                    isHalved ? cr(x, y) : (cr(x, 2 * y) + cr(x, 2 * y + 1) + 1) >> 1)
            }
        }
    }
}
