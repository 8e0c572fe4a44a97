import Media
import Pixels
import Testing

@testable import Capture

@Suite("Slates")
struct SlateTests {
    private static let layouts = PixelFormat.allCases.filter { $0 != .mjpeg }
    private static let size = (width: 320, height: 180)

    /// R', G' and B' of a pixel, or luma and both colour differences, as they lie in a frame.
    private func samples(_ frame: VideoFrame, _ layout: PixelFormat, _ x: Int, _ y: Int) -> [UInt8] {
        func byte(_ plane: Int, _ line: Int, _ place: Int) -> UInt8 {
            let plane = frame.planes[plane]
            return plane.base.load(fromByteOffset: line * plane.bytesPerLine + place, as: UInt8.self)
        }
        return switch layout {
        case .nv12: [byte(0, y, x), byte(1, y / 2, x / 2 * 2), byte(1, y / 2, x / 2 * 2 + 1)]
        case .nv16: [byte(0, y, x), byte(1, y, x / 2 * 2), byte(1, y, x / 2 * 2 + 1)]
        case .nv24: [byte(0, y, x), byte(1, y, 2 * x), byte(1, y, 2 * x + 1)]
        case .yuv420: [byte(0, y, x), byte(1, y / 2, x / 2), byte(2, y / 2, x / 2)]
        case .yuyv: [byte(0, y, 2 * x), byte(0, y, x / 2 * 4 + 1), byte(0, y, x / 2 * 4 + 3)]
        case .uyvy: [byte(0, y, 2 * x + 1), byte(0, y, x / 2 * 4), byte(0, y, x / 2 * 4 + 2)]
        case .rgb24, .bgr24: (0..<3).map { byte(0, y, 3 * x + $0) }
        case .xrgb32: (1..<4).map { byte(0, y, 4 * x + $0) }
        case .bgrx32, .rgbx32: (0..<3).map { byte(0, y, 4 * x + $0) }
        case .mjpeg: []
        }
    }

    @Test(
        "every pixel of a slate is neutral grey, dark around and light in the words", arguments: layouts, [false, true])
    func grey(layout: PixelFormat, isFull: Bool) throws {
        let (width, height) = Self.size
        let isRGB = layout.planes(width: 2, height: 2).count == 1 && layout != .yuyv && layout != .uyvy
        var color = ColorDescription.bt709
        color.isFullRange = isFull
        if isRGB { color.matrix = 0 }
        let format = VideoFormat(width: width, height: height, pixelFormat: layout, rate: .thirty, color: color)
        let frame = VideoFrame(index: 0, width: width, height: height, pixelFormat: layout)
        for plane in frame.planes {
            plane.base.initializeMemory(as: UInt8.self, repeating: 77, count: plane.bytesPerLine * plane.lines)
        }
        Slate("NO SIGNAL", format).draw(frame.planes)
        // BT.709, item 3.4 and 4: 219 steps above 16, or 255 above 0.
        let (low, steps) = isFull ? (0.0, 255.0) : (16.0, 219.0)
        let dark = UInt8((low + steps * 0.12).rounded())
        let light = UInt8((low + steps * 0.75).rounded())
        var (strange, darkCount, lightCount) = (0, 0, 0)
        for y in 0..<height {
            for x in 0..<width {
                let values = samples(frame, layout, x, y)
                let isGrey = isRGB ? Set(values).count == 1 : values[1] == 128 && values[2] == 128
                if !isGrey || values[0] < dark || values[0] > light { strange += 1 }
                if values[0] == dark { darkCount += 1 }
                if values[0] == light { lightCount += 1 }
            }
        }
        #expect(strange == 0)
        #expect(darkCount > width * height * 7 / 10)
        #expect(lightCount > width * height / 100)
        let edges = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
        #expect(edges.allSatisfy { samples(frame, layout, $0.0, $0.1)[0] == dark })
    }

    @Test("what cannot be read is told with the reason where that is short")
    func reasons() {
        let texts = [
            nil, "ARM AFBC", "Intel Y-tiled, compressed (CCS)", "no rights", "", String(repeating: "A", count: 40),
        ]
        .map { SignalState.unreadable("its memory is not linear", brief: $0).slateText }
        let plain = "SCREEN CANNOT BE READ"
        let expected = [
            plain, "\(plain): ARM AFBC", "\(plain): INTEL Y-TILED COMPRESSED CCS", "\(plain): NO RIGHTS", plain, plain,
        ]
        #expect(texts == expected)
    }

    @Test("the words of all states fit into the picture, and their letters are all there")
    func words() {
        let shape = SignalShape(width: 1920, height: 1080, rate: .thirty, isInterlaced: true)
        let states: [SignalState] = [
            .noCable, .noSignal, .noLock, .outOfRange, .unplugged, .off, .noScreen, .unreadable("it is compressed"),
            .unreadable("it is compressed", brief: "Intel Yf-tiled, compressed"), .unreadable("", brief: "no rights"),
            .locked(shape),
        ]
        for state in states {
            for letter in state.slateText { #expect(StrokeFont.glyph(letter) != nil, "\(letter)") }
            for (width, height) in [(1920, 1080), (640, 480), (720, 576), (320, 1080)] {
                let frame = VideoFrame(index: 0, width: width, height: height, pixelFormat: .nv12)
                let format = VideoFormat(
                    width: width, height: height, pixelFormat: .nv12, rate: .thirty, color: .bt709)
                Slate(state.slateText, format).draw(frame.planes)
                let middle = (0..<width).map { x in
                    (0..<height).map { samples(frame, .nv12, x, $0)[0] }.max() ?? 0
                }
                let lit = middle.indices.filter { middle[$0] > 100 }
                #expect((lit.first ?? 0) >= width / 20 && (lit.last ?? width) < width - width / 20)
                #expect((lit.first ?? width) < width / 2 && (lit.last ?? 0) > width / 2)
            }
        }
    }
}
