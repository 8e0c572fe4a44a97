import Media
import Pixels

/// A strip of black and white blocks at the lower edge of the test picture, from which a machine reads the frame's number
/// back after encoding, scaling and decoding.
///
/// Two rows of twenty blocks: 32 bits of the number, most significant first, and 8 check bits (CRC-8, polynomial 0x07,
/// start value 0xFF), white for 1. A block is at least 8 samples wide and high in pictures from 160x120 up.
public enum FrameNumberStrip {
    private static let columns = 20
    private static let rows = 2
    private static let (black, white): (UInt8, UInt8) = (16, 235)

    /// The lines of the strip at the lower edge of a picture; even.
    public static func height(ofPicture height: Int) -> Int {
        rows * max(8, height / 36 / 2 * 2)
    }

    /// Draws a number into the luma plane of a picture.
    public static func draw(_ number: UInt32, on canvas: LumaCanvas) {
        var bits = codeWord(number)
        for block in 0..<(columns * rows) {
            let isWhite = bits >> 39 & 1 == 1
            bits <<= 1
            canvas.fill(area(block, width: canvas.width, height: canvas.height), with: isWhite ? white : black)
        }
    }

    /// Reads the number out of a luma plane.
    /// - Parameters:
    ///   - plane: the first sample.
    ///   - bytesPerLine: from one line's start to the next line's.
    ///   - width: samples a line.
    ///   - height: lines.
    /// - Returns: nil where there is no strip, or one that is damaged: a block that is neither dark nor bright, or check
    ///   bits that do not match.
    public static func read(_ plane: UnsafePointer<UInt8>, bytesPerLine: Int, width: Int, height: Int) -> UInt32? {
        guard width >= columns * 2, height > Self.height(ofPicture: height) else { return nil }
        var bits: UInt64 = 0
        for block in 0..<(columns * rows) {
            let area = area(block, width: width, height: height)
            // The middle of a block is read: its edges are blurred by encoders and scalers.
            let (insetX, insetY) = (area.width / 4, area.height / 4)
            var sum = 0
            for y in (area.y + insetY)..<(area.maxY - insetY) {
                for x in (area.x + insetX)..<(area.maxX - insetX) { sum += Int(plane[y * bytesPerLine + x]) }
            }
            let mean = sum / ((area.width - 2 * insetX) * (area.height - 2 * insetY))
            if (96...160).contains(mean) { return nil }
            bits = bits << 1 | (mean > 128 ? 1 : 0)
        }
        let number = UInt32(truncatingIfNeeded: bits >> 8)
        return codeWord(number) == bits ? number : nil
    }

    /// Reads the number out of a picture whose first plane is luma.
    public static func read(_ frame: VideoFrame, width: Int, height: Int) -> UInt32? {
        guard let plane = frame.planes.first else { return nil }
        return read(
            plane.base.assumingMemoryBound(to: UInt8.self), bytesPerLine: plane.bytesPerLine, width: width,
            height: height)
    }

    private static func area(_ block: Int, width: Int, height: Int) -> Area {
        let (row, column) = (block / columns, block % columns)
        let stripHeight = Self.height(ofPicture: height)
        let (left, right) = (width * column / columns, width * (column + 1) / columns)
        let blockHeight = stripHeight / rows
        return Area(x: left, y: height - stripHeight + row * blockHeight, width: right - left, height: blockHeight)
    }

    private static func codeWord(_ number: UInt32) -> UInt64 {
        var check: UInt8 = 0xFF
        for shift in [24, 16, 8, 0] as [UInt32] {
            check ^= UInt8(truncatingIfNeeded: number >> shift)
            for _ in 0..<8 { check = check & 0x80 != 0 ? check << 1 ^ 0x07 : check << 1 }
        }
        return UInt64(number) << 8 | UInt64(check)
    }
}
