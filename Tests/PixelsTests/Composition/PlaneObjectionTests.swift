import KMS
import Media
import Pixels
import Testing

@Suite("Planes that cannot be put together")
struct PlaneObjectionTests {
    private func objection(_ change: (inout ScreenPlane) -> Void) -> Failure? {
        var plane = ScreenFixture(.xrgb8888, width: 16, height: 8).layer.plane
        change(&plane)
        return Composer.objection(to: plane)
    }

    @Test("A plane of a known format in linear memory is taken", arguments: FormatName.allCases)
    func known(format: FormatName) {
        #expect(Composer.objection(to: ScreenFixture(format, width: 16, height: 8).layer.plane) == nil)
    }

    @Test("An unknown format is refused by its name")
    func unknownFormat() throws {
        let failure = try #require(objection { $0.fourcc = 0x2038_4752 })
        #expect(failure.kind == .noSource)
        #expect(failure.description.contains("RG8 "))
        #expect(failure.mend.contains("XRGB8888"))
        // What a decoder has made cannot be drawn otherwise by whoever shows it.
        let film = try #require(objection { $0.fourcc = 0x3033_3050 })
        #expect(film.cause.contains("P030") && film.mend.contains("8 bits") && !film.mend.contains("XRGB8888"))
    }

    @Test(
        "A modifier is refused by its name, with what to set instead",
        arguments: [
            (0x0100_0000_0000_0001, "Intel X-tiled", "WLR_RENDERER=pixman"),
            (0x0100_0000_0000_0004, "Intel Y-tiled, compressed (CCS)", "KWIN_COMPOSE=Q"),
            (0x0200_0000_0000_2901, "AMD GFX9 tiles, compressed (DCC)", "--renderer=pixman"),
            (0x0300_0000_0060_6010, "NVIDIA block linear", "WLR_RENDERER=pixman"),
            (0x0500_0000_0000_0001, "Qualcomm compressed (UBWC)", "WLR_DRM_NO_MODIFIERS=1"),
            (0x0700_0000_0000_0006, "Broadcom UIF", "KWIN_DRM_USE_MODIFIERS=0"),
            (0x0700_0000_0043_8004, "Broadcom SAND128", "WESTON_DISABLE_GBM_MODIFIERS=1"),
            (0x0800_0000_0000_0051, "ARM AFBC", "MUTTER_DEBUG_USE_KMS_MODIFIERS=0"),
            (0x0820_0000_0000_0001, "ARM AFRC", "AQ_NO_MODIFIERS=1"),
            (0x0B00_0000_0000_0001, "Rockchip or MediaTek", "WLR_DRM_NO_MODIFIERS=1"),
            (0x00FF_FFFF_FFFF_FFFF, "unknown", "WLR_RENDERER=pixman"),
            (0x7700_0000_0000_0001, "0x7700000000000001", "WLR_DRM_NO_MODIFIERS=1"),
        ] as [(UInt64, String, String)])
    func modifiers(modifier: UInt64, name: String, mend: String) throws {
        let failure = try #require(objection { $0.modifier = modifier })
        #expect(failure.cause.contains(name))
        #expect(failure.mend.contains(mend))
    }

    @Test("The Raspberry Pi's orders are taken with the formats that its display engine takes them with")
    func raspberryPi() {
        #expect(objection { $0.modifier = TiledOrder.tTiled } == nil)
        #expect(objection { ($0.modifier, $0.fourcc) = (TiledOrder.tTiled, FormatName.xrgb2101010.fourcc) } != nil)
        var plane = ScreenFixture(.nv12, width: 16, height: 8).layer.plane
        plane.modifier = TiledOrder.sand(128, 1088)
        #expect(Composer.objection(to: plane) == nil)
        // The columns' lines are in the place of the bytes a line then.
        plane.modifier = TiledOrder.sand(128, 0)
        #expect(Composer.objection(to: plane) == nil)
        plane.pieces[0].bytesPerLine = 0
        #expect(Composer.objection(to: plane) != nil)
        plane.modifier = TiledOrder.tTiled
        #expect(Composer.objection(to: plane) != nil)
    }

    @Test("A geometry that no kernel would take is refused")
    func geometry() {
        #expect(objection { $0.width = 0 } != nil)
        #expect(objection { $0.sourceWidth += 1 } != nil)
        #expect(objection { $0.sourceY = 1 } != nil)
        #expect(objection { $0.rotation = 0 } != nil)
        #expect(objection { $0.rotation = 3 } != nil)
        #expect(objection { $0.rotation = 65 } != nil)
        #expect(objection { $0.targetWidth = -1 } != nil)
        #expect(objection { $0.x = .min } != nil)
        #expect(objection { $0.pieces = ScreenPlane.Pieces() } != nil)
        #expect(objection { $0.pieces[0].offset = -4 } != nil)
        #expect(objection { $0.pieces[0].bytesPerLine = -64 } != nil)
    }

    @Test("A plane that says it is larger than its memory is refused before anything is drawn")
    func pastMemory() throws {
        var layer = ScreenFixture(.xrgb8888, width: 16, height: 8).layer
        layer[memory: 0] = UnsafeRawBufferPointer(rebasing: layer[memory: 0].dropLast())
        let composer = Composer(screenWidth: 16, screenHeight: 8)
        let canvas = TestPicture(width: 16, height: 8).frame(.bgrx32)
        do {
            try composer.compose([layer], onto: canvas)
            Issue.record("it was drawn")
        } catch {
            #expect(error.cause.contains("511 bytes"))
        }
        #expect(TestPicture.sample(canvas.planes[0], 0, 0) == 0xEE)
    }
}
