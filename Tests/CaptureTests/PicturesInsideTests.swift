import Linux
import Media
import Testing

@testable import Capture

@Suite("Pictures inside a converter")
struct PicturesInsideTests {
    private func picture(_ number: UInt64, at nanoseconds: Int64) -> PicturesInside.Picture {
        let frame = VideoFrame(index: 0, planes: [])
        (frame.time, frame.sequence, frame.isSlate) = (MonotonicTime(nanoseconds: nanoseconds), number, number == 2)
        return PicturesInside.Picture(frame)
    }

    private func microseconds(_ nanoseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds / 1000 * 1000)
    }

    @Test("a picture keeps the nanoseconds, the number and the mark that a device does not carry")
    func match() throws {
        var inside = PicturesInside(capacity: 2)
        for number in 1...5 as ClosedRange<UInt64> {
            let time = Int64(number) * 33_333_333
            inside.add(picture(number, at: time))
            #expect(inside.oldest == MonotonicTime(nanoseconds: time))
            let found = inside.match(microseconds(time))
            let match = try #require(found)
            #expect(match.picture == picture(number, at: time) && match.skipped == 0)
            #expect(inside.count == 0 && inside.oldest == nil)
        }
    }

    @Test("pictures that a device left out are told of when a later one comes")
    func skipped() throws {
        var inside = PicturesInside(capacity: 4)
        for number in 1...4 as ClosedRange<UInt64> { inside.add(picture(number, at: Int64(number) * 1_000_001)) }
        let found = inside.match(microseconds(3_000_003))
        let match = try #require(found)
        #expect(match.picture.sequence == 3 && match.skipped == 2)
        #expect(inside.count == 1 && inside.oldest == MonotonicTime(nanoseconds: 4_000_004))
    }

    @Test("a device that carries no times gives pictures in their order")
    func order() throws {
        var inside = PicturesInside(capacity: 3)
        for number in 1...3 as ClosedRange<UInt64> { inside.add(picture(number, at: Int64(number) * 1_000_000)) }
        for number in 1...3 as ClosedRange<UInt64> {
            let found = inside.match(MonotonicTime(nanoseconds: 0))
            let match = try #require(found)
            #expect(match.picture.sequence == number && match.skipped == 0)
        }
        let none = inside.match(MonotonicTime(nanoseconds: 0))
        #expect(none == nil)
    }
}
