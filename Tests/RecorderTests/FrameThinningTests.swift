import Media
import Testing

@testable import Recorder

@Suite("A rate below the source's")
struct FrameThinningTests {
    private func kept(_ source: FrameRate, _ wanted: FrameRate, seconds: Int64) throws -> [Int64] {
        var thinning = try #require(FrameThinning(from: source, to: wanted))
        return (0..<(seconds * source.numerator / source.denominator)).filter {
            thinning.keeps(source.nanoseconds(of: $0))
        }
    }

    @Test("60 to 30 takes every other picture")
    func half() throws {
        let sixty = try #require(FrameRate(60))
        #expect(try kept(sixty, .thirty, seconds: 10) == (0..<300).map { $0 * 2 })
    }

    @Test(
        "takes as many pictures as the wanted rate has moments, evenly",
        arguments: [(60, 1, 25, 1), (30, 1, 25, 1), (60_000, 1001, 30, 1), (30, 1, 1, 1), (50, 1, 24_000, 1001)])
    func even(source: Int64, sourceDivisor: Int64, wanted: Int64, wantedDivisor: Int64) throws {
        let source = try #require(FrameRate(source, sourceDivisor))
        let wanted = try #require(FrameRate(wanted, wantedDivisor))
        let kept = try kept(source, wanted, seconds: 100)
        #expect(abs(Int64(kept.count) - 100 * wanted.numerator / wanted.denominator) <= 1)
        let steps = Set(zip(kept, kept.dropFirst()).map { $1 - $0 })
        #expect((steps.max() ?? 0) - (steps.min() ?? 0) <= 1)
    }

    @Test("a gap is not made up for by pictures close together")
    func gap() throws {
        let sixty = try #require(FrameRate(60))
        var thinning = try #require(FrameThinning(from: sixty, to: .thirty))
        let times = [0, 1, 2, 60, 61, 62, 63].map { sixty.nanoseconds(of: $0) }
        #expect(times.map { thinning.keeps($0) } == [true, false, true, true, false, true, false])
    }

    @Test("a source that is not faster is left as it is")
    func notFaster() {
        #expect(FrameThinning(from: .thirty, to: .thirty) == nil)
        #expect(FrameThinning(from: .thirty, to: FrameRate(60)) == nil)
        #expect(FrameThinning(from: .thirty, to: nil) == nil)
    }
}
