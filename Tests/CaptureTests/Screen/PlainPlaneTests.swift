import KMS
import Media
import Pixels
import Testing

@testable import Capture

@Suite("Planes whose framebuffer is the picture as it lies")
struct PlainPlaneTests {
    private let mode = ScreenMode(connector: "Told-1", width: 64, height: 32, refresh: .thirty, hasBlanks: true)

    private func plane(_ fourcc: UInt32) -> ScreenPlane {
        var plane = ScreenPlane()
        (plane.width, plane.height, plane.fourcc) = (64, 32, fourcc)
        (plane.sourceWidth, plane.sourceHeight) = (64 << 16, 32 << 16)
        (plane.targetWidth, plane.targetHeight) = (64, 32)
        return plane
    }

    private var screen: ScreenPlane {
        var plane = plane(ScreenPlane.xrgb8888)
        plane.pieces.append(.init(buffer: 0, offset: 0, bytesPerLine: 256))
        return plane
    }

    private var film: ScreenPlane {
        var plane = plane(ScreenPlane.nv12)
        plane.pieces.append(.init(buffer: 0, offset: 0, bytesPerLine: 64))
        plane.pieces.append(.init(buffer: 0, offset: 64 * 32, bytesPerLine: 64))
        return plane
    }

    @Test("R'G'B' in one piece, and NV12 whose chroma lies right behind its luma")
    func plain() {
        #expect(screen.plainCode(mode, .none) == ScreenPlane.xrgb8888)
        #expect(film.plainCode(mode, .none) == ScreenPlane.nv12)
    }

    @Test(
        "what is moved, scaled, seen through, turned, tiled or cut is none",
        arguments: [
            { $0.x = 1 }, { $0.targetWidth = 63 }, { $0.sourceX = 1 << 16 }, { $0.sourceHeight -= 1 },
            { $0.alpha = 0xFFFE }, { $0.rotation = 4 }, { $0.rotation = 0x11 }, { $0.modifier = 1 },
            { $0.pieces[0].offset = 4 }, { $0.pieces = ScreenPlane.Pieces() }, { $0.height = 31 },
        ] as [@Sendable (inout ScreenPlane) -> Void])
    func bent(_ bend: @Sendable (inout ScreenPlane) -> Void) {
        for straight in [screen, film] {
            var plane = straight
            bend(&plane)
            #expect(plane.plainCode(mode, .none) == nil)
        }
    }

    @Test(
        "NV12 in two memories, with chroma elsewhere, in other lines or by a matrix that is not known is none",
        arguments: [
            { $0.pieces[1].buffer = 1 }, { $0.pieces[1].offset += 64 }, { $0.pieces[1].bytesPerLine = 128 },
            { $0.matrix = 9 },
        ] as [@Sendable (inout ScreenPlane) -> Void])
    func apart(_ bend: @Sendable (inout ScreenPlane) -> Void) {
        var plane = film
        bend(&plane)
        #expect(plane.plainCode(mode, .none) == nil)
    }
}
