import Linux
import Media
import Testing

@testable import Recorder

/// What the settings change, and the cases in which two things meet.
@Suite struct StatePolicyTests {
    private let noSignal = RecorderInput.source(.silent(.noCable))
    private func policy(_ change: (inout RecorderPolicy) -> Void) -> RecorderPolicy {
        var policy = RecorderPolicy()
        change(&policy)
        return policy
    }
    private func answers(_ transition: RecorderTransition) -> [String] {
        transition.answers.map { "\($0.to) \($0.reply.word)" }
    }

    @Test func startWithoutMediumWaitsWhereThatIsWanted() {
        let waiting = Scenes.state([.source(.present)], policy { $0.pendsForMedium = true }).after(Scenes.start)
        #expect(answers(waiting) == ["1 waiting"])
        #expect(waiting.state.light == .pending)
        #expect(waiting.state.after(.media(Scenes.stick)).state.word == "arming")
        let full = waiting.state.after(.media([MediumReport(name: "stick", condition: .full)]))
        #expect(full.state.light == .failed(blinks: 2))
    }

    @Test func startWithoutSignalWaitsWhereThatIsWanted() {
        let waiting = Scenes.state(Scenes.ready + [noSignal], policy { $0.pendsForSignal = true }).after(Scenes.start)
        #expect(waiting.state.phase == .pending(StartRequest(), .signal))
        #expect(waiting.state.after(.source(.present)).state.word == "arming")
        #expect(answers(waiting.state.after(.request(.stop, from: 2))) == ["2 cancelled"])
    }

    @Test func startWithoutSignalBeginsWithSlatesWhereThatIsWanted() {
        let policy = policy { $0.startsWithoutSignal = true }
        let state = Scenes.state(Scenes.ready + [noSignal, Scenes.start], policy)
        #expect(state.word == "arming")
        #expect(state.after(.take(1, .durable(Scenes.clip))).state.light == .safeWithWarning)
        // A source that is not there at all cannot give slates.
        let gone = SourceCondition.absent(Failure(.noSource, "cannot open", because: "it is gone"))
        #expect(Scenes.state(Scenes.ready + [.source(gone), Scenes.start], policy).light == .failed(blinks: 4))
    }

    @Test func signalLostWhileArming() {
        let stopping = Scenes.state(Scenes.ready + [Scenes.start]).after(noSignal)
        #expect(stopping.effects.contains(.stop(take: 1)) && stopping.answers.isEmpty)
        let ended = stopping.state.after(.take(1, .ended(Scenes.result(1, clip: nil))))
        #expect(answers(ended) == ["1 NoSignal"])
        #expect(ended.state.light == .failed(blinks: 4))
        let patient = Scenes.state(Scenes.ready + [Scenes.start, noSignal], policy { $0.pendsForSignal = true })
        let waiting = patient.after(.take(1, .ended(Scenes.result(1, clip: nil))))
        #expect(answers(waiting) == ["1 waiting"])
        #expect(waiting.state.after(.source(.present)).state.take?.number == 2)
    }

    @Test func twoStartsAtOnce() {
        let both = Scenes.state(Scenes.ready).after(Scenes.start).state.after(.request(.start(StartRequest()), from: 2))
        #expect(both.answers.isEmpty && both.effects.isEmpty)
        let began = both.state.after(.take(1, .began(Scenes.clip)))
        #expect(answers(began) == ["2 AlreadyRecording"])
        #expect(began.answers.first?.reply == .refused(.alreadyRecording(Scenes.clip), Scenes.clip))
        #expect(answers(began.state.after(.take(1, .durable(Scenes.clip)))) == ["1 started"])
        // Where the first fails, the second one learns the same.
        let full = Failure(.mediumFull, "cannot record", because: "it is full")
        let failed = both.state.after(.take(1, .ended(Scenes.result(1, full, clip: nil))))
        #expect(answers(failed) == ["2 MediumFull", "1 MediumFull"])
    }

    @Test func stopWhileArming() {
        let stopping = Scenes.state(Scenes.ready + [Scenes.start]).after(.request(.stop, from: 2))
        let nothing = stopping.state.after(.take(1, .ended(Scenes.result(1, clip: nil))))
        #expect(answers(nothing) == ["1 NotRecording", "2 cancelled"])
        #expect(nothing.state.phase == .idle)
        let something = stopping.state.after(.take(1, .ended(Scenes.result(1))))
        #expect(answers(something) == ["1 started", "2 stopped"])
    }

    @Test func mediumLostWhileFinalising() {
        let stopping = Scenes.state(Scenes.running + [.request(.stop, from: 2), .media([])])
        #expect(stopping.word == "finalising")
        let lost = stopping.after(.take(1, .ended(Scenes.result(1, Scenes.slowMedium))))
        #expect(answers(lost) == ["2 failed"])
        #expect(lost.state.light == .failed(blinks: 1))
        // It was on the medium before that was pulled.
        let whole = stopping.after(.take(1, .ended(Scenes.result(1))))
        #expect(answers(whole) == ["2 stopped"])
        #expect(whole.state.phase == .idle)
    }

    @Test func lostRecordingIsShownUntilSomebodyActs() {
        let lost = Scenes.state(Scenes.running + [.take(1, .ended(Scenes.result(1, Scenes.slowMedium)))])
        #expect(lost.light == .failed(blinks: 5))
        // It was pulled: the kernel told of the failure before it told of the removal.
        let pulled = lost.after(.media([])).state
        #expect(pulled.light == .failed(blinks: 1))
        #expect(pulled.after(.timer(.refusal)).state.light == .failed(blinks: 1))
        #expect(pulled.after(.media(Scenes.stick)).state.light == .failed(blinks: 1))
        #expect(pulled.after(.media(Scenes.stick)).state.after(Scenes.start).state.word == "arming")
    }

    @Test func lostRecordingGoesOnWhereThatIsWanted() {
        let policy = policy { $0.goesOnAfterLostMedium = true }
        let start = RecorderInput.request(.start(StartRequest(name: "a", duration: 9_000_000_000)), from: 1)
        let running = Scenes.ready + [start, .take(1, .durable(Scenes.clip)), .media([])]
        var result = Scenes.result(1, Scenes.slowMedium)
        result.nanoseconds = 2_000_000_000
        let waiting = Scenes.state(running, policy).after(.take(1, .ended(result)))
        #expect(waiting.state.light == .pending)
        let again = waiting.state.after(.media(Scenes.stick)).state
        #expect(again.take?.number == 2)
        #expect(again.take?.request.duration == 7_000_000_000)
        // Another medium is there: it goes on at once.
        let card = [MediumReport(name: "card", condition: .ready)]
        let elsewhere = Scenes.state(running + [.media(card)], policy).after(.take(1, .ended(result)))
        #expect(elsewhere.state.take?.medium == "card")
    }

    @Test func goesOnAfterAPowerCutWhereThatIsWanted() {
        let interrupted = RecorderInput.launched(interrupted: StartRequest(name: "a"))
        #expect(Scenes.state([]).after(interrupted).effects == [.forget])
        let state = Scenes.state([], policy { $0.goesOnAfterPowerCut = true }).after(interrupted).state
        #expect(state.light == .pending)
        #expect(state.after(.media(Scenes.stick)).state.take?.request.name == "a")
    }

    @Test func shutdownFinishesFirst() {
        let stopping = Scenes.state(Scenes.running).after(.shutdown)
        #expect(stopping.effects.contains(.stop(take: 1)) && !stopping.effects.contains(.exit))
        #expect(answers(stopping.state.after(.request(.start(StartRequest()), from: 3))) == ["3 Busy"])
        #expect(stopping.state.after(.take(1, .ended(Scenes.result(1)))).effects.contains(.exit))
        #expect(Scenes.state(Scenes.ready).after(.shutdown).effects == [.exit])
    }

    @Test func whatNeverEndsIsLeft() {
        let left = Scenes.state(Scenes.running + [.request(.stop, from: 2)]).after(.timer(.finalising(take: 1)))
        #expect(left.effects.contains(.abandon(take: 1)))
        #expect(answers(left) == ["2 failed"])
        // What comes later from it changes nothing.
        let late = left.state.after(.take(1, .ended(Scenes.result(1))))
        #expect(late.state == left.state && late.effects.isEmpty && late.answers.isEmpty)
    }

    @Test func metadataIsOfTheNextRecordingAlone() {
        let described = Scenes.state(
            Scenes.ready + [.request(.describe(RecordingMetadata(title: "t", author: "a")), from: 3)])
        let own = RecordingMetadata(title: "own")
        let state = described.after(.request(.start(StartRequest(metadata: own)), from: 1)).state
        #expect(state.take?.request.metadata == RecordingMetadata(title: "own", author: "a"))
        #expect(state.nextMetadata.isEmpty)
        // A start that is refused does not use it up.
        #expect(described.after(.media([])).state.after(Scenes.start).state.nextMetadata.title == "t")
    }

    @Test func ejectedMediumIsNotRecordedTo() {
        let ejecting = Scenes.state(Scenes.ready + [.request(.eject(nil), from: 2)])
        #expect(answers(ejecting.after(Scenes.start)) == ["1 Busy"])
        let two = Scenes.stick + [MediumReport(name: "card", condition: .ready)]
        #expect(ejecting.after(.media(two)).state.after(Scenes.start).state.take?.medium == "card")
        #expect(answers(Scenes.state(Scenes.running).after(.request(.eject(nil), from: 2))) == ["2 Busy"])
        let other = Scenes.state(Scenes.running + [.media(two)]).after(.request(.eject("card"), from: 2))
        #expect(other.effects == [.eject(medium: "card")])
    }
}
