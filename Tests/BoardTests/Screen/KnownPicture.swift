import Capture

/// The pictures that `board-screen` shows, by the formulas in board/virtual/programs/board-screen/README.md.
enum KnownPicture {
    private static func bytes(_ red: Int, _ green: Int, _ blue: Int) -> ShownColour {
        ShownColour(red: (red & 255) * 257, green: (green & 255) * 257, blue: (blue & 255) * 257)
    }

    /// Picture `number` of the primary plane.
    static func drawing(_ number: Int, _ x: Int, _ y: Int) -> ShownColour {
        bytes(x + 16 * number, y, x >> 3 ^ y >> 3 ^ number)
    }

    /// Picture `number` of a run, in a framebuffer of that size.
    static func ofRun(_ number: Int, _ x: Int, _ y: Int, width: Int, height: Int) -> ShownColour {
        let blockHeight = max(8, height / 36 / 2 * 2)
        let line = y - (height - 2 * blockHeight)
        guard line >= 0 else { return drawing(number % 16, x, y) }
        // The last column that begins at or before x.
        let column = (0..<20).last { width * $0 / 20 <= x } ?? 0
        let isWhite = codeWord(number) >> (39 - 20 * (line / blockHeight) - column) & 1 == 1
        return isWhite ? bytes(255, 255, 255) : bytes(0, 0, 0)
    }

    private static func codeWord(_ number: Int) -> Int {
        var check = 0xFF
        for shift in [24, 16, 8, 0] {
            check ^= number >> shift & 0xFF
            for _ in 0..<8 { check = check & 0x80 != 0 ? (check << 1 ^ 0x07) & 0xFF : check << 1 }
        }
        return number << 8 | check
    }

    /// - Parameter alpha: 0…255, or nil for one that differs from pixel to pixel.
    static func overlay(_ x: Int, _ y: Int, alpha: Int? = nil) -> ShownColour {
        ShownColour(
            red: (1021 * x + 7 * y) & 65535, green: 2039 * y & 65535, blue: 509 * (x ^ y) & 65535,
            alpha: alpha.map { 257 * $0 } ?? (512 * x + 256 * y) & 65535)
    }

    static func cursor(_ x: Int, _ y: Int) -> ShownColour {
        var colour = bytes(255, 4 * y, 255 - 4 * y)
        colour.alpha = 4 * x * 257
        return colour
    }

    /// Where the roaming cursor lies with picture `number` of a run.
    static func cursorPlace(_ number: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        (7 * number % (width + 64) - 64, 5 * number % (height + 64) - 64)
    }
}
