import Linux
import Testing

@testable import Panel

@Suite("What presses mean")
struct PressGrammarTests {
    @Test("a press starts as the contact closes, the next one stops")
    func toggle() {
        var finger = Finger(.toggle)
        finger.turn(at: 1000)
        #expect(finger.meant == ["start 1000"])
        finger.turn(at: 1100)
        finger.press(at: 3000)
        finger.press(at: 4000)
        #expect(finger.meant == ["start 1000", "stop 3000", "start 4000"])
    }

    @Test("held for five seconds when idle: eject, at the fifth second and not as it is let go")
    func eject() {
        var finger = Finger(.toggle)
        finger.turn(at: 1000)
        finger.pass(to: 5999)
        #expect(finger.meant == ["start 1000"])
        finger.pass(to: 6000)
        #expect(finger.meant == ["start 1000", "eject 6000"])
        finger.pass(to: 60_000)
        finger.turn(at: 60_000)
        #expect(finger.meant.count == 2)
    }

    @Test("where a press starts only as it is let go, a hold ejects and nothing else")
    func ejectOnly() {
        var grammar = PressGrammar.toggle
        grammar.idle.isImmediate = false
        var finger = Finger(grammar)
        finger.press(at: 1000, for: 5500)
        #expect(finger.meant == ["eject 6000"])
        finger.press(at: 8000, for: 4999)
        #expect(finger.meant == ["eject 6000", "start 8000"])
    }

    @Test("a hold that begins while recording ejects nothing")
    func noEjectWhileRecording() {
        var finger = Finger(.toggle)
        finger.press(at: 1000)
        finger.press(at: 3000, for: 10_000)
        #expect(finger.meant == ["start 1000", "stop 3000"])
    }

    @Test("hold to stop: presses mark, at the moment of the press, and a second stops", arguments: [1000, 1001, 4000])
    func holdToStop(length: Double) {
        var finger = Finger(.holdToStop)
        finger.press(at: 1000)
        finger.press(at: 3000)
        #expect(finger.meant == ["start 1000", "mark 3000"])
        finger.press(at: 5000, for: length)
        #expect(finger.meant == ["start 1000", "mark 3000", "stop 6000"])
    }

    @Test("hold to stop: what is let go before the second is over marks")
    func shortOfStop() {
        var finger = Finger(.holdToStop)
        finger.press(at: 1000)
        finger.press(at: 5000, for: 999)
        #expect(finger.meant == ["start 1000", "mark 5000"])
    }

    @Test("hold to stop: the press that starts stops nothing, however long it is")
    func startIsNoStop() {
        var finger = Finger(.holdToStop)
        finger.press(at: 1000, for: 4000)
        #expect(finger.meant == ["start 1000"])
    }

    @Test("a hold is what it was when it began, whatever the recorder did in between")
    func phaseOfBeginning() {
        var finger = Finger(.holdToStop)
        finger.isFollowing = false
        finger.phase = .active
        finger.turn(at: 1000)
        finger.phase = .idle
        finger.pass(to: 7000)
        #expect(finger.meant == ["stop 2000"])
    }

    @Test("a button of its own means one thing", arguments: PanelCommand.allCases)
    func always(command: PanelCommand) {
        var finger = Finger(.always(command))
        finger.isFollowing = false
        for phase in PanelPhase.allCases {
            finger.phase = phase
            finger.press(at: phase == .idle ? 1000 : 2000, for: 800)
        }
        #expect(finger.meant == ["\(command) 1000", "\(command) 2000"])
    }

    @Test("several holds of one press come one after another")
    func ladder() {
        let holds = [
            PressGrammar.Hold(seconds: 5, .eject), PressGrammar.Hold(seconds: 1, .snapshot), .init(seconds: 2, .split),
        ]
        let meaning = PressGrammar.Meaning(press: .mark, isImmediate: false, holds: holds)
        var finger = Finger(PressGrammar(idle: meaning, active: meaning))
        finger.press(at: 1000, for: 2500)
        #expect(finger.meant == ["snapshot 2000", "split 3000"])
        finger.press(at: 9000, for: 20_000)
        #expect(finger.meant == ["snapshot 2000", "split 3000", "snapshot 10000", "split 11000", "eject 14000"])
    }

    @Test("a hold whose end is seen late is still a hold, and comes before what followed")
    func lateWakeUp() {
        let grammar = PressGrammar.holdToStop
        var contact = Contact(button: 0, grammar, debounce: 0, isClosed: false)
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        #expect(contact.edge(.init(isClosed: true, time: start, isExact: true), in: .active).isEmpty)
        // Nothing was looked at for three seconds; then the edge is read first.
        let outcomes = contact.edge(.init(isClosed: false, time: start + 3_000_000_000, isExact: true), in: .active)
        #expect(outcomes == [.init(command: .stop, time: start + 1_000_000_000, pressed: start)])
        #expect(contact.deadline == nil)
    }

    @Test("actions know the press that they come from")
    func pressed() {
        var recogniser = PressRecogniser(.toggle, isClosed: false)
        let start = MonotonicTime(nanoseconds: 7_000_000)
        let began = recogniser.change(toClosed: true, at: start, in: .idle)
        let ended = recogniser.reachHolds(until: start + 6_000_000_000)
        #expect(began == [.init(command: .start, time: start, pressed: start)])
        #expect(ended == [.init(command: .eject, time: start + 5_000_000_000, pressed: start)])
    }

    @Test("grammars have names in a configuration")
    func names() {
        #expect(PressGrammar(named: "toggle") == .toggle)
        #expect(PressGrammar(named: "hold-to-stop") == .holdToStop)
        #expect(PressGrammar(named: "mark") == .always(.mark))
        #expect(PressGrammar(named: "Toggle") == nil)
        #expect(PressGrammar.names.allSatisfy { PressGrammar(named: $0) != nil })
    }
}
