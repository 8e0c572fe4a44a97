import Media
import Testing

@testable import Capture

@Suite("Which vertical blanks are wanted")
struct ScreenPaceTests {
    /// The blanks that are wanted behind one another, from 1000 on.
    private func blanks(_ refresh: FrameRate, _ rate: FrameRate?, _ count: Int) -> [UInt64] {
        var pace = ScreenPace(refresh: refresh, rate: rate)
        pace.begin(at: 1000)
        var list: [UInt64] = [1000]
        for _ in 1..<count { list.append(pace.next(after: list[list.count - 1])) }
        return list.map { $0 - 1000 }
    }

    private func rate(_ numerator: Int64, _ denominator: Int64 = 1) throws -> FrameRate {
        try #require(FrameRate(numerator, denominator))
    }

    @Test("all of them, where no rate or none below the display's is wanted")
    func all() throws {
        #expect(blanks(try rate(60), nil, 5) == [0, 1, 2, 3, 4])
        #expect(blanks(try rate(60), try rate(60), 5) == [0, 1, 2, 3, 4])
        #expect(blanks(try rate(60), try rate(120), 5) == [0, 1, 2, 3, 4])
        #expect(blanks(try rate(60000, 1001), try rate(60), 5) == [0, 1, 2, 3, 4])
    }

    @Test("every second one for half the rate, the nearest ones for 25 of 60")
    func fewer() throws {
        #expect(blanks(try rate(60), try rate(30), 5) == [0, 2, 4, 6, 8])
        #expect(blanks(try rate(60), try rate(25), 8) == [0, 2, 5, 7, 10, 12, 14, 17])
        #expect(blanks(try rate(50), try rate(30), 7) == [0, 2, 3, 5, 7, 8, 10])
    }

    @Test("the blank nearest to each moment, over days, for rates that are no whole numbers")
    func nearest() throws {
        let refresh = try rate(148_352, 2475)
        for wanted in [try rate(25), try rate(30000, 1001), try rate(24000, 1001), .thirty] {
            var pace = ScreenPace(refresh: refresh, rate: wanted)
            pace.begin(at: 7)
            for moment: Int64 in [0, 1, 2, 3, 999, 1_000_000, 25 * 86400 * 30] {
                let exact = Double(moment) * refresh.perSecond / wanted.perSecond
                let next = pace.next(after: UInt64(exact.rounded()) + 7) - 7
                #expect(abs(Double(next) - exact - refresh.perSecond / wanted.perSecond) <= 0.51)
            }
        }
    }

    @Test("a late answer has missed the moments in between, and no others")
    func missed() throws {
        var pace = ScreenPace(refresh: try rate(60), rate: try rate(25))
        pace.begin(at: 100)
        #expect(pace.missed(from: 100, to: 102) == 0)
        // The next is wanted at 105: what is told of 104 still stands for the moment before.
        #expect(pace.missed(from: 100, to: 104) == 0)
        #expect(pace.missed(from: 100, to: 105) == 1)
        #expect(pace.missed(from: 102, to: 112) == 3)
        #expect(pace.missed(from: 102, to: 102) == 0)
    }

    @Test("numbers that begin anew begin anew")
    func anew() throws {
        var pace = ScreenPace(refresh: try rate(60), rate: .thirty)
        pace.begin(at: 1_000_000)
        #expect(pace.next(after: 1_000_000) == 1_000_002)
        pace.begin(at: 5)
        #expect(pace.next(after: 5) == 7)
        #expect(pace.next(after: 7) == 9)
        #expect(pace.missed(from: 9, to: 5) == 0)
    }

    @Test(
        "no number is too high, at any rate",
        arguments: [0, 1, 1 << 61, 1 << 62, (1 << 62) + 1, 1 << 63, .max - 1, .max] as [UInt64])
    func limits(sequence: UInt64) throws {
        let rates: [FrameRate?] = [
            nil, .thirty, try rate(1, 1 << 32), try rate((1 << 32) - 1, 1 << 32), try rate(24000, 1001),
        ]
        for refresh in [try rate(1000), try rate((1 << 32) - 1, 4_294_968), try rate(60), try rate(1)] {
            for rate in rates {
                for start: UInt64 in [0, 1000, 1 << 62, .max] {
                    var pace = ScreenPace(refresh: refresh, rate: rate)
                    pace.begin(at: start)
                    let next = pace.next(after: sequence)
                    if sequence < 1 << 62 {
                        #expect(next > sequence, "\(refresh) \(String(describing: rate)) \(start)")
                    }
                    #expect(next <= 1 << 63)
                    #expect(pace.missed(from: sequence, to: 0) == 0)
                    #expect(pace.missed(from: 0, to: sequence) <= sequence)
                }
            }
        }
    }
}
