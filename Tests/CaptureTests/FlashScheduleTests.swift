import Capture
import Media
import Testing

@Suite("Flashes and beeps")
struct FlashScheduleTests {
    static let rates: [(Int64, Int64)] = [(1, 1), (2, 1), (25, 1), (30_000, 1001), (30, 1), (50, 1), (60_000, 1001)]

    @Test("a flash is the first frame at or after each whole second", arguments: rates)
    func firstFrameOfEachSecond(numerator: Int64, denominator: Int64) throws {
        let rate = try #require(FrameRate(numerator, denominator))
        let schedule = FlashSchedule(rate: rate)
        for second in Int64(0)...600 {
            let frame = schedule.frame(ofSecond: second)
            #expect(frame * denominator >= second * numerator)
            #expect((frame - 1) * denominator < second * numerator)
            #expect(schedule.isFlash(frame: frame))
            #expect(schedule.second(ofFrame: frame) == second)
        }
    }

    @Test("there are as many flashes as seconds", arguments: rates)
    func countOfFlashes(numerator: Int64, denominator: Int64) throws {
        let schedule = FlashSchedule(rate: try #require(FrameRate(numerator, denominator)))
        let end = schedule.frame(ofSecond: 100)
        #expect((0..<end).filter { schedule.isFlash(frame: $0) }.count == 100)
    }
}
