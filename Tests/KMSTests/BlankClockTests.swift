import Linux
import Media
import Testing

@testable import KMS

@Suite("When blanks are")
struct BlankClockTests {
    private let rate = FrameRate(25_175_000, 800 * 525) ?? .thirty

    private func clock(_ sequence: UInt64, _ nanoseconds: Int64) -> BlankClock {
        BlankClock(rate, .init(sequence: sequence, time: MonotonicTime(nanoseconds: nanoseconds)))
    }

    @Test("a blank ahead lies whole periods behind the last one, without an error that adds up")
    func ahead() {
        let clock = clock(1000, 5_000_000_000)
        #expect(clock.period == 16_683_217)
        #expect(clock.time(of: 1001).nanoseconds == 5_016_683_217)
        // 25 175 blanks take 420 s.
        #expect(clock.time(of: 1000 + 25_175).nanoseconds == 425_000_000_000)
    }

    @Test("an order for a blank that has been, or for none, is for the next one")
    func target() {
        let clock = clock(1000, 0)
        #expect(clock.target(0) == 1001)
        #expect(clock.target(999) == 1001)
        #expect(clock.target(1001) == 1001)
        #expect(clock.target(1002) == 1002)
    }

    @Test("a number far ahead, as of another screen's count, is for the next blank")
    func farTarget() {
        #expect(clock(1000, 0).target(1000 + BlankClock.farthest + 1) == 1001)
        #expect(clock(1000, 0).target(.max) == 1001)
        #expect(clock(.max - 1, 0).target(0) == .max)
    }

    @Test("a number of another count has a time as well, however far it is")
    func otherCount() throws {
        let slow = try #require(FrameRate(1))
        for sequence: UInt64 in [0, 1 << 40, 1 << 62, 1 << 63, .max] {
            for last: UInt64 in [0, 1 << 40, .max] {
                let clock = BlankClock(slow, .init(sequence: last, time: MonotonicTime(nanoseconds: 1 << 61)))
                let ahead = Int64(truncatingIfNeeded: sequence &- last)
                #expect((clock.time(of: sequence) > clock.last.time) == (ahead > 0))
                #expect(clock.time(of: sequence) == clock.last.time || ahead != 0)
            }
        }
    }

    @Test("the blank before a moment is the last one whose time has come")
    func before() {
        let clock = clock(1000, 5_000_000_000)
        #expect(clock.blank(before: MonotonicTime(nanoseconds: 5_016_683_216)).sequence == 1000)
        #expect(clock.blank(before: MonotonicTime(nanoseconds: 5_016_683_218)).sequence == 1001)
        #expect(clock.blank(before: MonotonicTime(nanoseconds: 5_016_683_218)).time.nanoseconds == 5_016_683_217)
        // None is reckoned to be before one that has been.
        #expect(clock.blank(before: MonotonicTime(nanoseconds: 4_000_000_000)) == clock.last)
    }

    @Test("where no blank is told of the wanted one is told when it is due, and else the last one: never one to come")
    func untold() {
        let clock = clock(1000, 5_000_000_000)
        let moment = MonotonicTime(nanoseconds: 5_010_000_000)
        #expect(clock.blank(of: 1001, at: moment).sequence == 1001)
        #expect(clock.blank(of: 1002, at: moment) == clock.last)
        #expect(clock.blank(of: 5_000_000, at: moment) == clock.last)
        #expect(clock.blank(of: 1001, at: moment + 1_000_000_000) == clock.blank(before: moment + 1_000_000_000))
    }

    @Test("where a driver has no blanks they are counted in periods of the clock")
    func counting() throws {
        let sixty = try #require(FrameRate(60))
        let clock = BlankClock(counting: sixty, until: MonotonicTime(nanoseconds: 10_008_000_000))
        #expect(clock.last.sequence == 600)
        #expect(clock.last.time.nanoseconds == 10_000_000_000)
        #expect(clock.time(of: 601).nanoseconds == 10_016_666_666)
        #expect(clock.time(of: 602).nanoseconds == 10_033_333_333)
        // Two that count at different moments count the same.
        let later = BlankClock(counting: sixty, until: MonotonicTime(nanoseconds: 10_020_000_000))
        #expect(later.last.sequence == 601)
        #expect(later.last.time == clock.time(of: 601))
        #expect(later.time(of: 602) == clock.time(of: 602))
    }
}
