/// Where a byte of a framebuffer lies in memory, by the words of drm_fourcc.h.
enum TiledMemory {
    case linear(bytesPerLine: Int)
    /// DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED with four bytes a pixel.
    case tTiled(bytesPerLine: Int)
    /// DRM_FORMAT_MOD_BROADCOM_SAND…_COL_HEIGHT.
    case sand(columnBytes: Int, columnLines: Int)

    /// - Parameters:
    ///   - column: of bytes.
    ///   - line: of the plane.
    func place(column: Int, line: Int) -> Int {
        switch self {
        case .linear(let bytesPerLine):
            return line * bytesPerLine + column
        case .sand(let columnBytes, let columnLines):
            return column / columnBytes * columnBytes * columnLines + line * columnBytes + column % columnBytes
        case .tTiled(let bytesPerLine):
            let (x, y) = (column / 4, line)
            let (tileX, tileY) = (x / 32, y / 32)
            let tilesPerLine = bytesPerLine / 128
            // Rows of tiles run from left to right and back.
            let tile = tileY * tilesPerLine + (tileY % 2 == 0 ? tileX : tilesPerLine - 1 - tileX)
            // Four subtiles of 16x16. The words there have the origin at the bottom: turned over, even rows have
            // top left, bottom left, bottom right, top right, and odd rows bottom right, top right, top left, bottom left.
            let isRight = x / 16 % 2 == 1
            let isBottom = y / 16 % 2 == 1
            let quarter =
                switch (isRight, isBottom) {
                case (false, false): tileY % 2 == 0 ? 0 : 2
                case (false, true): tileY % 2 == 0 ? 1 : 3
                case (true, true): tileY % 2 == 0 ? 2 : 0
                case (true, false): tileY % 2 == 0 ? 3 : 1
                }
            let piece = y / 4 % 4 * 4 + x / 4 % 4
            return tile * 4096 + quarter * 1024 + piece * 64 + y % 4 * 16 + x % 4 * 4 + column % 4
        }
    }
}
