import Media
import Testing

@testable import Recorder

@Suite("When a new part begins")
struct SplitScheduleTests {
    /// Times at which parts begin when pictures come at a rate, and no byte is ever counted.
    private func starts(
        _ rate: FrameRate, sampleRate: Int?, every nanoseconds: Int64, pictures: Int64
    ) -> [Int64] {
        var schedule = SplitSchedule(
            limits: SplitLimits(byteCount: 0, nanoseconds: nanoseconds), sampleRate: sampleRate, rate: rate,
            byteRate: 1_000_000)
        return (0..<pictures).map(rate.nanoseconds).filter { schedule.beginsPart(at: $0, partByteCount: 0) }
    }

    @Test(
        "picture and sound of every part start less than 10 ms apart, at every usual rate",
        arguments: [
            (1, 1), (2, 1), (24_000, 1001), (25, 1), (30_000, 1001), (30, 1), (50, 1), (60_000, 1001), (60, 1),
        ],
        [32_000, 44_100, 48_000])
    func startsNearSound(rate: (Int64, Int64), sampleRate: Int) throws {
        // At one picture a second and 44.1 kHz there is not always one near enough among three.
        if rate == (1, 1) && sampleRate == 44_100 { return }
        let rate = try #require(FrameRate(rate.0, rate.1))
        let starts = starts(
            rate, sampleRate: sampleRate, every: 7_000_000_000, pictures: rate.numerator * 200 / rate.denominator)
        #expect(starts.count >= 15)
        for start in starts {
            let sample = rescale(start, by: Int64(sampleRate), over: 1_000_000_000)
            let beyond = sample % 1024
            let distance = Double(min(beyond, 1024 - beyond)) / Double(sampleRate)
            #expect(distance < 0.010)
        }
    }

    @Test("without sound a part begins at the first picture at or after the limit")
    func withoutSound() {
        let starts = starts(.thirty, sampleRate: nil, every: 2_000_000_000, pictures: 300)
        #expect(starts == [2, 4, 6, 8].map { $0 * 1_000_000_000 })
    }

    @Test("limits count from the recording's start, so that small delays do not add up")
    func limitsDoNotDrift() {
        let starts = starts(.thirty, sampleRate: 48_000, every: 2_000_000_000, pictures: 300)
        #expect(starts.count == 4)
        for (index, start) in starts.enumerated() {
            #expect(start - Int64(index + 1) * 2_000_000_000 <= 1_000_000_000)
        }
    }

    @Test("a part is ended before it passes its size, by as much as the encoder may still give")
    func size() {
        var schedule = SplitSchedule(
            limits: SplitLimits(byteCount: 10_000_000, nanoseconds: 0), sampleRate: nil, rate: .thirty,
            byteRate: 1_000_000)
        #expect(schedule.reserve == 1_266_384)
        let early = schedule.beginsPart(at: 0, partByteCount: 8_733_615)
        let due = schedule.beginsPart(at: 1, partByteCount: 8_733_616)
        #expect(!early && due)
    }

    @Test("nothing is split when there is no limit, except by hand")
    func byHand() {
        var schedule = SplitSchedule(
            limits: SplitLimits(byteCount: 0, nanoseconds: 0), sampleRate: nil, rate: .thirty, byteRate: 1_000_000)
        let late = schedule.beginsPart(at: 1 << 60, partByteCount: 1 << 60)
        let asked = schedule.beginsPart(at: 5, partByteCount: 0, isAsked: true)
        #expect(!late && asked)
    }
}
