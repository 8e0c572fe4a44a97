import Linux
import Testing

@testable import Panel

@Suite("Buttons that do not behave")
struct UnrulyButtonTests {
    @Test("a button that is stuck when the panel begins means nothing until it is let go")
    func stuck() {
        var finger = Finger(.toggle, isClosed: true)
        #expect(!finger.hasDeadline)
        finger.edge(at: 500)
        finger.pass(to: 100_000)
        #expect(finger.meant.isEmpty && finger.wakeUps == 0)
        finger.turn(at: 100_000)
        #expect(finger.meant.isEmpty)
        finger.press(at: 101_000)
        #expect(finger.meant == ["start 101000"])
    }

    @Test("fifty presses in a second are one wish, and the recording goes on")
    func hammering() {
        var finger = Finger(.toggle)
        for press in 0..<50 { finger.press(at: 1000 + Double(press) * 20, for: 10) }
        #expect(finger.meant == ["start 1000"])
        // The hand has come to rest: the next press counts again.
        finger.press(at: 3000)
        #expect(finger.meant == ["start 1000", "stop 3000"])
    }

    @Test("with no rest between presses each of the fifty counts")
    func hammeringWithoutRest() {
        var grammar = PressGrammar.toggle
        grammar.rest = 0
        var finger = Finger(grammar)
        for press in 0..<50 { finger.press(at: 1000 + Double(press) * 20, for: 10) }
        #expect(finger.meant.count == 50)
        #expect(finger.phase == .idle)
    }

    @Test(
        "a press soon after letting go is the trembling of a hand; a little later it is a press", arguments: [199, 200])
    func rest(gap: Double) {
        var finger = Finger(.toggle)
        finger.press(at: 1000, for: 100)
        finger.press(at: 1100 + gap, for: 100)
        #expect(finger.meant.count == (gap < 200 ? 1 : 2))
    }

    @Test("a contact that bounces on its way down and up is one press")
    func bounce() {
        var finger = Finger(.holdToStop, debounce: 10)
        finger.phase = .active
        for edge in [0, 0.3, 0.9, 1.4, 2.1, 3, 4.2] { finger.turn(at: 1000 + edge) }
        for edge in [0, 0.5, 1.5, 3.7, 4] { finger.turn(at: 1300 + edge) }
        #expect(finger.meant.isEmpty)
        finger.pass(to: 2000)
        #expect(finger.meant == ["mark 1004"])
        #expect(!finger.hasDeadline)
    }

    @Test("a spark that lasts less than the debounce time is nothing")
    func spark() {
        var finger = Finger(.toggle, debounce: 10)
        finger.press(at: 1000, for: 9)
        finger.pass(to: 5000)
        #expect(finger.meant.isEmpty)
        finger.press(at: 6000, for: 11)
        #expect(finger.meant == ["start 6000"])
    }

    @Test("levels that were read long after their edges settle as if they had been watched")
    func lateSettling() {
        let start = MonotonicTime(nanoseconds: 0)
        var debounce = Debounce(period: 10, isClosed: false)
        #expect(debounce.edge(.init(isClosed: true, time: start + 100, isExact: true)).isEmpty)
        // Both edges are read together, the first had stayed long enough.
        let settled = debounce.edge(.init(isClosed: false, time: start + 200, isExact: true))
        #expect(settled == [.init(isClosed: true, time: start + 100, isExact: true)])
        #expect(debounce.rest(until: start + 209) == nil)
        #expect(debounce.rest(until: start + 210) == .init(isClosed: false, time: start + 200, isExact: true))
        #expect(debounce.deadline == nil)
    }

    @Test("letting go that nobody saw ends a hold without its command")
    func lostRelease() {
        var finger = Finger(.holdToStop)
        finger.isFollowing = false
        finger.phase = .active
        finger.turn(at: 1000)
        // The level is looked at again as the hold ends, two seconds late: it is open, and nobody knows since when.
        finger.openUnseen()
        finger.edge(at: 3000, isExact: false)
        #expect(finger.meant == ["mark 1000"])
        #expect(!finger.hasDeadline)
    }

    @Test("a press whose letting go was lost does not swallow the next one")
    func closesTwice() {
        var finger = Finger(.toggle)
        finger.turn(at: 1000)
        finger.edge(at: 3000)
        #expect(finger.meant == ["start 1000", "stop 3000"])
    }

    @Test("nothing wakes up while nothing is pressed, nor while a hold can come to nothing more")
    func quiet() {
        var finger = Finger(.toggle, debounce: 10)
        finger.pass(to: 1_000_000)
        #expect(finger.wakeUps == 0 && !finger.hasDeadline)
        finger.turn(at: 1_000_000)
        #expect(finger.hasDeadline)
        finger.pass(to: 1_010_000)
        // Once for the contact to settle, once for the hold.
        #expect(finger.wakeUps == 2 && !finger.hasDeadline)
        finger.pass(to: 9_000_000)
        #expect(finger.wakeUps == 2)
    }

    @Test("two buttons are pressed over one another, each on its own")
    func two() {
        var record = Finger(.toggle)
        var mark = Finger(.always(.mark))
        record.turn(at: 1000)
        mark.turn(at: 1050)
        record.turn(at: 1100)
        mark.turn(at: 1150)
        #expect(record.meant == ["start 1000"])
        #expect(mark.meant == ["mark 1050"])
    }

    /// Whatever a contact does: every closing gives one press at most, commands come in the order of their times, and a
    /// contact that is open and at rest needs no timer.
    @Test("random fingers keep the grammar's laws", arguments: 0..<200)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let isSettling = Bool.random(using: &generator)
        let grammar = [PressGrammar.toggle, .holdToStop, .always(.mark)][Int.random(in: 0...2, using: &generator)]
        var finger = Finger(grammar, debounce: isSettling ? 10 : 0, isClosed: Bool.random(using: &generator))
        var now = 1000.0
        var closings = 0
        for _ in 0..<200 {
            now += [0.2, 3, 15, 150, 700, 1500, 6000][Int.random(in: 0...6, using: &generator)]
            closings += finger.isClosed ? 0 : 1
            finger.turn(at: now)
        }
        if finger.isClosed { finger.turn(at: now + 1) }
        finger.pass(to: now + 100_000)
        #expect(!finger.hasDeadline)
        let presses = finger.meant.filter {
            !$0.hasPrefix("eject") && !(grammar == .holdToStop && $0.hasPrefix("stop"))
        }
        #expect(presses.count <= closings)
        let starts = finger.meant.filter { $0.hasPrefix("start") }.count
        let stops = finger.meant.filter { $0.hasPrefix("stop") }.count
        #expect(starts - stops == 0 || starts - stops == 1)
    }
}
