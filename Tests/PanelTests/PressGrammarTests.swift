import Linux
import Testing

@testable import Panel

@Suite("What a hand does with a button")
struct PressGrammarTests {
    @Test("a press is told as the contact closes, and its end as it opens")
    func press() {
        var finger = Finger()
        finger.turn(at: 1000)
        #expect(finger.told == ["pressed 1000"])
        finger.turn(at: 1100)
        #expect(finger.told == ["pressed 1000", "released 1100"])
    }

    @Test("a hold is told while the button is still down, each length once")
    func holds() {
        var finger = Finger()
        finger.turn(at: 1000)
        finger.pass(to: 1999)
        #expect(finger.told == ["pressed 1000"])
        finger.pass(to: 2000)
        #expect(finger.told == ["pressed 1000", "held 1 2000"])
        finger.pass(to: 29_000)
        finger.turn(at: 29_000)
        #expect(finger.told == ["pressed 1000", "held 1 2000", "held 5 6000", "released 29000"])
    }

    @Test("a hold is as long as it says, to the millisecond", arguments: [(999, 0), (1000, 1), (4999, 1), (5000, 2)])
    func lengths(length: Double, count: Int) {
        var finger = Finger()
        finger.press(at: 1000, for: length)
        #expect(finger.told.filter { $0.hasPrefix("held") }.count == count)
        #expect(finger.told.last == "released \(Int(1000 + length))")
    }

    @Test("which holds are told is configuration, in whatever order they are given")
    func configured() {
        var finger = Finger(PressGrammar(holds: [10_000_000_000, 2_000_000_000, 0, -1]))
        finger.press(at: 0, for: 29_000)
        #expect(finger.told == ["pressed 0", "held 2 2000", "held 10 10000", "released 29000"])
        var plain = Finger(PressGrammar(holds: []))
        plain.press(at: 0, for: 29_000)
        #expect(plain.told == ["pressed 0", "released 29000"] && plain.wakeUps == 0)
    }

    @Test("a hold that is seen late is still a hold, and comes before what followed")
    func lateWakeUp() {
        var contact = Contact(
            button: 0, PressGrammar(), debounce: 0, isClosed: false, at: MonotonicTime(nanoseconds: 0))
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        let end = start + 3_000_000_000
        #expect(contact.edge(.init(isClosed: true, time: start, isExact: true)).count == 1)
        // Nothing was looked at for three seconds; then the edge is read first.
        let outcomes = contact.edge(.init(isClosed: false, time: end, isExact: true))
        #expect(
            outcomes == [
                .init(gesture: .held(1_000_000_000), time: start + 1_000_000_000, pressed: start),
                .init(gesture: .released, time: end, pressed: start),
            ])
        #expect(contact.deadline == nil)
    }

    @Test("gestures of one press know which press that was")
    func pressed() {
        var recogniser = PressRecogniser(PressGrammar(), isClosed: false, at: MonotonicTime(nanoseconds: 0))
        let start = MonotonicTime(nanoseconds: 7_000_000)
        let outcomes =
            recogniser.change(toClosed: true, at: start) + recogniser.reachHolds(until: start + 6_000_000_000)
            + recogniser.change(toClosed: false, at: start + 7_000_000_000)
        #expect(outcomes.count == 4)
        #expect(outcomes.allSatisfy { $0.pressed == start })
    }
}
