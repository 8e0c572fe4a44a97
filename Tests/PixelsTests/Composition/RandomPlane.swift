import KMS
import Pixels

/// A plane of chance, with memory of its own that is exactly as large as its geometry needs.
struct RandomPlane {
    let layer: ScreenLayer
    private let memory: [GuardedMemory]

    init(_ dice: inout Dice, _ format: FormatName, screen: (width: Int, height: Int)) {
        var plane = ScreenPlane()
        plane.kind = dice.pick([.overlay, .primary, .cursor])
        plane.fourcc = format.fourcc
        (plane.width, plane.height) = (dice.roll(1...24), dice.roll(1...20))
        let isTiled = format.canBeTiled && dice.isLucky(oneIn: 2)
        if isTiled { (plane.width, plane.height) = (dice.roll(1...150), dice.roll(1...100)) }
        Self.place(&plane, &dice, screen)
        plane.rotation = dice.pick([1, 1, 2, 4, 8]) | dice.pick([0, 0, 16, 32, 48])
        plane.alpha = dice.pick([0xFFFF, 0xFFFF, UInt16.random(in: 0...0xFFFF, using: &dice), 0x8000, 0])
        plane.blend = dice.pick([.premultiplied, .coverage, .none])
        plane.matrix = dice.pick([1, 6, 9])
        plane.isFullRange = dice.isLucky(oneIn: 2)
        var (memory, blocks): ([GuardedMemory], [UnsafeRawBufferPointer]) = ([], [])
        if isTiled && !format.isRGB {
            let lines = dice.isLucky(oneIn: 2) ? plane.height + dice.roll(0...9) : 0
            plane.modifier = TiledOrder.sand(dice.pick([64, 128, 256]), lines)
        } else if isTiled {
            plane.modifier = TiledOrder.tTiled
        }
        for (index, shape) in format.pieces(width: plane.width, height: plane.height).enumerated() {
            var piece = ScreenPlane.Piece(
                buffer: index, offset: dice.roll(0...9), bytesPerLine: shape.bytes + dice.roll(0...9))
            if plane.modifier == TiledOrder.tTiled { piece.bytesPerLine = (piece.bytesPerLine + 127) / 128 * 128 }
            if TiledOrder.isOfPieces(plane.modifier) { piece.bytesPerLine = shape.lines + dice.roll(0...9) }
            let order = TiledOrder(
                modifier: plane.modifier, bytesPerLine: piece.bytesPerLine, lineBytes: shape.bytes, lines: plane.height)
            let end: Int
            if plane.modifier == TiledOrder.tTiled {
                end = (plane.height + 31) / 32 * 32 * piece.bytesPerLine
            } else if let order {
                end = order.offset(shape.bytes - 1, shape.lines - 1) + 1
            } else {
                end = (shape.lines - 1) * piece.bytesPerLine + shape.bytes
            }
            let block = GuardedMemory(byteCount: piece.offset + end)
            Self.fill(block.bytes, &dice)
            plane.pieces.append(piece)
            memory.append(block)
            blocks.append(UnsafeRawBufferPointer(block.bytes))
        }
        var layer = ScreenLayer(plane)
        for (index, block) in blocks.enumerated() { layer[memory: index] = block }
        self.layer = layer
        self.memory = memory
    }

    private static func place(_ plane: inout ScreenPlane, _ dice: inout Dice, _ screen: (width: Int, height: Int)) {
        let hasFractions = dice.isLucky(oneIn: 3)
        func part(_ whole: Int, _ dice: inout Dice) -> (start: UInt32, length: UInt32) {
            if dice.isLucky(oneIn: 2) { return (0, UInt32(whole << 16)) }
            if hasFractions {
                let start = dice.roll(0...((whole << 16) - 1))
                return (UInt32(start), UInt32(dice.roll(1...((whole << 16) - start))))
            }
            let start = dice.roll(0...(whole - 1))
            return (UInt32(start << 16), UInt32(dice.roll(1...(whole - start)) << 16))
        }
        (plane.sourceX, plane.sourceWidth) = part(plane.width, &dice)
        (plane.sourceY, plane.sourceHeight) = part(plane.height, &dice)
        if dice.isLucky(oneIn: 2) {
            (plane.targetWidth, plane.targetHeight) = (Int(plane.sourceWidth >> 16), Int(plane.sourceHeight >> 16))
        } else {
            (plane.targetWidth, plane.targetHeight) = (dice.roll(0...40), dice.roll(0...40))
        }
        if dice.isLucky(oneIn: 4) {
            (plane.x, plane.y, plane.targetWidth, plane.targetHeight) = (0, 0, screen.width, screen.height)
        } else {
            (plane.x, plane.y) = (dice.roll(-20...screen.width), dice.roll(-20...screen.height))
        }
    }

    /// Noise, with runs of pixels that are fully transparent or fully opaque.
    private static func fill(_ bytes: UnsafeMutableRawBufferPointer, _ dice: inout Dice) {
        var value: UInt8?
        var rest = 0
        for place in bytes.indices {
            if rest == 0 { (value, rest) = (dice.pick([nil, nil, 0, 255]), dice.roll(1...40)) }
            rest -= 1
            bytes[place] = value ?? UInt8.random(in: 0...255, using: &dice)
        }
    }
}
