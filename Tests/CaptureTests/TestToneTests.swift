import Capture
import Linux
import Media
import Testing

@Suite("Test tone")
struct TestToneTests {
    private let origin = MonotonicTime(nanoseconds: 1_000_000_007)

    /// All samples of the first channel in a span, read in pieces of changing size.
    private func samples(_ tone: TestTone, nanoseconds: Int64) throws -> [Int16] {
        try tone.start(origin: origin)
        var result: [Int16] = []
        var buffer = [Int16](repeating: 0, count: 2 * 4096)
        var limit: Int64 = 0
        while limit < nanoseconds {
            limit = min(limit + 7_654_321, nanoseconds)
            let span = try buffer.withUnsafeMutableBufferPointer { try tone.read(into: $0, before: origin + limit) }
            guard let span else { continue }
            #expect(span.time - origin == tone.format.nanoseconds(of: Int64(result.count)))
            for index in 0..<span.frames {
                result.append(buffer[index * tone.format.channels])
                if tone.format.channels == 2 { #expect(buffer[2 * index] == buffer[2 * index + 1]) }
            }
        }
        return result
    }

    @Test("sound reaches up to the limit and not beyond")
    func limit() throws {
        let tone = TestTone(rate: .thirty)
        #expect(try samples(tone, nanoseconds: 1_000_000_000).count == 48_000)
        #expect(try samples(tone, nanoseconds: 1_000_000_001).count == 48_001)
        #expect(try samples(tone, nanoseconds: 20_833).count == 1)
        #expect(try samples(tone, nanoseconds: 20_834).count == 2)
    }

    @Test(
        "a beep begins with the first sample of its flash",
        arguments: [(30, 1, 48_000, 2), (30_000, 1001, 48_000, 2), (60_000, 1001, 44_100, 1), (50, 1, 32_000, 2)])
    func onset(numerator: Int64, denominator: Int64, rate: Int, channels: Int) throws {
        let pictures = try #require(FrameRate(numerator, denominator))
        let tone = TestTone(rate: pictures, format: AudioFormat(rate: rate, channels: channels))
        let sound = try samples(tone, nanoseconds: 5_000_000_000)
        // The tone alone stays below 1100; the beep's first sample is 0 like any wave's, so its second one is louder.
        var onsets: [Int] = []
        var quiet = Int.max / 2
        for (index, sample) in sound.enumerated() {
            if abs(Int(sample)) > 1100 {
                if quiet > rate / 50 { onsets.append(index) }
                quiet = 0
            } else {
                quiet += 1
            }
        }
        #expect(onsets.count == 5)
        let schedule = FlashSchedule(rate: pictures)
        for (second, onset) in onsets.enumerated() {
            let flash = Double(schedule.nanoseconds(ofSecond: Int64(second))) * Double(rate) / 1e9
            #expect(Double(onset) >= flash)
            #expect(Double(onset) < flash + 3)
        }
    }

    @Test("between beeps there is an even tone without a step")
    func tone() throws {
        let sound = try samples(TestTone(rate: .thirty), nanoseconds: 3_000_000_000)
        for second in 0..<3 {
            let part = sound[(second * 48_000 + 2000)..<((second + 1) * 48_000)]
            let loudest = part.map { abs(Int($0)) }.max()
            #expect(loudest == 1036)
            let steepest = zip(part, part.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(steepest <= 61)
        }
    }

    @Test("nothing comes before the start or after the stop")
    func running() throws {
        let tone = TestTone(rate: .thirty)
        var buffer = [Int16](repeating: 0, count: 64)
        let early = try buffer.withUnsafeMutableBufferPointer { try tone.read(into: $0, before: origin) }
        #expect(early?.frames == nil)
        try tone.start(origin: origin)
        tone.stop()
        let late = try buffer.withUnsafeMutableBufferPointer { try tone.read(into: $0, before: origin + 1_000_000) }
        #expect(late?.frames == nil)
    }
}
