import KMS
import Media
import Pixels
import Testing

@Suite("Planes that lie")
struct HostilePlanesTests {
    /// Memory ends at a page that nobody may read, so that a read past it ends the test's process.
    @Test("Whatever a plane says of itself, nothing outside of its memory is read", arguments: 0..<8)
    func liars(seed: Int) throws {
        var dice = Dice(seed + 77)
        let composer = Composer(screenWidth: 20, screenHeight: 12, turn: dice.pick(Turn.allCases))
        let canvas = TestPicture(width: composer.width, height: composer.height).frame(.bgrx32)
        var (taken, refused) = (0, 0)
        for _ in 0..<400 {
            let honest = RandomPlane(&dice, dice.pick(FormatName.allCases), screen: (20, 12))
            var layer = honest.layer
            for _ in 0..<dice.roll(1...2) { Self.lie(&layer.plane, &dice) }
            if (try? composer.compose([layer], onto: canvas)) == nil { refused += 1 } else { taken += 1 }
        }
        #expect(taken > 0 && refused > 0)
    }

    private static func lie(_ plane: inout ScreenPlane, _ dice: inout Dice) {
        let sizes = [0, 1, 2, 31, 64, 65535, 65536, 1 << 20, 1 << 31, 1 << 40, Int.max / 2, Int.max, -1, Int.min]
        let parts: [UInt32] = [0, 1, 0x8000, 0x10000, 0x7FFF_0000, 0xFFFF_0000, .max]
        switch dice.roll(0...13) {
        case 0: plane.width = dice.pick(sizes)
        case 1: plane.height = dice.pick(sizes)
        case 2: plane.fourcc = dice.pick(FormatName.allCases).fourcc
        case 3:
            plane.modifier = dice.pick([
                TiledOrder.tTiled, TiledOrder.sand(64, 1), TiledOrder.sand(256, 1 << 24),
                .random(in: 0...(.max), using: &dice),
            ])
        case 4: plane.sourceX = dice.pick(parts)
        case 5: plane.sourceY = dice.pick(parts)
        case 6: plane.sourceWidth = dice.pick(parts)
        case 7: plane.sourceHeight = dice.pick(parts)
        case 8: plane.x = dice.pick(sizes)
        case 9: plane.targetWidth = dice.pick(sizes)
        case 10: plane.targetHeight = dice.pick(sizes)
        case 11: plane.rotation = UInt32(dice.roll(0...70))
        case 12: plane.pieces[dice.roll(0...(plane.pieces.count - 1))].offset = dice.pick(sizes)
        default: plane.pieces[dice.roll(0...(plane.pieces.count - 1))].bytesPerLine = dice.pick(sizes)
        }
    }
}
