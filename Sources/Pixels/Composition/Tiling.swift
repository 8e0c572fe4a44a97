/// An order of a plane's bytes other than line after line that can be read (drm_fourcc.h): those of the Raspberry Pi.
enum Tiling: Hashable {
    /// Line after line.
    case linear
    /// DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED: tiles of 4096 bytes, `count` in a row. A tile is 128 bytes by 32 lines, of four
    /// subtiles of 64 bytes by 16 lines, of 4 × 4 pieces of 16 bytes by 4 lines; the last two in the order of reading.
    case tiles(count: Int)
    /// DRM_FORMAT_MOD_BROADCOM_SAND…: columns of a number of bytes, one behind the other, each of so many lines. Where the
    /// modifier does not name the lines, each piece has its own, in the place of its bytes a line: so do Raspberry Pi's
    /// kernels since 6.12.
    case columns(bytes: Int, lines: Int)

    /// - Parameters:
    ///   - modifier: DRM_FORMAT_MOD_….
    ///   - layout: the plane's format.
    ///   - bytesPerLine: of the piece.
    /// - Returns: nil for one that cannot be read, or not with this format.
    init?(modifier: UInt64, _ layout: PlaneLayout, bytesPerLine: Int) {
        let parameter = Int(modifier >> 8 & 0xFFFF_FFFF_FFFF)
        switch (modifier >> 56, modifier & 0xFF) {
        case _ where modifier == 0: self = .linear
        case (7, 1) where parameter == 0 && layout.isEightOrFive:
            self = .tiles(count: bytesPerLine / Self.tileLineBytes)
        case (7, let code) where code >= 3 && code <= 5 && layout.isSemiPlanarQuarter:
            let lines = parameter > 0 ? parameter : bytesPerLine
            guard lines > 0 else { return nil }
            self = .columns(bytes: 64 << (code - 3), lines: min(lines, 1 << 20))
        default: return nil
        }
    }

    private static let tileLineBytes = 128
    private static let tileLines = 32
    private static let tileBytes = 4096

    /// Bytes from a piece's start that hold its lines up to `line` and of each the first `lineBytes`, less those of `offset`.
    /// - Returns: nil for more than can be counted.
    func end(line: Int, lineBytes: Int, bytesPerLine: Int) -> Int? {
        switch self {
        case .linear:
            let (start, isTooFar) = line.multipliedReportingOverflow(by: bytesPerLine)
            let (end, isTooMuch) = start.addingReportingOverflow(lineBytes)
            return isTooFar || isTooMuch ? nil : end
        case .tiles(let count):
            // All of the tiles that are touched, since they are read in pieces.
            guard lineBytes <= count * Self.tileLineBytes, count <= 1 << 20 else { return nil }
            return (line / Self.tileLines + 1) * count * Self.tileBytes
        case .columns(let bytes, let lines):
            let last = lineBytes - 1
            return last / bytes * bytes * lines + line * bytes + last % bytes + 1
        }
    }

    /// Brings bytes of a line into the order of the line.
    /// - Parameters:
    ///   - base: the piece's start.
    ///   - bytes: those that are wanted, counted from the line's start.
    ///   - to: room for them and for 32 more.
    /// - Returns: where the first of them is.
    func read(
        _ base: UnsafeRawPointer, line: Int, _ bytes: Range<Int>, to: UnsafeMutableRawPointer
    ) -> UnsafeRawPointer {
        switch self {
        case .linear: return base
        case .tiles(let count):
            let first = bytes.lowerBound / 16
            Self.readTiles(base, count, line, first..<((bytes.upperBound + 15) / 16), to)
            return UnsafeRawPointer(to) + (bytes.lowerBound - 16 * first)
        case .columns(let width, let lines):
            var place = bytes.lowerBound
            while place < bytes.upperBound {
                let (column, inside) = place.quotientAndRemainder(dividingBy: width)
                let count = min(width - inside, bytes.upperBound - place)
                let from = base + (column * lines + line) * width + inside
                (to + (place - bytes.lowerBound)).copyMemory(from: from, byteCount: count)
                place += count
            }
            return UnsafeRawPointer(to)
        }
    }

    /// - Parameter pieces: of 16 bytes, along the line.
    private static func readTiles(
        _ base: UnsafeRawPointer, _ count: Int, _ line: Int, _ pieces: Range<Int>, _ to: UnsafeMutableRawPointer
    ) {
        let row = line / tileLines
        // Every second row of tiles runs from right to left, and its subtiles stand the other way round.
        let isReversed = row & 1 == 1
        let isLower = line & 16 != 0
        let (left, right) = isReversed ? (isLower ? (3, 0) : (2, 1)) : (isLower ? (1, 2) : (0, 3))
        let start = base + row * count * tileBytes + (line >> 2 & 3) * 256 + (line & 3) * 16
        for piece in pieces {
            let tile = isReversed ? count - 1 - piece >> 3 : piece >> 3
            let subtile = piece & 4 == 0 ? left : right
            let from = start + tile * tileBytes + subtile * 1024 + (piece & 3) * 64
            let to = to + 16 * (piece - pieces.lowerBound)
            to.storeBytes(of: from.loadUnaligned(as: SIMD2<UInt64>.self), as: SIMD2<UInt64>.self)
        }
    }
}

extension PlaneLayout {
    /// R'G'B' of 32 or 16 bits, which tiles hold.
    fileprivate var isEightOrFive: Bool {
        switch reading {
        case .bgra, .rgba, .abgr, .argb, .short: true
        case .bytes, .ten, .sixteen, .yCbCr: false
        }
    }

    /// 4:2:0 with pairs of chroma, which columns hold.
    fileprivate var isSemiPlanarQuarter: Bool {
        guard case .yCbCr(let places) = reading else { return false }
        return places.lumaStep == 1 && places.chromaStep == 2 && places.columnShift == 1 && places.lineShift == 1
    }
}
