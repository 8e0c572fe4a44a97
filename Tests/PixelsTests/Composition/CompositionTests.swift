import KMS
import Media
import Pixels
import Testing

@Suite("Planes of a screen, put together")
struct CompositionTests {
    /// Screens of chance, several seeds at once.
    @Test("Any pile of planes gives what the stated formulas give, bit by bit", arguments: 0..<8)
    func stacks(seed: Int) throws {
        var dice = Dice(seed)
        for _ in 0..<150 {
            let screen = (width: dice.roll(1...30), height: dice.roll(1...24))
            let planes = (0..<dice.roll(0...5)).map { _ in
                RandomPlane(&dice, dice.pick(FormatName.allCases), screen: screen)
            }
            try Self.compare(planes.map(\.layer), screen, dice.pick(Turn.allCases))
        }
    }

    @Test("Memory of the Raspberry Pi comes out as it would be shown", arguments: [1, 2, 3])
    func tiledScreens(seed: Int) throws {
        var dice = Dice(seed + 500)
        let screen = (width: 130, height: 100)
        for format in FormatName.allCases where format.canBeTiled {
            var plane = RandomPlane(&dice, format, screen: screen)
            while plane.layer.plane.modifier == 0 { plane = RandomPlane(&dice, format, screen: screen) }
            try Self.compare([plane.layer], screen, .none)
        }
    }

    @Test(
        "4:2:0 is made of the composed picture as a conversion makes it", arguments: [PixelFormat.nv12, .yuv420],
        Turn.allCases)
    func reduced(pixelFormat: PixelFormat, turn: Turn) throws {
        var dice = Dice(900 + turn.rawValue)
        let screen = (width: 70, height: 38)
        let planes = (0..<4).map { _ in RandomPlane(&dice, dice.pick(FormatName.allCases), screen: screen) }
        let composer = Composer(screenWidth: screen.width, screenHeight: screen.height, turn: turn)
        let picture = TestPicture(width: composer.width, height: composer.height)
        let (canvas, expected, found) = (picture.frame(.bgrx32), picture.frame(pixelFormat), picture.frame(pixelFormat))
        try composer.compose(planes.map(\.layer), onto: canvas)
        let conversion = try Conversion(
            from: .bgrx32, to: pixelFormat, width: composer.width, height: composer.height,
            color: SimpleScreen.composedColor)
        #expect(conversion.convert(canvas, to: expected))
        try composer.compose(planes.map(\.layer), onto: found, as: pixelFormat)
        for (one, other) in zip(found.planes, expected.planes) {
            let count = one.bytesPerLine * one.lines
            let isEqual = UnsafeRawBufferPointer(start: one.base, count: count).elementsEqual(
                UnsafeRawBufferPointer(start: other.base, count: count))
            #expect(isEqual)
        }
    }

    @Test("Another layout is refused")
    func otherLayouts() {
        let frame = TestPicture(width: 8, height: 8).frame(.yuyv)
        #expect(throws: Failure.self) {
            try Composer(screenWidth: 8, screenHeight: 8).compose([], onto: frame, as: .yuyv)
        }
    }

    @Test("Y'CbCr is at most one step from the exact colours", arguments: [1, 6, 9] as [UInt8], [false, true])
    func exactColors(matrix: UInt8, isFullRange: Bool) {
        for luma in stride(from: 0, through: 255, by: 3) {
            for cb in stride(from: 0, through: 255, by: 15) {
                for cr in stride(from: 0, through: 255, by: 15) {
                    let found = ReferencePixel.color(luma, cb, cr, matrix: matrix, isFullRange: isFullRange)
                    let exact = ReferencePixel.exactColor(luma, cb, cr, matrix: matrix, isFullRange: isFullRange)
                    for (one, other) in zip([found.red, found.green, found.blue], exact)
                    where abs(Double(one / 257) - other) > 1 {
                        Issue.record("\(luma) \(cb) \(cr) became \(found), and is \(exact)")
                        return
                    }
                }
            }
        }
    }

    /// - Throws: what the composer throws.
    static func compare(_ layers: [ScreenLayer], _ screen: (width: Int, height: Int), _ turn: Turn) throws {
        let composer = Composer(screenWidth: screen.width, screenHeight: screen.height, turn: turn)
        let canvas = TestPicture(width: composer.width, height: composer.height).frame(.bgrx32)
        try composer.compose(layers, onto: canvas)
        let reference = ReferenceScreen(width: screen.width, height: screen.height, layers: layers)
        for line in 0..<composer.height {
            for column in 0..<composer.width {
                let expected = reference.color(column, line, turn: turn)
                let found = ReferenceScreen.Color(
                    red: TestPicture.sample(canvas.planes[0], 4 * column + 2, line),
                    green: TestPicture.sample(canvas.planes[0], 4 * column + 1, line),
                    blue: TestPicture.sample(canvas.planes[0], 4 * column, line))
                guard found != expected else { continue }
                Issue.record(
                    "\(column),\(line) turn \(turn) is \(found), not \(expected): \(layers.map(\.plane))")
                return
            }
        }
    }
}
