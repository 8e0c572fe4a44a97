import Linux
import Media

@testable import Recorder

/// Chance that can be repeated: SplitMix64 (Steele, Lea and Flood, 2014).
struct Dice: RandomNumberGenerator {
    private var state: UInt64
    private var time: Int64 = 0

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    mutating func policy() -> RecorderPolicy {
        var policy = RecorderPolicy()
        policy.recordButton = one(of: RecorderPolicy.RecordButton.allCases)
        policy.pendsForMedium = chance(50)
        policy.pendsForSignal = chance(50)
        policy.startsWithoutSignal = chance(30)
        policy.goesOnAfterLostMedium = chance(50)
        policy.goesOnAfterPowerCut = chance(50)
        return policy
    }

    mutating func input(for witness: Witness) -> RecorderInput {
        time += Int64.random(in: 0..<800_000_000, using: &self)
        let now = MonotonicTime(nanoseconds: time)
        switch Int.random(in: 0..<100, using: &self) {
        case 0..<30: return .request(request(now), from: witness.nextRequest)
        case 30..<45:
            return .button(one(of: RecorderButton.allCases), one(of: RecorderButton.Event.allCases), at: now)
        case 45..<75:
            return .take(chance(90) ? witness.live ?? 1 : Int.random(in: 1..<50, using: &self), event(witness))
        case 75..<83: return .media(media())
        case 83..<89: return .source(source())
        case 89..<92: return .warning(one(of: RecorderWarning.allCases), isOn: chance(50))
        case 92..<94:
            return .snapshotEnded(chance(70) ? .taken(path: "/media/stick/a.jpg") : .failed(Scenes.slowMedium))
        case 94..<96: return .ejectEnded(chance(70) ? nil : Scenes.slowMedium)
        case 96..<98: return .timer(timer(witness))
        case 98: return .launched(interrupted: chance(50) ? StartRequest() : nil)
        default: return chance(5) ? .shutdown : .source(.present)
        }
    }

    private mutating func request(_ now: MonotonicTime) -> RecorderRequest {
        switch Int.random(in: 0..<14, using: &self) {
        case 0..<4:
            return .start(
                StartRequest(
                    duration: chance(20) ? 5_000_000_000 : nil, medium: chance(20) ? one(of: ["stick", "card"]) : nil,
                    waits: chance(10)))
        case 4..<6: return .stop
        case 6: return .pause
        case 7: return .resume
        case 8: return .split
        case 9: return .mark(label: "a", at: now)
        case 10: return .snapshot
        case 11: return .eject(chance(50) ? nil : one(of: ["stick", "card"]))
        case 12: return chance(50) ? .identify : .extend(1_000_000_000)
        default: return .describe(RecordingMetadata(title: "t"))
        }
    }

    private mutating func event(_ witness: Witness) -> TakeEvent {
        let clip = Clip(path: "/media/a.mp4", medium: witness.state.take?.medium ?? "stick")
        switch Int.random(in: 0..<20, using: &self) {
        case 0..<5: return .began(clip)
        case 5..<12: return .durable(clip)
        case 12..<14: return .unsaved
        case 14: return .saved
        case 15: return .ending
        default: break
        }
        let kinds: [FailureKind] = [
            .noSignal, .mediumFailed, .mediumFull, .encoderFailed, .fileExists, .noMedium, .noSource,
        ]
        let failure = chance(50) ? nil : Failure(one(of: kinds), "it ended", because: "of chance")
        return .ended(
            TakeResult(
                number: witness.live ?? 1, clip: chance(70) ? clip : nil,
                firstFrameTime: MonotonicTime(nanoseconds: 0), lastFrameTime: MonotonicTime(nanoseconds: 2_000_000_000),
                failure: failure))
    }

    private mutating func media() -> [MediumReport] {
        ["stick", "card"].filter { _ in chance(80) }.map { name in
            MediumReport(name: name, condition: chance(70) ? .ready : one(of: MediumReport.Condition.allCases))
        }
    }

    private mutating func source() -> SourceCondition {
        if chance(60) { return .present }
        let gone = Failure(.noSource, "cannot open /dev/video0", because: "it is gone")
        return one(of: [.unknown, .silent(.noCable), .silent(.noSignal), .absent(gone)])
    }

    private mutating func timer(_ witness: Witness) -> RecorderTimer {
        let take = witness.live ?? 1
        return one(of: [.arming(take: take), .finalising(take: take), .refusal])
    }
}
