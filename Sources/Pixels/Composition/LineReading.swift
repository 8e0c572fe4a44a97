import CYUV
import Glibc

/// Reads neighbouring pixels of a line of a source, in one of two forms, each from the lowest byte up B, G, R, alpha:
/// - shallow: 8 bits each, in UInt32;
/// - deep: 16 bits each, in UInt64; 8 bits become 16 by 257, 10 bits by 65535/1023, 6 by 65535/63, 5 by 65535/31, 2 by 21845,
///   rounded. Deep is brought to shallow by a division by 257, rounded.
///
/// Layouts without alpha leave any value in its place.
enum LineReading {
    /// - Parameters:
    ///   - first: the first column, which like all of the others was seen to be in memory.
    ///   - lines: the picture's line in each piece, from the first column on.
    static func shallow(
        _ layer: PlacedLayer, _ lines: SourceLines, first: Int, count: Int,
        to: UnsafeMutablePointer<UInt32>
    ) {
        let layout = layer.layout
        let from = lines.first + first * layout.pixelBytes
        let bytes = from.assumingMemoryBound(to: UInt8.self)
        let result = UnsafeMutableRawPointer(to).assumingMemoryBound(to: UInt8.self)
        switch layout.reading {
        case .bgra: memcpy(to, from, 4 * count)
        case .rgba: _ = ABGRToARGB(bytes, 0, result, 0, Int32(count), 1)
        case .abgr: _ = RGBAToARGB(bytes, 0, result, 0, Int32(count), 1)
        case .argb: _ = BGRAToARGB(bytes, 0, result, 0, Int32(count), 1)
        case .bytes(isRedFirst: false): _ = RGB24ToARGB(bytes, 0, result, 0, Int32(count), 1)
        case .bytes(isRedFirst: true): _ = RAWToARGB(bytes, 0, result, 0, Int32(count), 1)
        case .short(let isRedHigh): short(from, count, redShift: isRedHigh ? 16 : 0, to)
        case .ten(isRedHigh: true): ten(from, count, redShift: 16, to)
        case .ten(isRedHigh: false): ten(from, count, redShift: 0, to)
        case .sixteen(isRedFirst: false): sixteen(from, count, redShift: 16, to)
        case .sixteen(isRedFirst: true): sixteen(from, count, redShift: 0, to)
        case .yCbCr(let places): YCbCrLine.read(lines, places, layer.conversion, first: first, count: count, to: to)
        }
    }

    /// - Parameter spare: room for `count` pixels.
    static func deep(
        _ layer: PlacedLayer, _ lines: SourceLines, first: Int, count: Int,
        to: UnsafeMutablePointer<UInt64>,
        spare: UnsafeMutablePointer<UInt32>
    ) {
        let from = lines.first + first * layer.layout.pixelBytes
        switch layer.layout.reading {
        case .short(let isRedHigh): deepShort(from, count, redShift: isRedHigh ? 32 : 0, to)
        case .ten(let isRedHigh): deepTen(from, count, redShift: isRedHigh ? 32 : 0, to)
        case .sixteen(isRedFirst: false): memcpy(to, from, 8 * count)
        case .sixteen(isRedFirst: true): exchangeRedAndBlue(from, count, to)
        default:
            shallow(layer, lines, first: first, count: count, to: spare)
            widen(spare, count, to)
        }
    }

    /// 8 bits each to 16.
    static func widen(_ from: UnsafePointer<UInt32>, _ count: Int, _ to: UnsafeMutablePointer<UInt64>) {
        for place in 0..<count {
            let pixel = UInt64(from[place])
            let pairs = (pixel | pixel << 16) & 0x0000_FFFF_0000_FFFF
            to[place] = ((pairs | pairs << 8) & 0x00FF_00FF_00FF_00FF) &* 257
        }
    }

    /// 16 bits each to 8, rounded.
    static func narrow(_ from: UnsafePointer<UInt64>, _ count: Int, _ to: UnsafeMutablePointer<UInt32>) {
        for place in 0..<count {
            let pixel = from[place]
            let blue = narrowed(UInt32(truncatingIfNeeded: pixel & 0xFFFF))
            let green = narrowed(UInt32(truncatingIfNeeded: pixel >> 16 & 0xFFFF))
            let red = narrowed(UInt32(truncatingIfNeeded: pixel >> 32 & 0xFFFF))
            to[place] = blue | green << 8 | red << 16 | 0xFF00_0000
        }
    }

    /// (value + 128) / 257 for 16 bits, without a division.
    @inline(__always)
    private static func narrowed(_ value: UInt32) -> UInt32 { (value &* 255 &+ 32895) >> 16 }

    /// 5 and 6 bits to 8, by way of 16, without a division or a table.
    @inline(__always)
    private static func fromFive(_ value: UInt32) -> UInt32 { (value &* 527 &+ 23) >> 6 }
    @inline(__always)
    private static func fromSix(_ value: UInt32) -> UInt32 { (value &* 259 &+ 33) >> 6 }

    private static func short(
        _ from: UnsafeRawPointer, _ count: Int, redShift: UInt32, _ to: UnsafeMutablePointer<UInt32>
    ) {
        for place in 0..<count {
            let pixel = UInt32(from.loadUnaligned(fromByteOffset: 2 * place, as: UInt16.self))
            let (high, green) = (fromFive(pixel >> 11), fromSix(pixel >> 5 & 63))
            to[place] = high << redShift | green << 8 | fromFive(pixel & 31) << (16 &- redShift) | 0xFF00_0000
        }
    }

    private static func deepShort(
        _ from: UnsafeRawPointer, _ count: Int, redShift: UInt64, _ to: UnsafeMutablePointer<UInt64>
    ) {
        for place in 0..<count {
            let pixel = UInt64(from.loadUnaligned(fromByteOffset: 2 * place, as: UInt16.self))
            let high = ((pixel >> 11) &* 65535 &+ 15) / 31
            let green = ((pixel >> 5 & 63) &* 65535 &+ 31) / 63
            let low = ((pixel & 31) &* 65535 &+ 15) / 31
            to[place] = high << redShift | green << 16 | low << (32 &- redShift) | 0xFFFF_0000_0000_0000
        }
    }

    /// 10 bits to 16, and by way of 16 to 8.
    @inline(__always)
    private static func fromTen(_ value: UInt32) -> UInt32 { (value &* 1_049_585 &+ 8192) >> 14 }
    @inline(__always)
    private static func shortFromTen(_ value: UInt32) -> UInt32 { (value &* 1021 &+ 2048) >> 12 }

    @inline(__always)
    private static func ten(
        _ from: UnsafeRawPointer, _ count: Int, redShift: UInt32, _ to: UnsafeMutablePointer<UInt32>
    ) {
        for place in 0..<count {
            let pixel = from.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)
            let high = shortFromTen(pixel >> 20 & 1023)
            let green = shortFromTen(pixel >> 10 & 1023)
            let low = shortFromTen(pixel & 1023)
            let alpha = (pixel >> 30) &* 85
            to[place] = high << redShift | green << 8 | low << (16 &- redShift) | alpha << 24
        }
    }

    private static func deepTen(
        _ from: UnsafeRawPointer, _ count: Int, redShift: UInt64, _ to: UnsafeMutablePointer<UInt64>
    ) {
        for place in 0..<count {
            let pixel = from.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)
            let high = UInt64(fromTen(pixel >> 20 & 1023))
            let green = UInt64(fromTen(pixel >> 10 & 1023))
            let low = UInt64(fromTen(pixel & 1023))
            let alpha = UInt64(pixel >> 30) &* 21845
            to[place] = high << redShift | green << 16 | low << (32 &- redShift) | alpha << 48
        }
    }

    @inline(__always)
    private static func sixteen(
        _ from: UnsafeRawPointer, _ count: Int, redShift: UInt32, _ to: UnsafeMutablePointer<UInt32>
    ) {
        for place in 0..<count {
            let pixel = from.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)
            let first = narrowed(UInt32(truncatingIfNeeded: pixel & 0xFFFF))
            let green = narrowed(UInt32(truncatingIfNeeded: pixel >> 16 & 0xFFFF))
            let third = narrowed(UInt32(truncatingIfNeeded: pixel >> 32 & 0xFFFF))
            let alpha = narrowed(UInt32(truncatingIfNeeded: pixel >> 48))
            to[place] = first << (16 &- redShift) | green << 8 | third << redShift | alpha << 24
        }
    }

    private static func exchangeRedAndBlue(
        _ from: UnsafeRawPointer, _ count: Int, _ to: UnsafeMutablePointer<UInt64>
    ) {
        for place in 0..<count {
            let pixel = from.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)
            to[place] = pixel & 0xFFFF_0000_FFFF_0000 | pixel >> 32 & 0xFFFF | (pixel & 0xFFFF) << 32
        }
    }
}
