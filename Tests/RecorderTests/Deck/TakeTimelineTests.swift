import Linux
import Testing

@testable import Recorder

@Suite("Time in a recording")
struct TakeTimelineTests {
    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test("runs with the clock from the first picture on")
    func plain() {
        let line = TakeTimeline(origin: at(1000))
        #expect(line.time(of: at(1000)) == 0 && line.time(of: at(1500)) == 500_000_000)
        #expect(line.time(of: at(900)) == -100_000_000)
        #expect(line.moment(of: 500_000_000) == at(1500))
    }

    @Test("stands still in a pause, and goes on as if there had been none")
    func pauses() {
        var line = TakeTimeline(origin: at(0))
        for number in Int64(0)..<100 {
            line.pause(at: (number + 1) * 10_000_000)
            #expect(line.time(of: at(number * 100 + 50)) == (number + 1) * 10_000_000)
            line.resume(at: at((number + 1) * 100))
            #expect(line.end == nil)
        }
        #expect(line.time(of: at(10_005)) == 1_005_000_000)
        // What was captured before a pause keeps its time, what lies within one is where it ends.
        #expect(line.time(of: at(205)) == 25_000_000)
        #expect(line.time(of: at(295)) == 30_000_000)
        #expect(line.moment(of: 1_005_000_000) == at(10_005))
    }

    @Test("has a moment for the end of a recording that was extended again and again")
    func extended() {
        let line = TakeTimeline(origin: at(1000))
        var duration: Int64 = 1
        for _ in 1...100 { duration = TakePlan.extended(duration, by: 100_000_000_000_000_000) }
        #expect(line.moment(of: duration - 1) > at(1000))
        #expect(TakePlan.extended(1_000, by: 500) == 1_500)
    }
}
