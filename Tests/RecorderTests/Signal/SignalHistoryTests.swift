import Capture
import Linux
import Media
import Testing

@testable import Recorder

@Suite("What follows from a change of the signal")
struct SignalHistoryTests {
    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test(
        "a loss means what the policy says",
        arguments: [
            (SignalLossPolicy.slate, SignalHistory.Consequence.goesOn), (.split, .pauses), (.stop, .ends(.noSignal)),
        ])
    func loss(policy: SignalLossPolicy, consequence: SignalHistory.Consequence) {
        var history = SignalHistory(policy)
        #expect(history.take(.lost(.noSignal, at: at(10)), hasPicture: true) == consequence)
        #expect(!history.isReturning && history.state == .noSignal)
    }

    @Test("without a picture a loss refuses the recording", arguments: SignalLossPolicy.allCases)
    func refusal(policy: SignalLossPolicy) {
        var history = SignalHistory(policy)
        #expect(history.take(.lost(.noCable, at: at(10)), hasPicture: false) == .refuses(.noCable))
        #expect(history.gaps.isEmpty)
    }

    @Test("a hundred losses are a hundred gaps, each from its loss to the next picture")
    func hundred() {
        var history = SignalHistory(.slate)
        for number in 0..<100 {
            let start = Int64(1000 * number)
            #expect(history.take(.lost(.noLock, at: at(start)), hasPicture: true) == .goesOn)
            #expect(history.take(.returned(at: at(start + 200)), hasPicture: true) == .resumes)
            #expect(history.isReturning)
            #expect(history.end(at: at(start + 250), on: TakeTimeline(origin: at(0))) != nil)
            #expect(!history.isReturning)
        }
        #expect(history.gaps.count == 100)
        #expect(history.gaps.last == SignalGap(start: 99_000_000_000, end: 99_250_000_000, state: .noLock))
    }

    @Test("a loss in the midst of a change of shape follows the policy too")
    func lossWhileReshaped() {
        var history = SignalHistory(.stop)
        #expect(history.take(.reshaped(at: at(10)), hasPicture: true) == .reshapes)
        #expect(history.take(.lost(.noCable, at: at(20)), hasPicture: true) == .ends(.noCable))
    }

    @Test("a shape that another one replaces at once is no gap")
    func noGap() {
        var history = SignalHistory(.slate)
        _ = history.take(.reshaped(at: at(10)), hasPicture: true)
        #expect(history.end(at: at(10), on: TakeTimeline(origin: at(0))) == nil && history.gaps.isEmpty)
    }

    @Test("another reason for the same loss is told, and is no gap of its own")
    func reason() {
        var history = SignalHistory(.split)
        #expect(history.take(.lost(.noSignal, at: at(10)), hasPicture: true) == .pauses)
        #expect(history.take(.lost(.noCable, at: at(10)), hasPicture: true) == .goesOn)
        _ = history.take(.returned(at: at(500)), hasPicture: true)
        // It went again before a picture came.
        #expect(history.take(.lost(.noLock, at: at(600)), hasPicture: true) == .goesOn)
        _ = history.take(.returned(at: at(900)), hasPicture: true)
        #expect(
            history.end(at: at(1000), on: TakeTimeline(origin: at(0)))
                == SignalGap(start: 10_000_000, end: 1_000_000_000, state: .noLock)
        )
        #expect(history.gaps.count == 1)
    }

    @Test("another shape without a loss in front of it is a gap until its first picture")
    func reshaped() {
        var history = SignalHistory(.slate)
        #expect(history.take(.reshaped(at: at(100)), hasPicture: true) == .reshapes)
        #expect(history.end(at: at(400), on: TakeTimeline(origin: at(0)))?.end == 400_000_000)
    }
}
