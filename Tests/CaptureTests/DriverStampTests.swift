import Linux
import Media
import Testing

@testable import Capture

@Suite("Times and numbers of drivers")
struct DriverStampTests {
    private func time(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000_000 + milliseconds * 1_000_000)
    }

    @Test("good times are taken as they are")
    func good() {
        var guardian = ClockGuard(rate: .thirty)
        for frame in Int64(0)..<100 {
            let stamp = time(frame * 33)
            #expect(guardian.time(stamp, isMonotonic: true, now: time(frame * 33 + 20)) == stamp)
        }
        #expect(guardian.isTrusted)
    }

    @Test("the clock is looked at once a second of pictures, and for one that comes out of turn")
    func looks() {
        var guardian = ClockGuard(rate: .thirty)
        var looks = 0
        func now(_ milliseconds: Int64) -> MonotonicTime {
            looks += 1
            return time(milliseconds)
        }
        for frame in Int64(0)..<300 {
            _ = guardian.time(time(frame * 33), isMonotonic: true, now: now(frame * 33 + 20))
        }
        #expect(looks == 10)
        _ = guardian.time(time(300 * 33 + 200), isMonotonic: true, now: now(300 * 33 + 220))
        #expect(looks == 11)
        guardian.resume()
        _ = guardian.time(time(301 * 33 + 200), isMonotonic: true, now: now(301 * 33 + 220))
        #expect(looks == 12 && guardian.isTrusted)
    }

    @Test("a driver whose clock runs away is found out within the second")
    func runningAway() {
        var guardian = ClockGuard(rate: .thirty)
        var frame: Int64 = 0
        // Twice as fast as time.
        while guardian.isTrusted && frame < 1000 {
            _ = guardian.time(time(frame * 66), isMonotonic: true, now: time(frame * 33))
            frame += 1
        }
        #expect(frame <= 17)
    }

    @Test(
        "after a time that cannot be the arrival counts",
        arguments: [
            (Int64(184), true), (Int64(0), true), (Int64(-20_000), true), (Int64(110), false),
        ])
    func impossible(stamp: Int64, isMonotonic: Bool) {
        var guardian = ClockGuard(rate: .thirty)
        _ = guardian.time(time(100), isMonotonic: true, now: time(110))
        #expect(guardian.time(time(stamp), isMonotonic: isMonotonic, now: time(150)) == time(150))
        #expect(!guardian.isTrusted)
        #expect(guardian.time(time(160), isMonotonic: true, now: time(190)) == time(190))
    }

    @Test("times always grow")
    func growing() {
        var guardian = ClockGuard(rate: .thirty)
        let first = guardian.time(time(500), isMonotonic: true, now: time(100))
        let second = guardian.time(time(500), isMonotonic: true, now: time(100))
        #expect(second > first)
    }

    @Test("gaps are counted, over the end of 32 bits too")
    func gaps() {
        var counter = SequenceCounter()
        #expect(counter.missing(before: .max - 2) == 0)
        #expect(counter.missing(before: .max - 1) == 0)
        #expect(counter.missing(before: 0) == 1)
        #expect(counter.missing(before: 4) == 3)
        #expect(counter.number == 7)
    }

    @Test("a start anew is no gap, and what is counted besides has a number of its own")
    func anew() {
        var counter = SequenceCounter(after: 41)
        #expect(counter.missing(before: 7) == 0)
        #expect(counter.number == 42)
        counter.advance()
        counter.resume()
        #expect(counter.missing(before: 0) == 0)
        #expect(counter.number == 44)
        #expect(counter.missing(before: 2) == 1)
        #expect(counter.number == 46)
    }

    @Test("a driver that does not count, or starts again, loses nothing", arguments: [UInt32(9), 0, 3])
    func noCount(sequence: UInt32) {
        var counter = SequenceCounter()
        _ = counter.missing(before: 9)
        #expect(counter.missing(before: sequence) == 0)
        #expect(counter.number == 1)
    }

    @Test("silence fills exactly what an overrun lost")
    func silence() {
        var gap = SoundGap(format: .standard)
        gap.read(480, at: time(0))
        #expect(gap.silence(before: time(10)) == 0)
        gap.read(480, at: time(10))
        gap.interrupt()
        // Sound was read up to 20 ms and goes on at 270 ms.
        #expect(gap.silence(before: time(270)) == 12_000)
        gap.read(12_000, at: time(20))
        #expect(gap.silence(before: time(270)) == 0)
        gap.read(480, at: time(270))
        #expect(gap.end == time(280))
    }

    @Test("before the first sample there is nothing to fill")
    func silenceAtStart() {
        var gap = SoundGap(format: .standard)
        gap.interrupt()
        #expect(gap.silence(before: time(500)) == 0)
    }
}
