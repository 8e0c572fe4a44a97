import Linux
import Testing

@testable import Panel

@Suite("Buttons that do not behave")
struct UnrulyButtonTests {
    @Test("a button that is held when the panel begins means nothing until it is let go, and is stuck after 30 seconds")
    func stuckAtFirst() {
        var finger = Finger(isClosed: true)
        finger.edge(at: 500)
        finger.pass(to: 29_999)
        #expect(finger.told.isEmpty && finger.wakeUps == 0)
        finger.pass(to: 100_000)
        #expect(finger.told == ["stuck 30000"] && finger.wakeUps == 1 && !finger.hasDeadline)
        finger.turn(at: 100_000)
        finger.press(at: 101_000)
        #expect(finger.told == ["stuck 30000", "pressed 101000", "released 101100"])
    }

    @Test("a button that is let go before is none that is stuck")
    func heldAtFirst() {
        var finger = Finger(isClosed: true)
        finger.turn(at: 20_000)
        finger.pass(to: 100_000)
        #expect(finger.told.isEmpty && !finger.hasDeadline)
    }

    @Test("a press that does not end is stuck after 30 seconds, and its end is nobody's wish")
    func stuck() {
        var finger = Finger()
        finger.turn(at: 1000)
        finger.pass(to: 60_000)
        let told = ["pressed 1000", "held 1 2000", "held 5 6000", "stuck 31000"]
        #expect(finger.told == told)
        finger.turn(at: 60_000)
        #expect(finger.told == told && !finger.hasDeadline)
    }

    @Test("a hold that is meant to be longer comes first")
    func longHold() {
        var finger = Finger(PressGrammar(holds: [40_000_000_000]))
        finger.turn(at: 0)
        finger.pass(to: 100_000)
        #expect(finger.told == ["pressed 0", "held 40 40000", "stuck 40000"])
    }

    @Test("fifty presses in a second are one wish")
    func hammering() {
        var finger = Finger()
        for press in 0..<50 { finger.press(at: 1000 + Double(press) * 20, for: 10) }
        #expect(finger.told == ["pressed 1000", "released 1010"])
        // The hand has come to rest: the next press counts again.
        finger.press(at: 3000)
        #expect(finger.told.dropFirst(2) == ["pressed 3000", "released 3100"])
    }

    @Test("with no rest between presses each of the fifty is told")
    func hammeringWithoutRest() {
        var finger = Finger(PressGrammar(rest: 0))
        for press in 0..<50 { finger.press(at: 1000 + Double(press) * 20, for: 10) }
        #expect(finger.told.count == 100)
    }

    @Test(
        "a press soon after letting go is the trembling of a hand; a little later it is a press", arguments: [199, 200])
    func rest(gap: Double) {
        var finger = Finger()
        finger.press(at: 1000, for: 100)
        finger.press(at: 1100 + gap, for: 3000)
        #expect(finger.told.filter { $0.hasPrefix("pressed") }.count == (gap < 200 ? 1 : 2))
        #expect(finger.told.contains { $0.hasPrefix("held") } == (gap >= 200))
    }

    @Test("a contact that bounces on its way down and up is one press")
    func bounce() {
        var finger = Finger(debounce: 10)
        for edge in [0, 0.3, 0.9, 1.4, 2.1, 3, 4.2] { finger.turn(at: 1000 + edge) }
        for edge in [0, 0.5, 1.5, 3.7, 4] { finger.turn(at: 1300 + edge) }
        finger.pass(to: 2000)
        #expect(finger.told == ["pressed 1004", "released 1304"])
        #expect(!finger.hasDeadline)
    }

    @Test("a spark that lasts less than the debounce time is nothing")
    func spark() {
        var finger = Finger(debounce: 10)
        finger.press(at: 1000, for: 9)
        finger.pass(to: 5000)
        #expect(finger.told.isEmpty)
        finger.press(at: 6000, for: 11)
        #expect(finger.told == ["pressed 6000"])
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

    @Test("letting go that nobody saw ends a press without its hold")
    func lostRelease() {
        var finger = Finger()
        finger.turn(at: 1000)
        // The level is looked at again as the hold ends, two seconds late: it is open, and nobody knows since when.
        finger.openUnseen()
        finger.edge(at: 3000, isExact: false)
        #expect(finger.told == ["pressed 1000", "released 3000"])
        #expect(!finger.hasDeadline)
    }

    @Test("a press whose letting go was lost does not swallow the next one")
    func closesTwice() {
        var finger = Finger()
        finger.turn(at: 1000)
        finger.edge(at: 3000)
        #expect(finger.told == ["pressed 1000", "released 3000", "pressed 3000"])
    }

    @Test("nothing wakes up while nothing is pressed, nor while a hold can come to nothing more")
    func quiet() {
        var finger = Finger(debounce: 10)
        finger.pass(to: 1_000_000)
        #expect(finger.wakeUps == 0 && !finger.hasDeadline)
        finger.turn(at: 1_000_000)
        #expect(finger.hasDeadline)
        finger.pass(to: 1_031_000)
        // Once for the contact to settle, once for each hold, and once to find that it is stuck.
        #expect(finger.wakeUps == 4 && !finger.hasDeadline)
        finger.pass(to: 9_000_000)
        #expect(finger.wakeUps == 4)
    }

    /// Whatever a contact does: presses and their ends come by turns, holds only in between and each once, all in the order
    /// of their times, and a contact that is open and at rest needs no timer.
    @Test("random fingers keep the grammar's laws", arguments: 0..<200)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let isSettling = Bool.random(using: &generator)
        var finger = Finger(debounce: isSettling ? 10 : 0, isClosed: Bool.random(using: &generator))
        var now = 1000.0
        var closings = 0
        for _ in 0..<200 {
            now += [0.2, 3, 15, 150, 700, 1500, 6000][Int.random(in: 0...6, using: &generator)]
            closings += finger.isClosed ? 0 : 1
            finger.turn(at: now)
        }
        if finger.isClosed { finger.turn(at: now + 1) }
        finger.pass(to: now + 100_000)
        #expect(!finger.hasDeadline && !finger.isClosed)
        let presses = finger.told.filter { $0.hasPrefix("pressed") }.count
        #expect((1...closings).contains(presses))
        var isDown = false
        var last = ""
        for gesture in finger.told {
            switch gesture.first {
            case "p":
                #expect(!isDown)
                isDown = true
            case "h": #expect(isDown && (last.hasPrefix("pressed") || last.hasPrefix("held 1 ")))
            default:
                #expect(isDown)
                isDown = false
            }
            last = gesture
        }
        #expect(!isDown)
        let times = finger.told.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(times == times.sorted())
    }
}
