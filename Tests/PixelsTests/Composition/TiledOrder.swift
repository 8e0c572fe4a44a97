/// Where the bytes of a picture lie in memory that is not linear, found by walking through the memory from its start and
/// noting what drm_fourcc.h says is there.
struct TiledOrder {
    static let tTiled: UInt64 = 7 << 56 | 1

    /// DRM_FORMAT_MOD_BROADCOM_SAND64…256_COL_HEIGHT.
    static func sand(_ columnBytes: Int, _ lines: Int) -> UInt64 {
        7 << 56 | UInt64(lines) << 8 | (columnBytes == 64 ? 3 : columnBytes == 128 ? 4 : 5)
    }

    /// Whether columns of such memory have as many lines as a piece says in the place of its bytes a line.
    static func isOfPieces(_ modifier: UInt64) -> Bool {
        modifier >> 56 == 7 && modifier & 0xFF >= 3 && modifier >> 8 & 0xFFFF_FFFF == 0
    }

    /// For each line, the place in memory of each 16 bytes.
    private var places: [[Int]]

    /// - Parameter lineBytes: of a line that is seen.
    /// - Returns: nil for linear memory.
    init?(modifier: UInt64, bytesPerLine: Int, lineBytes: Int, lines: Int) {
        guard modifier != 0 else { return nil }
        places = []
        if modifier == Self.tTiled {
            walkTiles(across: bytesPerLine / 128, down: (lines + 31) / 32)
        } else {
            let columnBytes = [3: 64, 4: 128, 5: 256][modifier & 0xFF] ?? 0
            // "The client is required to pass the column height in the pitch field", where the modifier has none.
            let columnLines = Self.isOfPieces(modifier) ? bytesPerLine : Int(modifier >> 8 & 0xFFFF_FFFF)
            walkColumns(columnBytes, columnLines, lineBytes, lines)
        }
    }

    func offset(_ byte: Int, _ line: Int) -> Int { places[line][byte / 16] + byte % 16 }

    /// "An image made of 4k tiles in rows either left-to-right (even rows of 4k tiles) or right-to-left"; "4k tiles made of a
    /// 2x2 grid of 1k subtiles: on even 4k tile rows, (BL, TL, TR, BR), and on odd rows (TR, BR, BL, TL), where bottom left
    /// is start of memory"; "1k subtiles made of a 4x4 raster-order grid of 64b utiles"; "64b utiles of pixels in raster
    /// order". The kernel's driver takes what is nearer to the start of memory, "bottom", for the upper lines.
    private mutating func walkTiles(across: Int, down: Int) {
        places = Array(repeating: Array(repeating: -1, count: across * 8), count: down * 32)
        var memory = 0
        for row in 0..<down {
            let isEven = row % 2 == 0
            for number in 0..<across {
                let column = isEven ? number : across - 1 - number
                for corner in isEven ? ["BL", "TL", "TR", "BR"] : ["TR", "BR", "BL", "TL"] {
                    let top = row * 32 + (corner.hasPrefix("T") ? 16 : 0)
                    let left = column * 8 + (corner.hasSuffix("R") ? 4 : 0)
                    for utile in 0..<16 {
                        for line in 0..<4 {
                            places[top + utile / 4 * 4 + line][left + utile % 4] = memory
                            memory += 16
                        }
                    }
                }
            }
        }
    }

    /// "The image can be considered to be split into columns, and the columns are placed consecutively into memory"; "the
    /// pitch between the start of each column is passed as the number of lines of column width in the modifier".
    private mutating func walkColumns(_ columnBytes: Int, _ columnLines: Int, _ lineBytes: Int, _ lines: Int) {
        let columns = (lineBytes + columnBytes - 1) / columnBytes
        places = Array(repeating: Array(repeating: -1, count: columns * columnBytes / 16), count: lines)
        var memory = 0
        for column in 0..<columns {
            for line in 0..<columnLines {
                for piece in 0..<(columnBytes / 16) {
                    if line < lines { places[line][column * columnBytes / 16 + piece] = memory }
                    memory += 16
                }
            }
        }
    }
}
