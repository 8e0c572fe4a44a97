import Capture
import Media
import Testing
import V4L2

@Suite("Choice of a device's format")
struct CaptureChoiceTests {
    private func offer(_ pixelFormat: PixelFormat, _ width: Int, _ height: Int, _ rates: [Int64]) throws -> CaptureOffer
    {
        let layout = try #require(V4L2Layout.all.first { $0.pixelFormat == pixelFormat })
        let list = rates.compactMap { FrameRate($0) }
        return CaptureOffer(
            layout: layout, size: V4L2Sizes.Size(width, height), rates: list.isEmpty ? .unknown : .discrete(list))
    }

    /// What a usual USB 2 dongle offers.
    private func dongle() throws -> [CaptureOffer] {
        [
            try offer(.mjpeg, 1920, 1080, [60, 50, 30]), try offer(.mjpeg, 1280, 720, [60, 30]),
            try offer(.mjpeg, 640, 480, [60, 30]), try offer(.yuyv, 1920, 1080, [5]),
            try offer(.yuyv, 1280, 720, [10]), try offer(.yuyv, 640, 480, [30, 15]),
        ]
    }

    @Test("without a wish the largest fluent picture is taken, compressed where raw ones are slow")
    func best() throws {
        let choice = try #require(CaptureChoice(from: try dongle(), size: nil, rate: nil))
        #expect(choice.offer.size == V4L2Sizes.Size(1920, 1080))
        #expect(choice.offer.layout.pixelFormat == .mjpeg)
        #expect(choice.rate == .thirty)
    }

    @Test("raw pictures are taken where they reach the rate")
    func raw() throws {
        let choice = try #require(CaptureChoice(from: try dongle(), size: V4L2Sizes.Size(640, 480), rate: .thirty))
        #expect(choice.offer.layout.pixelFormat == .yuyv)
        let fast = try #require(CaptureChoice(from: try dongle(), size: V4L2Sizes.Size(640, 480), rate: FrameRate(60)))
        #expect(fast.offer.layout.pixelFormat == .mjpeg)
        #expect(fast.rate == FrameRate(60))
        let slow = try #require(CaptureChoice(from: try dongle(), size: V4L2Sizes.Size(1920, 1080), rate: FrameRate(5)))
        #expect(slow.offer.layout.pixelFormat == .yuyv)
    }

    @Test("layouts come in the order of the work that they make")
    func order() throws {
        let all: [PixelFormat] = [.mjpeg, .rgb24, .nv16, .uyvy, .yuyv, .yuv420, .nv12]
        var offers = try all.map { try offer($0, 1280, 720, [30]) }
        var chosen: [PixelFormat] = []
        while let choice = CaptureChoice(from: offers, size: nil, rate: nil) {
            chosen.append(choice.offer.layout.pixelFormat)
            offers.removeAll { $0 == choice.offer }
        }
        #expect(chosen == [.nv12, .yuv420, .yuyv, .uyvy, .nv16, .rgb24, .mjpeg])
    }

    @Test("the nearest rate is taken where the wanted one is missing")
    func nearestRate() throws {
        let offers = [try offer(.yuyv, 640, 480, [25, 20, 15])]
        #expect(CaptureChoice(from: offers, size: nil, rate: FrameRate(30))?.rate == FrameRate(25))
        let range = CaptureOffer(
            layout: offers[0].layout, size: offers[0].size,
            rates: .range(slowest: try #require(FrameRate(1)), fastest: try #require(FrameRate(60))))
        #expect(CaptureChoice(from: [range], size: nil, rate: FrameRate(30_000, 1001))?.rate == FrameRate(30_000, 1001))
        #expect(CaptureChoice(from: [range], size: nil, rate: FrameRate(120))?.rate == FrameRate(60))
    }

    @Test("a device that says no rates is taken as it is")
    func unknownRates() throws {
        let choice = try #require(CaptureChoice(from: [try offer(.uyvy, 1920, 1080, [])], size: nil, rate: nil))
        #expect(choice.rate == nil)
    }

    @Test("a slow camera gives its most fluent size")
    func slow() throws {
        let offers = [
            try offer(.yuyv, 1280, 720, [5]), try offer(.yuyv, 640, 480, [15]), try offer(.yuyv, 320, 240, [15]),
        ]
        #expect(CaptureChoice(from: offers, size: nil, rate: nil)?.offer.size == V4L2Sizes.Size(640, 480))
    }

    @Test("no size is made up, and odd ones are not taken")
    func nothing() throws {
        #expect(CaptureChoice(from: try dongle(), size: V4L2Sizes.Size(800, 600), rate: nil) == nil)
        #expect(CaptureChoice(from: [try offer(.yuyv, 641, 480, [30])], size: nil, rate: nil) == nil)
        #expect(CaptureChoice(from: [], size: nil, rate: nil) == nil)
    }

    @Test("very large pictures are taken only where there are no others")
    func large() throws {
        let offers = [try offer(.nv12, 3840, 2160, [30]), try offer(.yuyv, 1280, 720, [30])]
        #expect(CaptureChoice(from: offers, size: nil, rate: nil)?.offer.size == V4L2Sizes.Size(1280, 720))
        #expect(CaptureChoice(from: [offers[0]], size: nil, rate: nil)?.offer.size == V4L2Sizes.Size(3840, 2160))
    }
}
