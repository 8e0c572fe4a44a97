import Linux
import Media

@testable import Recorder

/// States as they come about, and everything that can happen in them.
enum Scenes {
    static let stick = [MediumReport(name: "stick", condition: .ready)]
    static let clip = Clip(path: "/media/stick/a.mp4", medium: "stick")
    static let slowMedium = Failure(.mediumFailed, "cannot write", because: "Input/output error")
    static let ready: [RecorderInput] = [.media(stick), .source(.present)]
    static let start = RecorderInput.request(.start(StartRequest()), from: 1)
    static let waiting = RecorderInput.request(.start(StartRequest(waits: true)), from: 1)
    static let running = ready + [start, .take(1, .began(clip)), .take(1, .durable(clip))]

    static func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    static func result(_ number: Int, _ failure: Failure? = nil, clip: Clip? = clip) -> TakeResult {
        TakeResult(number: number, clip: clip, paths: clip.map { [$0.path] } ?? [], failure: failure)
    }

    /// Each state's name, and how it comes about.
    static let states: [(name: String, inputs: [RecorderInput])] = [
        ("idle", ready),
        ("idle, no medium", [.source(.present)]),
        ("idle, no signal", [.media(stick), .source(.silent(.noCable))]),
        (
            "idle, medium being prepared",
            [.media([MediumReport(name: "stick", condition: .preparing)]), .source(.present)]
        ),
        ("idle, ejecting", ready + [.request(.eject(nil), from: 2)]),
        ("arming", ready + [start]),
        ("arming, file there", ready + [start, .take(1, .began(clip))]),
        ("arming, button down", ready + [.button(.record, .pressed, at: at(0))]),
        ("recording", running),
        ("recording, unsaved", running + [.take(1, .unsaved)]),
        ("recording, warned", running + [.warning(.space, isOn: true)]),
        ("paused", running + [.request(.pause, from: 2)]),
        ("finalising", running + [.request(.stop, from: 2)]),
        ("finalising, medium gone", running + [.media([])]),
        ("finalising by itself", running + [.take(1, .ending)]),
        ("pending for a medium", [.source(.present), waiting]),
        ("pending for a signal", [.media(stick), .source(.silent(.noSignal)), waiting]),
        ("fault, refused", [.source(.present), start]),
        ("fault, lost", running + [.media([]), .take(1, .ended(result(1, slowMedium)))]),
        ("ending", running + [.shutdown]),
    ]

    /// Each input's name.
    static let inputs: [(name: String, input: RecorderInput)] = requests + buttons + surroundings + takes

    private static let requests: [(String, RecorderInput)] = [
        ("Start", .request(.start(StartRequest(name: "b")), from: 7)),
        ("Start on another medium", .request(.start(StartRequest(medium: "card")), from: 7)),
        ("Stop", .request(.stop, from: 7)),
        ("Pause", .request(.pause, from: 7)),
        ("Resume", .request(.resume, from: 7)),
        ("Split", .request(.split, from: 7)),
        ("Mark", .request(.mark(label: "a", at: at(9000)), from: 7)),
        ("Extend", .request(.extend(60_000_000_000), from: 7)),
        ("Snapshot", .request(.snapshot, from: 7)),
        ("Eject", .request(.eject(nil), from: 7)),
        ("Eject another medium", .request(.eject("card"), from: 7)),
        ("Describe", .request(.describe(RecordingMetadata(title: "t")), from: 7)),
        ("Identify", .request(.identify, from: 7)),
        ("configured", .configured(RecorderPolicy())),
        ("shutdown", .shutdown),
        ("launched", .launched(interrupted: nil)),
        ("launched, interrupted", .launched(interrupted: StartRequest())),
    ]

    private static let buttons: [(String, RecorderInput)] = [
        ("record pressed", .button(.record, .pressed, at: at(9000))),
        ("record pressed by a slip", .button(.record, .pressed, at: at(300))),
        ("record held 1 s", .button(.record, .heldOneSecond, at: at(10_000))),
        ("record held 5 s", .button(.record, .heldFiveSeconds, at: at(14_000))),
        ("record released", .button(.record, .released, at: at(14_100))),
        ("stop pressed", .button(.stop, .pressed, at: at(9000))),
        ("stop held 1 s", .button(.stop, .heldOneSecond, at: at(10_000))),
        ("stop held 5 s", .button(.stop, .heldFiveSeconds, at: at(14_000))),
        ("stop released", .button(.stop, .released, at: at(14_100))),
        ("mark pressed", .button(.mark, .pressed, at: at(9000))),
    ]

    private static let surroundings: [(String, RecorderInput)] =
        MediumReport.Condition.allCases.map { condition in
            ("medium \(condition)", .media([MediumReport(name: "stick", condition: condition)]))
        } + [
            ("medium gone", .media([])),
            ("another medium", .media([MediumReport(name: "card", condition: .ready)])),
            ("signal found", .source(.present)),
            ("signal lost", .source(.silent(.noSignal))),
            ("source gone", .source(.absent(Failure(.noSource, "cannot open", because: "it is gone")))),
            ("source unknown", .source(.unknown)),
            ("warning", .warning(.drops, isOn: true)),
            ("warning over", .warning(.space, isOn: false)),
            ("still taken", .snapshotEnded(.taken(path: "/media/stick/a.jpg"))),
            ("ejected", .ejectEnded(nil)),
            ("not ejected", .ejectEnded(Failure(.mediumFailed, "cannot eject", because: "busy"))),
        ]

    private static let takes: [(String, RecorderInput)] = [
        ("began", .take(1, .began(clip))),
        ("durable", .take(1, .durable(clip))),
        ("unsaved", .take(1, .unsaved)),
        ("saved", .take(1, .saved)),
        ("ending by itself", .take(1, .ending)),
        ("ended", .take(1, .ended(result(1)))),
        ("ended with nothing", .take(1, .ended(result(1, clip: nil)))),
        ("ended, medium failed", .take(1, .ended(result(1, slowMedium)))),
        (
            "ended, medium full",
            .take(1, .ended(result(1, Failure(.mediumFull, "ended", because: "full"))))
        ),
        (
            "ended, no signal",
            .take(1, .ended(result(1, Failure(.noSignal, "ended", because: "none"), clip: nil)))
        ),
        (
            "ended, name taken",
            .take(1, .ended(result(1, Failure(.fileExists, "cannot", because: "it is there"), clip: nil)))
        ),
        ("another take's durable", .take(99, .durable(clip))),
        ("another take's end", .take(99, .ended(result(99, slowMedium)))),
        ("arming is too long", .timer(.arming(take: 1))),
        ("finalising is too long", .timer(.finalising(take: 1))),
        ("refusal shown", .timer(.refusal)),
        ("another take's timer", .timer(.finalising(take: 99))),
    ]

    /// The state after inputs.
    static func state(_ inputs: [RecorderInput], _ policy: RecorderPolicy = RecorderPolicy()) -> RecorderState {
        inputs.reduce(RecorderState(policy)) { $0.after($1).state }
    }
}
