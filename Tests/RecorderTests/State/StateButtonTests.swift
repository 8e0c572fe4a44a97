import Linux
import Media
import Testing

@testable import Recorder

/// The grammar of the buttons in each of its settings.
@Suite struct StateButtonTests {
    private func policy(_ button: RecorderPolicy.RecordButton) -> RecorderPolicy {
        var policy = RecorderPolicy()
        policy.recordButton = button
        return policy
    }

    private func press(_ milliseconds: Int64) -> RecorderInput {
        .button(.record, .pressed, at: Scenes.at(milliseconds))
    }
    private func release(_ milliseconds: Int64) -> RecorderInput {
        .button(.record, .released, at: Scenes.at(milliseconds))
    }
    private let durable = RecorderInput.take(1, .durable(Scenes.clip))

    @Test func pressStartsAndPressStops() {
        var state = Scenes.state(Scenes.ready + [press(0), release(80), durable])
        #expect(state.light == .safe)
        let stopping = state.after(press(400))
        #expect(stopping.effects.contains(.stop(take: 1)))
        state = stopping.state.after(.take(1, .ended(Scenes.result(1)))).state
        #expect(state.phase == .idle)
    }

    /// A hand that slips while the recording begins does not end it; a second later it is meant.
    @Test func slipsWhileArming() {
        let state = Scenes.state(Scenes.ready + [press(0), release(60)])
        #expect(state.after(press(499)).state.word == "arming")
        #expect(state.after(press(499)).state.after(press(501)).state.word == "finalising")
        #expect(state.after(press(500)).state.word == "finalising")
    }

    @Test func holdStopsAndPressMarks() {
        let state = Scenes.state(Scenes.ready + [press(0), release(80), durable], policy(.holdStops))
        let down = state.after(press(5000))
        #expect(down.effects.isEmpty)
        let up = down.state.after(release(5200))
        #expect(up.effects == [.mark(take: 1, label: "", at: Scenes.at(5000))])
        let held = down.state.after(.button(.record, .heldOneSecond, at: Scenes.at(6000)))
        #expect(held.effects.contains(.stop(take: 1)))
        #expect(held.state.after(release(6500)).effects.isEmpty)
    }

    /// The press that starts does not stop when it lasts long.
    @Test func holdThatBeganTheRecordingDoesNotStopIt() {
        let state = Scenes.state(Scenes.ready + [press(0), durable], policy(.holdStops))
        let held = state.after(.button(.record, .heldOneSecond, at: Scenes.at(1000)))
        #expect(held.effects.isEmpty)
        #expect(held.state.light == .safe)
    }

    @Test func holdStopsWhileArmingAndPaused() {
        let hold = RecorderInput.button(.record, .heldOneSecond, at: Scenes.at(9000))
        let arming = Scenes.state(Scenes.ready + [press(0), release(80), press(8000)], policy(.holdStops))
        #expect(arming.word == "arming")
        #expect(arming.after(hold).effects.contains(.stop(take: 1)))
        let paused = Scenes.state(Scenes.running + [.request(.pause, from: 2), press(8000)], policy(.holdStops))
        #expect(paused.after(hold).effects.contains(.stop(take: 1)))
        #expect(paused.after(release(8100)).effects == [.resume(take: 1)])
    }

    @Test func startsOnlyNeverStops() {
        let state = Scenes.state(Scenes.running, policy(.startsOnly))
        #expect(state.after(press(5000)).effects.isEmpty)
        let paused = state.after(.request(.pause, from: 2)).state
        #expect(paused.after(press(5000)).effects == [.resume(take: 1)])
        #expect(state.after(.button(.stop, .pressed, at: Scenes.at(5000))).state.word == "finalising")
    }

    /// Held for five seconds from idle: what the press began is stopped, kept, and the medium comes off.
    @Test func longHoldEjects() {
        let held = RecorderInput.button(.record, .heldFiveSeconds, at: Scenes.at(5000))
        let stopping = Scenes.state(Scenes.ready + [press(0), durable]).after(held)
        #expect(stopping.state.word == "finalising")
        let ended = stopping.state.after(.take(1, .ended(Scenes.result(1))))
        #expect(ended.effects.contains(.eject(medium: "stick")))
        #expect(ended.state.phase == .idle)
        // A press stopped it, and went on being held.
        let later = Scenes.state(Scenes.running + [press(5000)]).after(held)
        let over = later.state.after(.take(1, .ended(Scenes.result(1))))
        #expect(over.effects.contains(.eject(medium: "stick")))
        // Not while it records for another reason.
        #expect(Scenes.state(Scenes.running).after(held).effects.isEmpty)
    }

    @Test func fiftyPressesInASecond() {
        var state = Scenes.state(Scenes.ready)
        var starts = 0
        for index in 0..<50 {
            let down = state.after(press(Int64(index) * 20))
            if down.effects.contains(where: { if case .start = $0 { true } else { false } }) { starts += 1 }
            state = down.state.after(release(Int64(index) * 20 + 10)).state
            if index == 20 { state = state.after(durable).state }
            if index == 40 { state = state.after(.take(1, .ended(Scenes.result(1)))).state }
        }
        #expect(starts == 2)
        #expect(state.word == "arming")
    }

    @Test func stopAndMarkButtons() {
        let state = Scenes.state(Scenes.running, policy(.startsOnly))
        #expect(
            state.after(.button(.mark, .pressed, at: Scenes.at(7000))).effects
                == [.mark(take: 1, label: "", at: Scenes.at(7000))])
        let fault = Scenes.state([Scenes.start])
        #expect(fault.light == .failed(blinks: 1))
        #expect(fault.after(.button(.stop, .pressed, at: Scenes.at(0))).state.light == .idle)
    }
}
