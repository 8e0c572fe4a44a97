import Media
import Testing

@Suite("Frame rates")
struct FrameRateTests {
    @Test("a rate is kept in lowest terms and shown as people say it")
    func shown() throws {
        #expect(try #require(FrameRate(60, 2)) == .thirty)
        #expect(try #require(FrameRate(30000, 1001)).description == "29.97")
        #expect(try #require(FrameRate(60000, 1001)).description == "59.94")
        #expect(try #require(FrameRate(24000, 1001)).description == "23.98")
        #expect(try #require(FrameRate(1, 2)).description == "0.50")
        #expect(try #require(FrameRate(50)).description == "50")
    }

    @Test(
        "a rate that is none is refused",
        arguments: [(0, 1), (1, 0), (-30, 1), (30, -1), (1001, 1), (Int64.max, 1), (Int64.max, Int64.max), (0, 0)]
            as [(Int64, Int64)])
    func refused(numerator: Int64, denominator: Int64) {
        #expect(FrameRate(numerator, denominator) == nil)
    }

    @Test("times are exact, whatever the number of the picture")
    func times() throws {
        let rate = try #require(FrameRate(30000, 1001))
        #expect(rate.nanoseconds(of: 0) == 0)
        #expect(rate.nanoseconds(of: 1) == 33_366_666)
        #expect(rate.nanoseconds(of: 30_000) == 1_001_000_000_000)
        // Ten years of pictures.
        #expect(rate.nanoseconds(of: 30_000 * 315_360) == 1_001_000_000_000 * 315_360)
    }

    @Test(
        "a picture lasts a whole number of ticks of the timescale",
        arguments: [(1, 1), (2, 1), (25, 1), (30, 1), (50, 1), (60, 1), (30000, 1001), (60000, 1001), (24000, 1001)]
            as [(Int64, Int64)])
    func timescale(numerator: Int64, denominator: Int64) throws {
        let rate = try #require(FrameRate(numerator, denominator))
        #expect(rate.timescale * rate.denominator % rate.numerator == 0)
        #expect(rate.timescale <= 120_000)
    }

    @Test("rescaling rounds down and survives products beyond 64 bits")
    func rescaling() {
        #expect(rescale(7, by: 1, over: 2) == 3)
        #expect(rescale(-7, by: 1, over: 2) == -4)
        #expect(rescale(Int64.max / 2, by: 90_000, over: 180_000) == Int64.max / 4)
    }
}
