import Media
import Testing
import V4L2

@testable import Recorder

@Suite("Fit of two devices' buffers")
struct FormatFitTests {
    private func fit(
        _ giver: FakeDriver, _ taker: FakeDriver, _ code: String, _ width: Int = 1366, _ height: Int = 768
    ) throws(FormatFit.Misfit) -> FormatFit {
        let wish = V4L2Format(width: width, height: height, fourcc: FakeDriver.code(code))
        guard let offer = giver.trying(wish) else { throw .size }
        return try FormatFit(offer, giver.trying, as: FakeDriver.code(code), taker.trying)
    }

    @Test("a taker that rounds the number of lines up finds the colour of one piece in another place")
    func lines() throws {
        let taker = FakeDriver(codes: ["NV12", "YUYV"], lineCountAlignment: 16)
        #expect(throws: FormatFit.Misfit.height(given: 1080, wanted: 1088)) {
            try fit(FakeDriver(codes: ["NV12"]), taker, "NV12", 1920, 1080)
        }
        // Packed pictures have no second plane: a larger piece is enough.
        let packed = try fit(FakeDriver(codes: ["YUYV"]), taker, "YUYV", 1920, 1080)
        #expect(packed.taken.height == 1088 && packed.given.height == 1080)
        #expect(packed.isShareable && packed.isPadded)
        #expect(packed.given.planes[0].byteCount == 1920 * 2 * 1088)
    }

    @Test("planes in pieces of their own may each be larger")
    func separatePlanes() throws {
        let taker = FakeDriver(codes: ["NM12"], lineCountAlignment: 16)
        let fit = try fit(FakeDriver(codes: ["NM12"]), taker, "NM12", 1920, 1080)
        #expect(fit.given.planes.map(\.byteCount) == [1920 * 1088, 1920 * 544])
        #expect(fit.isShareable)
    }

    @Test("pieces that are too small can be lent, not shared")
    func smallPieces() throws {
        let giver = FakeDriver(codes: ["YUYV"], takesLargerPieces: false)
        let fit = try fit(giver, FakeDriver(codes: ["YUYV"], pieceAlignment: 4096), "YUYV")
        #expect(!fit.isShareable && fit.isLendable && !fit.isPadded)
        let larger = try self.fit(
            FakeDriver(codes: ["YUYV"], pieceAlignment: 4096),
            FakeDriver(codes: ["YUYV"], takesLargerPieces: false), "YUYV")
        #expect(larger.isShareable && !larger.isLendable)
    }

    @Test("what the driver rounds down to another size is no fit")
    func size() {
        let small = FakeDriver(codes: ["NV12"], largest: V4L2Sizes.Size(1280, 720))
        #expect(throws: FormatFit.Misfit.size) { try fit(FakeDriver(codes: ["NV12"]), small, "NV12") }
        #expect(throws: FormatFit.Misfit.size) {
            try fit(FakeDriver(codes: ["NV12"]), FakeDriver(codes: ["YUYV"]), "NV12")
        }
    }

    @Test("what keeps them apart, in words")
    func words() {
        let format = V4L2Format(width: 1366, height: 768, fourcc: FakeDriver.code("NV12"))
        let misfits: [(FormatFit.Misfit, String)] = [
            (.size, "the encoder takes no NV12 1366x768"),
            (.lines(given: 1366, wanted: 1408), "lines of 1366 bytes, the encoder wants 1408"),
            (.height(given: 1080, wanted: 1088), "colour behind 1080 lines, the encoder wants it behind 1088"),
            (.pieces(given: 10, wanted: 20), "buffers of 10 bytes, the encoder wants 20"),
        ]
        for (misfit, words) in misfits { #expect(misfit.words("the encoder", format) == words) }
    }
}
