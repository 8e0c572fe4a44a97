/// A number that stands for what a screen shows: other planes, another place of one, or other memory give another number.
struct ScreenSignature {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The number; never 0, which stands for nothing known.
    var value: UInt64 { state == 0 ? 1 : state }

    /// Lets a number count. Each step can be undone, so two that differ never become the same by one.
    mutating func add(_ number: UInt64) {
        state = (state ^ number) &* 0xFF51_AFD7_ED55_8CCD
        state ^= state >> 32
    }

    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    /// Lets a plane count, but for its memory and the framebuffer's number, which another one has tomorrow.
    mutating func add(_ plane: ScreenPlane) {
        add(UInt64(plane.id) | UInt64(plane.kind.rawValue) << 32 | UInt64(plane.blend.rawValue) << 40)
        add(plane.depth)
        add(UInt64(plane.width) | UInt64(plane.height) << 32)
        add(UInt64(plane.fourcc) | UInt64(plane.rotation) << 32)
        add(plane.modifier)
        add(UInt64(plane.sourceX) | UInt64(plane.sourceY) << 32)
        add(UInt64(plane.sourceWidth) | UInt64(plane.sourceHeight) << 32)
        add(plane.x)
        add(plane.y)
        add(UInt64(plane.targetWidth) | UInt64(plane.targetHeight) << 32)
        add(UInt64(plane.alpha) | UInt64(plane.matrix) << 16 | (plane.isFullRange ? 1 << 24 : 0))
        for piece in plane.pieces {
            add(piece.offset)
            add(piece.bytesPerLine)
        }
    }
}
