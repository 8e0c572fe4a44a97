import KMS
import Media
import Pixels
import Testing

@Suite("Screens whose memory is the picture")
struct SimpleScreenTests {
    private static let size = (width: 20, height: 12)

    private func simple(_ planes: [ScreenPlane], turn: Turn = .none) -> SimpleScreen? {
        SimpleScreen(planes, width: Self.size.width, height: Self.size.height, turn: turn)
    }

    private func plane(
        _ format: FormatName = .xrgb8888, _ change: (inout ScreenPlane) -> Void = { _ in }
    ) -> ScreenPlane {
        var plane = ScreenFixture(format, width: Self.size.width, height: Self.size.height).layer.plane
        change(&plane)
        return plane
    }

    @Test(
        "One plane over all of it is read as it lies, and becomes the same as by way of composition",
        arguments: [
            (.xrgb8888, .bgrx32), (.argb8888, .bgrx32), (.xbgr8888, .rgbx32), (.bgrx8888, .xrgb32), (.rgb888, .bgr24),
            (.bgr888, .rgb24),
        ] as [(FormatName, PixelFormat)])
    func colors(format: FormatName, pixelFormat: PixelFormat) throws {
        let fixture = ScreenFixture(format, width: Self.size.width, height: Self.size.height)
        let found = try #require(simple([fixture.layer.plane]))
        #expect(found.pixelFormat == pixelFormat && found.offsets == [0] && found.plane == 0)
        #expect(found.color == SimpleScreen.composedColor)
        let composed = VideoFrame(index: 0, width: 20, height: 12, pixelFormat: .bgrx32)
        try Composer(screenWidth: 20, screenHeight: 12).compose([fixture.layer], onto: composed)
        let direct = VideoFrame(index: 0, planes: try found.planes(of: fixture.layer))
        let results = try [(pixelFormat, direct), (.bgrx32, composed)].map { format, frame in
            let conversion = try Conversion(from: format, to: .yuv420, width: 20, height: 12, color: found.color)
            let result = VideoFrame(index: 0, width: 20, height: 12, pixelFormat: .yuv420, lineAlignment: 1)
            #expect(conversion.convert(frame, to: result))
            return [UInt8](UnsafeRawBufferPointer(start: result.planes[0].base, count: result.byteCount))
        }
        #expect(results[0] == results[1])
    }

    @Test(
        "Y'CbCr is read as it lies, with the plane's own matrix",
        arguments: [
            (.nv12, .nv12), (.nv16, .nv16), (.nv24, .nv24), (.yuv420, .yuv420), (.yuyv, .yuyv), (.uyvy, .uyvy),
        ] as [(FormatName, PixelFormat)])
    func yCbCr(format: FormatName, pixelFormat: PixelFormat) throws {
        let found = try #require(simple([plane(format) { ($0.matrix, $0.isFullRange) = (9, true) }]))
        #expect(found.pixelFormat == pixelFormat)
        #expect(found.color.matrix == 9 && found.color.isFullRange)
    }

    @Test("A part of a larger framebuffer begins where it is shown")
    func part() throws {
        var layer = ScreenFixture(.nv12, width: 64, height: 32).layer
        (layer.plane.sourceX, layer.plane.sourceY) = (8 << 16, 6 << 16)
        (layer.plane.sourceWidth, layer.plane.sourceHeight) = (20 << 16, 12 << 16)
        (layer.plane.targetWidth, layer.plane.targetHeight) = (20, 12)
        let found = try #require(simple([layer.plane]))
        #expect(found.offsets == [6 * 64 + 8, 3 * 64 + 8])
        let planes = try found.planes(of: layer)
        #expect(planes.map(\.lines) == [12, 6] && planes.map(\.bytesPerLine) == [64, 64])
        #expect(planes[0].base == layer[memory: 0].baseAddress.map { UnsafeMutableRawPointer(mutating: $0) + 392 })
        layer[memory: 1] = UnsafeRawBufferPointer(rebasing: layer[memory: 1].prefix(8 * 64 + 27))
        #expect(throws: Failure.self) { try found.planes(of: layer) }
        layer.plane.sourceX = 9 << 16
        #expect(simple([layer.plane]) == nil)
    }

    @Test("What an opaque plane hides does not count, and what lies above it does")
    func hidden() {
        let small = plane(.argb8888) { ($0.targetWidth, $0.targetHeight) = (4, 4) }
        #expect(simple([small, plane()])?.plane == 1)
        #expect(simple([plane(), small]) == nil)
        #expect(simple([plane(), plane(.argb8888)]) == nil)
        #expect(simple([plane(), plane(.argb8888) { $0.blend = .none }])?.plane == 1)
    }

    @Test("A turned plane is the picture once the picture is turned back")
    func turned() {
        let half = plane { $0.rotation = 4 }
        #expect(simple([half]) == nil)
        #expect(simple([half], turn: Turn(undoing: 4))?.pixelFormat == .bgrx32)
        #expect(simple([plane()], turn: .half) == nil)
        var quarter = ScreenFixture(.xrgb8888, width: 12, height: 20).layer.plane
        quarter.rotation = 2
        (quarter.targetWidth, quarter.targetHeight) = (20, 12)
        #expect(simple([quarter]) == nil)
        #expect(simple([quarter], turn: Turn(undoing: 2))?.pixelFormat == .bgrx32)
    }

    @Test("Nothing else is the picture as it lies")
    func others() {
        #expect(simple([]) == nil)
        #expect(simple([plane(.rgb565)]) == nil)
        #expect(simple([plane { $0.modifier = TiledOrder.tTiled }]) == nil)
        #expect(simple([plane { $0.alpha = 0xFFFE }]) == nil)
        #expect(simple([plane(.argb8888) { $0.blend = .coverage }]) == nil)
        #expect(simple([plane { $0.x = 1 }]) == nil)
        #expect(simple([plane { $0.rotation = 17 }]) == nil)
        #expect(simple([plane { $0.targetHeight = 11 }]) == nil)
        #expect(simple([plane { $0.sourceWidth -= 65536 }]) == nil)
    }
}
