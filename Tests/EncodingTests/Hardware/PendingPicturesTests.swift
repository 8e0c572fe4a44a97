import Linux
import Testing

@testable import Encoding

@Suite("Matching a hardware encoder's pictures by time")
struct PendingPicturesTests {
    private func time(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

    /// As the interface gives it: microseconds.
    private func rounded(_ nanoseconds: Int64) -> MonotonicTime { time(nanoseconds / 1000 * 1000) }

    @Test("the time comes back to the nanosecond")
    func exact() {
        var pending = PendingPictures(capacity: 4)
        #expect(pending.add(time(1_000_000_999)) == 0)
        #expect(pending.match(rounded(1_000_000_999)) == PendingPictures.Match(time: time(1_000_000_999), skipped: 0))
        #expect(pending.count == 0)
    }

    @Test("older pictures will not come any more")
    func skipped() {
        var pending = PendingPictures(capacity: 8)
        for number in 1...5 { _ = pending.add(time(Int64(number) * 1_000_001)) }
        #expect(pending.match(rounded(3_000_003)) == PendingPictures.Match(time: time(3_000_003), skipped: 2))
        #expect(pending.count == 2)
        #expect(pending.match(rounded(4_000_004))?.skipped == 0)
    }

    @Test("a time that nothing has, as 0, is the oldest picture's")
    func unknown() {
        var pending = PendingPictures(capacity: 8)
        for number in 1...2 { _ = pending.add(time(Int64(number) * 1_000_000)) }
        #expect(pending.match(time(0)) == PendingPictures.Match(time: time(1_000_000), skipped: 0))
        #expect(pending.match(rounded(2_000_000)) == PendingPictures.Match(time: time(2_000_000), skipped: 0))
        #expect(pending.match(time(0)) == nil)
    }

    @Test("a second buffer of one picture is no other picture")
    func repeated() {
        var pending = PendingPictures(capacity: 8)
        for number in 1...2 { _ = pending.add(time(Int64(number) * 1_000_000)) }
        #expect(pending.match(rounded(1_000_000)) != nil)
        #expect(pending.match(rounded(1_000_000)) == nil)
        #expect(pending.match(rounded(2_000_000)) == PendingPictures.Match(time: time(2_000_000), skipped: 0))
    }

    @Test("a picture of time 0 is found by it")
    func zero() {
        var pending = PendingPictures(capacity: 8)
        for number in 0...2 { _ = pending.add(time(Int64(number) * 1_000_000)) }
        #expect(pending.match(time(0)) == PendingPictures.Match(time: time(0), skipped: 0))
    }

    @Test("more than there is room for gives the oldest up, round after round")
    func full() {
        var pending = PendingPictures(capacity: 3)
        var lost = 0
        for number in 0..<10 { lost += pending.add(time(Int64(number) * 1_000_000)) }
        #expect(lost == 7 && pending.count == 3)
        #expect(pending.match(time(8_000_000))?.skipped == 1)
        #expect(pending.removeAll() == 1)
        #expect(pending.count == 0)
    }
}
