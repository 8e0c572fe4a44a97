import Media
import Pixels
import Testing

@Suite("Conversions of raw pictures")
struct ConversionTests {
    private let picture = TestPicture(width: 70, height: 38)
    private static let targets: [PixelFormat] = [.nv12, .yuv420]
    private static let rgbLayouts: [PixelFormat] = [.rgb24, .bgr24, .xrgb32, .bgrx32, .rgbx32]

    private func luma(_ x: Int, _ y: Int) -> Int { (x * 3 + y * 5) % 256 }
    private func cb(_ x: Int, _ y: Int) -> Int { (x * 7 + y * 2 + 30) % 256 }
    private func cr(_ x: Int, _ y: Int) -> Int { (x * 2 + y * 9 + 60) % 256 }

    private func convert(
        _ source: VideoFrame, _ format: PixelFormat, to target: PixelFormat, color: ColorDescription
    ) throws -> (frame: VideoFrame, color: ColorDescription) {
        let conversion = try Conversion(
            from: format, to: target, width: picture.width, height: picture.height, color: color)
        let result = picture.frame(target, padding: 13)
        #expect(conversion.convert(source, to: result))
        return (result, conversion.color)
    }

    @Test("4:2:0 goes from one layout to the other without a change", arguments: targets, targets)
    func quarterChroma(source: PixelFormat, target: PixelFormat) throws {
        let frame = picture.frame(source)
        for y in 0..<38 { for x in 0..<70 { TestPicture.set(frame.planes[0], x, y, luma(x, y)) } }
        for y in 0..<19 {
            for x in 0..<35 {
                if source == .nv12 {
                    TestPicture.set(frame.planes[1], 2 * x, y, cb(x, y))
                    TestPicture.set(frame.planes[1], 2 * x + 1, y, cr(x, y))
                } else {
                    TestPicture.set(frame.planes[1], x, y, cb(x, y))
                    TestPicture.set(frame.planes[2], x, y, cr(x, y))
                }
            }
        }
        let result = try convert(frame, source, to: target, color: .bt709)
        #expect(result.color == .bt709)
        for y in 0..<38 { for x in 0..<70 { #expect(TestPicture.sample(result.frame.planes[0], x, y) == luma(x, y)) } }
        for y in 0..<19 {
            for x in 0..<35 { #expect(TestPicture.chroma(result.frame, target, x, y) == (cb(x, y), cr(x, y))) }
        }
    }

    @Test(
        "4:2:2 keeps its luma, and two lines share the mean of their chroma",
        arguments: [PixelFormat.yuyv, .uyvy, .nv16], targets)
    func halfChroma(source: PixelFormat, target: PixelFormat) throws {
        let frame = picture.frame(source)
        for y in 0..<38 {
            for x in 0..<70 {
                let chroma = x % 2 == 0 ? cb(x / 2, y) : cr(x / 2, y)
                switch source {
                case .nv16:
                    TestPicture.set(frame.planes[0], x, y, luma(x, y))
                    TestPicture.set(frame.planes[1], x, y, chroma)
                case .yuyv:
                    TestPicture.set(frame.planes[0], 2 * x, y, luma(x, y))
                    TestPicture.set(frame.planes[0], 2 * x + 1, y, chroma)
                default:
                    TestPicture.set(frame.planes[0], 2 * x, y, chroma)
                    TestPicture.set(frame.planes[0], 2 * x + 1, y, luma(x, y))
                }
            }
        }
        let full = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true)
        let result = try convert(frame, source, to: target, color: full)
        #expect(result.color == full)
        for y in 0..<38 { for x in 0..<70 { #expect(TestPicture.sample(result.frame.planes[0], x, y) == luma(x, y)) } }
        for y in 0..<19 {
            for x in 0..<35 {
                let chroma = TestPicture.chroma(result.frame, target, x, y)
                #expect(abs(2 * chroma.cb - cb(x, 2 * y) - cb(x, 2 * y + 1)) <= 2)
                #expect(abs(2 * chroma.cr - cr(x, 2 * y) - cr(x, 2 * y + 1)) <= 2)
            }
        }
    }

    private func rgbFrame(_ format: PixelFormat, low: Int, high: Int) -> VideoFrame {
        let frame = picture.frame(format)
        for y in 0..<38 {
            for x in 0..<70 {
                let color = picture.rgb(x, y, isBlocky: true, low: low, high: high)
                let bytes: [Int] =
                    switch format {
                    case .rgb24: [color.r, color.g, color.b]
                    case .bgr24: [color.b, color.g, color.r]
                    case .xrgb32: [99, color.r, color.g, color.b]
                    case .bgrx32: [color.b, color.g, color.r, 99]
                    default: [color.r, color.g, color.b, 99]
                    }
                for (index, byte) in bytes.enumerated() {
                    TestPicture.set(frame.planes[0], x * bytes.count + index, y, byte)
                }
            }
        }
        return frame
    }

    @Test("R'G'B' of all values becomes BT.601 in limited range, and says so", arguments: rgbLayouts, targets)
    func fullRangeRGB(source: PixelFormat, target: PixelFormat) throws {
        let color = ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
        let result = try convert(rgbFrame(source, low: 0, high: 255), source, to: target, color: color)
        #expect(result.color == ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: false))
        check(result.frame, target, kr: 0.299, kb: 0.114, low: 0, high: 255)
    }

    @Test("R'G'B' in 16…235 is not squeezed a second time", arguments: rgbLayouts, targets)
    func limitedRangeRGB(source: PixelFormat, target: PixelFormat) throws {
        let color = ColorDescription(primaries: 1, transfer: 1, matrix: 0, isFullRange: false)
        let result = try convert(rgbFrame(source, low: 16, high: 235), source, to: target, color: color)
        #expect(result.color == .bt709)
        check(result.frame, target, kr: 0.2126, kb: 0.0722, low: 16, high: 235)
        let old = ColorDescription(primaries: 6, transfer: 6, matrix: 0, isFullRange: false)
        let second = try convert(rgbFrame(source, low: 16, high: 235), source, to: target, color: old)
        #expect(second.color == .bt601)
        check(second.frame, target, kr: 0.299, kb: 0.114, low: 16, high: 235)
    }

    @Test("R'G'B' becomes what it is wanted to", arguments: [UInt8(1), 6], [true, false])
    func wantedMeaning(matrix: UInt8, isFullRange: Bool) throws {
        let given = ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
        let wanted = ColorDescription(primaries: 1, transfer: 13, matrix: matrix, isFullRange: isFullRange)
        let (kr, kb) = matrix == 1 ? (0.2126, 0.0722) : (0.299, 0.114)
        for target in Self.targets {
            let result = picture.frame(target)
            let conversion = try Conversion(
                from: .bgrx32, to: target, width: 70, height: 38, color: given, meaning: wanted)
            #expect(conversion.color == wanted)
            #expect(conversion.convert(rgbFrame(.bgrx32, low: 0, high: 255), to: result))
            check(result, target, kr: kr, kb: kb, low: 0, high: 255, isFullRange: isFullRange)
        }
    }

    /// Compares with the formula of BT.601 and BT.709: E'Y = kr R + kg G + kb B, code values 16 + 219 E'Y and
    /// 128 + 224 (B − Y) / (2 − 2 kb), in full range 255 E'Y and 128 + 255 (B − Y) / (2 − 2 kb).
    private func check(
        _ frame: VideoFrame, _ target: PixelFormat, kr: Double, kb: Double, low: Int, high: Int,
        isFullRange: Bool = false
    ) {
        let (black, white, most) = isFullRange ? (0.0, 255.0, 255.0) : (16, 219, 224)
        func value(_ code: Int) -> Double { Double(code - low) / Double(high - low) }
        for y in 0..<38 {
            for x in 0..<70 {
                let color = picture.rgb(x, y, isBlocky: true, low: low, high: high)
                let (r, g, b) = (value(color.r), value(color.g), value(color.b))
                let luma = kr * r + (1 - kr - kb) * g + kb * b
                #expect(abs(Double(TestPicture.sample(frame.planes[0], x, y)) - black - white * luma) <= 1.5)
                let chroma = TestPicture.chroma(frame, target, x / 2, y / 2)
                #expect(abs(Double(chroma.cb) - 128 - most * (b - luma) / (2 - 2 * kb)) <= 1.5)
                #expect(abs(Double(chroma.cr) - 128 - most * (r - luma) / (2 - 2 * kr)) <= 1.5)
            }
        }
    }

    @Test("grey has no colour, whichever way it comes", arguments: rgbLayouts, [true, false])
    func grey(source: PixelFormat, isFullRange: Bool) throws {
        let frame = picture.frame(source)
        for y in 0..<38 {
            for x in 0..<(frame.planes[0].bytesPerLine - 7) { TestPicture.set(frame.planes[0], x, y, 16 + y * 5) }
        }
        let color = ColorDescription(primaries: 1, transfer: 1, matrix: 0, isFullRange: isFullRange)
        let result = try convert(frame, source, to: .nv12, color: color).frame
        for y in 0..<19 {
            for x in 0..<35 {
                let chroma = TestPicture.chroma(result, .nv12, x, y)
                #expect(chroma == (128, 128))
            }
        }
    }

    @Test("a copy is the same to the last byte, and nothing is written between lines", arguments: PixelFormat.allCases)
    func copy(layout: PixelFormat) throws {
        guard layout != .mjpeg else { return }
        let frame = picture.frame(layout)
        let shapes = layout.planes(width: picture.width, height: picture.height)
        for (plane, shape) in zip(frame.planes, shapes) {
            for y in 0..<shape.lines { for x in 0..<shape.bytesPerLine { TestPicture.set(plane, x, y, luma(x, y)) } }
        }
        let result = try convert(frame, layout, to: layout, color: .bt601)
        #expect(result.color == .bt601)
        var wrong = 0
        for (plane, shape) in zip(result.frame.planes, shapes) {
            for y in 0..<shape.lines {
                for x in 0..<plane.bytesPerLine {
                    let expected = x < shape.bytesPerLine ? luma(x, y) : 0xEE
                    if TestPicture.sample(plane, x, y) != expected { wrong += 1 }
                }
            }
        }
        #expect(wrong == 0)
    }

    @Test("4:4:4 keeps its luma, and four pixels share the mean of their chroma", arguments: targets)
    func wholeChroma(target: PixelFormat) throws {
        let frame = picture.frame(.nv24)
        for y in 0..<38 {
            for x in 0..<70 {
                TestPicture.set(frame.planes[0], x, y, luma(x, y))
                TestPicture.set(frame.planes[1], 2 * x, y, cb(x, y))
                TestPicture.set(frame.planes[1], 2 * x + 1, y, cr(x, y))
            }
        }
        let result = try convert(frame, .nv24, to: target, color: .bt709)
        #expect(result.color == .bt709)
        for y in 0..<38 { for x in 0..<70 { #expect(TestPicture.sample(result.frame.planes[0], x, y) == luma(x, y)) } }
        for y in 0..<19 {
            for x in 0..<35 {
                let chroma = TestPicture.chroma(result.frame, target, x, y)
                func sum(_ value: (Int, Int) -> Int) -> Int {
                    value(2 * x, 2 * y) + value(2 * x + 1, 2 * y) + value(2 * x, 2 * y + 1)
                        + value(2 * x + 1, 2 * y + 1)
                }
                #expect(abs(4 * chroma.cb - sum(cb)) <= 2)
                #expect(abs(4 * chroma.cr - sum(cr)) <= 2)
            }
        }
    }

    @Test("nothing but NV12, YUV420 and copies comes out", arguments: [PixelFormat.rgb24, .yuyv, .mjpeg, .nv16])
    func otherTargets(target: PixelFormat) {
        #expect(throws: Failure.self) {
            try Conversion(from: target == .mjpeg ? .mjpeg : .uyvy, to: target, width: 64, height: 48, color: .bt601)
        }
    }
}
