import CKernel
import Media
import Testing
import V4L2

@Suite("Timings of a signal")
struct V4L2TimingsTests {
    private func rate(
        _ columns: Int, _ lines: Int, clock: UInt64, isInterlaced: Bool = false, flags: Int = 0
    ) -> FrameRate? {
        V4L2Timings(
            width: 640, height: 400, blankColumns: columns - 640, blankLines: lines - 400, pixelClock: clock,
            isInterlaced: isInterlaced, flags: UInt32(flags)
        ).shape?.rate
    }

    @Test("the rate is the pixel clock by all pixels of a picture, blanking and all")
    func whole() {
        #expect(rate(2200, 1125, clock: 148_500_000) == FrameRate(60))
        #expect(rate(2640, 1125, clock: 148_500_000) == FrameRate(50))
        #expect(rate(2750, 1125, clock: 74_250_000) == FrameRate(24))
        #expect(rate(1650, 750, clock: 74_250_000) == FrameRate(60))
        #expect(rate(864, 625, clock: 13_500_000, isInterlaced: true) == FrameRate(25))
    }

    @Test("a clock that is 1000/1001 of the nominal one gives 59.94, 29.97 and 23.98 exactly")
    func reduced() {
        #expect(rate(2200, 1125, clock: 148_351_648) == FrameRate(60000, 1001))
        #expect(rate(800, 525, clock: 25_175_000) == FrameRate(60000, 1001))
        #expect(rate(2200, 1125, clock: 74_175_824) == FrameRate(30000, 1001))
        #expect(rate(2750, 1125, clock: 74_175_824) == FrameRate(24000, 1001))
    }

    @Test("a nominal clock with the flag for it is the reduced rate; the flag that it could be reduced alone is not")
    func flags() {
        let can = Int(V4L2_DV_FL_CAN_REDUCE_FPS)
        #expect(
            rate(2200, 1125, clock: 148_500_000, flags: can | Int(V4L2_DV_FL_REDUCED_FPS)) == FrameRate(60000, 1001))
        #expect(rate(2200, 1125, clock: 148_500_000, flags: can) == FrameRate(60))
    }

    @Test("a measured clock may be 0.04 % off, and no rate lies near 59.8")
    func measured() {
        for clock: UInt64 in [148_440_600, 148_559_400] {
            #expect(rate(2200, 1125, clock: clock) == FrameRate(60))
        }
        #expect(rate(2200, 1125, clock: 148_410_900) == FrameRate(60000, 1001))
        // VESA CVT 1366x768.
        #expect(rate(1792, 798, clock: 85_500_000) == FrameRate(59_790, 1000))
    }

    @Test("timings without a clock or a size are no signal")
    func senseless() {
        #expect(rate(2200, 1125, clock: 0) == nil)
        let timings = V4L2Timings(width: 0, height: 0, blankColumns: 0, blankLines: 0, pixelClock: 148_500_000)
        #expect(timings.shape == nil)
    }

    @Test("timings are the same but for the measured clock")
    func same() {
        func timings(_ clock: UInt64, blank: Int = 280, interlaced: Bool = false) -> V4L2Timings {
            V4L2Timings(
                width: 1920, height: 1080, blankColumns: blank, blankLines: 45, pixelClock: clock,
                isInterlaced: interlaced)
        }
        let nominal = timings(148_500_000)
        #expect(nominal.isSame(as: timings(148_510_000)))
        #expect(!nominal.isSame(as: timings(148_351_648)))
        #expect(!nominal.isSame(as: timings(148_500_000, blank: 720)))
        #expect(!nominal.isSame(as: timings(148_500_000, interlaced: true)))
    }
}
