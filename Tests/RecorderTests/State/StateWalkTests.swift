import Linux
import Media
import Testing

@testable import Recorder

/// What holds whatever happens, in whatever order: random walks through the state machine, watched by somebody who sees
/// only what goes in and what comes out.
@Suite struct StateWalkTests {
    @Test(arguments: 0..<48)
    func walk(seed: UInt64) {
        var dice = Dice(seed: seed)
        var witness = Witness(policy: dice.policy())
        for _ in 0..<3000 where !witness.hasEnded { witness.see(dice.input(for: witness)) }
        witness.comeToRest()
        #expect(witness.open.isEmpty, "requests that nobody answered")
        #expect(witness.live == nil)
        #expect(witness.concluded == witness.begun)
        #expect(witness.state.take == nil)
    }

    /// The walks reach what they are to be a test of.
    @Test func walksGoEverywhere() {
        var words: Set<String> = []
        var replies: Set<String> = []
        for seed in UInt64(0)..<12 {
            var dice = Dice(seed: seed)
            var witness = Witness(policy: dice.policy())
            for _ in 0..<2000 where !witness.hasEnded {
                witness.see(dice.input(for: witness))
                words.insert(witness.state.word)
            }
            replies.formUnion(witness.replies)
        }
        #expect(words == ["idle", "arming", "recording", "paused", "finalising", "pending", "fault"])
        let needed: Set = [
            "started", "waiting", "stopped", "failed", "cancelled", "snapshot", "done", "NoMedium", "MediumFull",
            "MediumReadOnly", "NoSignal", "NoSource", "AlreadyRecording", "NotRecording", "Busy",
        ]
        #expect(replies.isSuperset(of: needed), "\(needed.subtracting(replies))")
    }
}

/// Sees what goes in and what comes out, and holds it against what was promised.
struct Witness {
    private(set) var state: RecorderState
    private(set) var live: Int?
    private(set) var begun = 0
    private(set) var concluded = 0
    private(set) var open: Set<RequestNumber> = []
    private(set) var replies: Set<String> = []
    private(set) var hasEnded = false
    private var isDurable = false
    private var isSaved = true
    private var isStopped = false
    private var isRemembered = false
    private var timers: Set<RecorderTimer> = []
    private var requestCount = 0

    init(policy: RecorderPolicy) {
        state = RecorderState(policy)
    }

    var nextRequest: RequestNumber { requestCount + 1 }

    mutating func see(_ input: RecorderInput) {
        switch input {
        case .request(_, let client):
            requestCount = client
            open.insert(client)
        case .take(let number, .durable) where number == live: isDurable = true
        case .take(let number, .unsaved) where number == live: isSaved = false
        case .take(let number, .saved) where number == live: isSaved = true
        case .timer(let timer): timers.remove(timer)
        default: break
        }
        let transition = state.after(input)
        #expect(transition == state.after(input), "the same input in the same state has the same consequence")
        for effect in transition.effects { see(effect, input) }
        for answer in transition.answers {
            replies.insert(answer.reply.word)
            #expect(open.remove(answer.to) != nil, "an answer to nobody, or the second one: \(answer), \(input)")
        }
        state = transition.state
        look(after: input)
    }

    private mutating func see(_ effect: RecorderEffect, _ input: RecorderInput) {
        switch effect {
        case .start(let take):
            #expect(live == nil, "two recordings at once, by \(input)")
            #expect(take.number == begun + 1)
            (live, begun) = (take.number, begun + 1)
            (isDurable, isSaved, isStopped) = (false, true, false)
        case .pause(let number), .resume(let number), .split(let number), .mark(let number, _, _),
            .extend(let number, _), .abandon(let number):
            #expect(number == live, "\(effect) is for no recording that runs")
        case .stop(let number):
            #expect(number == live && !isStopped, "\(effect) is one too many")
            isStopped = true
        case .conclude(let result):
            #expect(result.number == live)
            live = nil
            concluded += 1
        case .set(let timer, let time):
            #expect(time > 0)
            timers.insert(timer)
        case .cancel(let timer): timers.remove(timer)
        case .remember: isRemembered = true
        case .forget: isRemembered = false
        case .exit:
            #expect(live == nil && !hasEnded)
            hasEnded = true
        case .report, .snapshot, .eject, .identify: break
        }
    }

    private func look(after input: RecorderInput) {
        #expect((state.take?.number) == live, "after \(input)")
        let light = state.light
        if light == .safe || light == .safeWithWarning {
            #expect(isDurable && isSaved && !isStopped, "a steady light that says too much, after \(input)")
            let medium = state.media.first { $0.name == state.take?.medium }
            #expect(medium != nil && medium?.condition != .failed && medium?.condition != .readOnly)
        }
        #expect((light == .idle) == (state.word == "idle"))
        var expected: Set<RecorderTimer> = []
        switch state.phase {
        case .arming(let take): expected = [.arming(take: take.number)]
        case .finalising(let take, _): expected = [.finalising(take: take.number)]
        case .fault(let fault) where !fault.isLoss: expected = [.refusal]
        case .idle, .fault: break
        case .recording, .paused, .pending: break
        }
        #expect(timers == expected, "after \(input)")
        if !state.isEnding, state.word == "idle" || state.word == "fault" { #expect(!isRemembered, "after \(input)") }
    }

    /// Ends all that is under way, as it ends sooner or later.
    mutating func comeToRest() {
        see(.ejectEnded(nil))
        see(.snapshotEnded(.taken(path: "/media/stick/a.jpg")))
        for _ in 0..<4 {
            if let live { see(.take(live, .ended(Scenes.result(live)))) }
            if case .pending = state.phase { see(.request(.stop, from: nextRequest)) }
        }
    }
}
