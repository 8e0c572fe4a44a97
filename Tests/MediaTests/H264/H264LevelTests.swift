import Media
import Testing

@Suite("Levels of H.264")
struct H264LevelTests {
    @Test(
        "the least level follows from size, rate and bitrate",
        arguments: [
            (160, 120, 1, 1, 64_000, "1"), (176, 144, 15, 1, 64_000, "1"), (352, 288, 30, 1, 900_000, "1.3"),
            (352, 288, 30, 1, 1_000_000, "2"),
            (640, 480, 30, 1, 2_000_000, "3"), (720, 576, 25, 1, 4_000_000, "3"), (1280, 720, 30, 1, 4_000_000, "3.1"),
            (1280, 720, 60, 1, 8_000_000, "3.2"), (1366, 768, 30, 1, 4_000_000, "3.2"),
            (1920, 1080, 30, 1, 6_000_000, "4"), (1920, 1080, 30, 1, 40_000_000, "4.1"),
            (1920, 1080, 60000, 1001, 12_000_000, "4.2"), (1920, 1080, 60, 1, 12_000_000, "4.2"),
            (3840, 2160, 30, 1, 20_000_000, "5.1"), (3840, 2160, 60, 1, 20_000_000, "5.2"),
            (7680, 4320, 30, 1, 80_000_000, "6"), (1920, 1080, 1, 1, 6_000_000, "4"), (16384, 64, 30, 1, 64_000, "6"),
        ])
    func least(width: Int, height: Int, numerator: Int64, denominator: Int64, bitrate: Int, level: String) throws {
        let rate = try #require(FrameRate(numerator, denominator))
        let least = try #require(H264Level.least(width: width, height: height, rate: rate, bitrate: bitrate))
        #expect("\(least)" == level)
    }

    @Test("what no decoder can do has no level")
    func none() {
        #expect(H264Level.least(width: 16384, height: 16384, rate: .thirty, bitrate: 1) == nil)
        #expect(H264Level.least(width: 1920, height: 1080, rate: .thirty, bitrate: 2_000_000_000) == nil)
    }

    @Test("references, buffer and profile count")
    func others() throws {
        func level(_ references: Int, buffer: Int = 0, profile: UInt8 = 100) -> UInt8? {
            H264Level.least(
                width: 1920, height: 1080, rate: .thirty, bitrate: 24_000_000, buffer: buffer,
                referenceFrames: references, profile: profile)?.idc
        }
        #expect(level(4) == 40)
        #expect(level(5) == 50)
        #expect(level(1, buffer: 32_000_000) == 41)
        #expect(level(1, profile: 77) == 41)
    }

    @Test("each level has a next one up to the greatest, and each is found by its number")
    func next() throws {
        var level = try #require(H264Level(idc: 10))
        var count = 1
        while let next = level.next {
            #expect(next.idc > level.idc && next.macroblocksPerSecond >= level.macroblocksPerSecond)
            #expect(H264Level(idc: next.idc) == next)
            level = next
            count += 1
        }
        #expect(level.idc == 62 && count == H264Level.all.count)
        #expect(H264Level(idc: 43) == nil)
    }
}
