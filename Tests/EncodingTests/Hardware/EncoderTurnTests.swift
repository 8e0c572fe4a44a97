import Linux
import Media
import Testing

@testable import Encoding

@Suite("When a hardware encoder is asked, waited for and given up")
struct EncoderTurnTests {
    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test("a picture a turn costs one question to each queue")
    func oneEach() {
        var probes = ProbePolicy()
        var (coded, raw) = (0, 0)
        for _ in 0..<100 {
            // One picture inside, done with by the next turn.
            if probes.asksForCoded(pending: 1) {
                coded += 1
                probes.note(finished: 1)
            }
            if probes.asksForCoded(pending: 0) { coded += 1 }
            while probes.asksForRaw(queued: 1, of: 8) {
                raw += 1
                probes.note(rawFound: true, queued: 0)
            }
        }
        #expect(coded == 100 && raw == 100)
        let later = [probes.asksForCoded(pending: 0), probes.asksForCoded(pending: 0)]
        #expect(later == [true, true], "what comes out of turn is found")
    }

    @Test("an encoder that holds pictures back is not asked in vain for ever; one that leaves pictures out is asked")
    func deep() {
        var probes = ProbePolicy()
        #expect(!probes.asksForRaw(queued: 2, of: 8))
        #expect(probes.asksForRaw(queued: 5, of: 8))
        probes.note(rawFound: false, queued: 5)
        #expect(!probes.asksForRaw(queued: 5, of: 8), "five inside are usual here")
        #expect(probes.asksForRaw(queued: 6, of: 8))
        #expect(probes.asksForRaw(queued: 8, of: 8), "a full encoder is always asked")
        probes.note(finished: 3)
        #expect(probes.asksForRaw(queued: 5, of: 8) && probes.owed == 3)
        #expect(!probes.asksForRaw(queued: 0, of: 8))
    }

    @Test("while draining, everything is asked for")
    func eager() {
        var probes = ProbePolicy()
        probes.isEager = true
        probes.note(finished: 1)
        let asksForCoded = probes.asksForCoded(pending: 0)
        #expect(asksForCoded && probes.asksForRaw(queued: 1, of: 8))
    }

    @Test("a picture that waits for the next one, which comes a second later, is no stall; three seconds are")
    func still() {
        var stall = StallWatch()
        for second in Int64(0)..<10 {
            _ = stall.noteSubmit()
            let silence = [10, 900].map { stall.isStalled(at: time(1000 * second + $0)) }
            #expect(silence == [false, false])
            // The picture before comes out.
            _ = stall.noteSubmit()
            let isStalled = stall.isStalled(at: time(1000 * second + 1010))
            #expect(!isStalled)
            stall.noteCoded()
        }
        _ = stall.noteSubmit()
        let silence = [20_000, 22_999, 23_000].map { stall.isStalled(at: time($0)) }
        #expect(silence == [false, false, true])
    }

    @Test("a second of silence is a stall, and something that comes out is none")
    func stall() {
        var stall = StallWatch()
        for _ in 0..<StallWatch.patience { _ = stall.noteSubmit() }
        let looks = [stall.noteNothing(), stall.noteNothing()]
        #expect(looks == [false, true], "the clock is looked at from the second time on")
        let silence = [10, 1009, 1010].map { stall.isStalled(at: time($0)) }
        #expect(silence == [false, false, true])
        stall.noteCoded()
        for _ in 0..<StallWatch.patience { _ = stall.noteSubmit() }
        let again = [5000, 5999, 6000].map { stall.isStalled(at: time($0)) }
        #expect(again == [false, false, true])
        stall.noteRelease()
        let released = stall.isStalled(at: time(7000))
        #expect(!released)
    }

    @Test("pictures that go in and come back without a packet are a fault in the end")
    func swallowed() {
        var stall = StallWatch()
        var (looks, stalls) = (0, 0)
        for number in 0..<StallWatch.mostSkipped {
            if stall.noteSubmit() { looks += 1 }
            stall.noteRelease()
            if stall.isStalled(at: time(Int64(number) * 33)) { stalls += 1 }
        }
        #expect(looks == StallWatch.mostSkipped - StallWatch.patience && stalls == 0)
        _ = stall.noteSubmit()
        let isStalled = stall.isStalled(at: time(3000))
        #expect(isStalled)
    }

    @Test("draining ends with the encoder's word, else with silence, and after two seconds in any case")
    func draining() {
        var told = Drainage(at: time(0), tellsEnd: true)
        told.noteNothing(at: time(500), queued: 0, pending: 0)
        #expect(!told.isOver)
        told.noteLast()
        #expect(told.isOver && !told.isGivenUp)

        var silent = Drainage(at: time(0), tellsEnd: false)
        silent.noteNothing(at: time(10), queued: 1, pending: 0)
        #expect(!silent.isOver, "a picture is still with the device")
        silent.noteNothing(at: time(20), queued: 0, pending: 1)
        #expect(!silent.isOver)
        silent.noteCoded()
        silent.noteNothing(at: time(300), queued: 0, pending: 1)
        #expect(!silent.isOver, "something came just now")
        silent.noteNothing(at: time(500), queued: 0, pending: 1)
        #expect(silent.isOver && !silent.isGivenUp)

        var empty = Drainage(at: time(0), tellsEnd: false)
        empty.noteNothing(at: time(1), queued: 0, pending: 0)
        #expect(empty.isOver)

        var stuck = Drainage(at: time(0), tellsEnd: true)
        stuck.noteNothing(at: time(1999), queued: 1, pending: 1)
        #expect(!stuck.isOver)
        stuck.noteNothing(at: time(2000), queued: 1, pending: 1)
        #expect(stuck.isOver && stuck.isGivenUp)
    }

    @Test("a key frame is wished for when due, when asked, and again when it did not come")
    func keyFrames() {
        var wish = KeyFrameWish(seconds: 2, rate: .thirty)
        var wishes = [wish.isDue(at: time(0), forced: false)]
        wish.note(time(0), isKeyFrame: true)
        wishes += [wish.isDue(at: time(33), forced: false), wish.isDue(at: time(66), forced: true)]
        #expect(wishes == [true, false, true], "the first, and the one asked for")
        // The one before it became the key frame.
        wish.note(time(33), isKeyFrame: true)
        wish.note(time(66), isKeyFrame: false)
        wishes = [wish.isDue(at: time(99), forced: false)]
        wish.note(time(99), isKeyFrame: true)
        wishes += [133, 2066, 2099].map { wish.isDue(at: time($0), forced: false) }
        #expect(wishes == [true, false, false, true], "once more, and then after two seconds")
    }

    @Test("an encoder that makes no key frames is not asked for ever")
    func vain() {
        var wish = KeyFrameWish(seconds: 600, rate: .thirty)
        var wishes = 0
        for number in 0..<100 {
            if wish.isDue(at: time(Int64(number) * 33), forced: number == 5) { wishes += 1 }
            wish.note(time(Int64(number) * 33), isKeyFrame: number == 0)
        }
        #expect(wishes == 5, "the first, the one asked for, and three more tries")
        wish.noteLoss()
        let isDue = wish.isDue(at: time(3333), forced: false)
        #expect(isDue, "a loss asks anew")
    }
}
