import Control
import Media

/// A recorder that records nothing: it keeps the states that a real one would, so that clients have somebody to talk
/// to.
public final class FakeRecorder: RecorderService {
    /// The methods that were called, in their order, with what they were given.
    public private(set) var calls: [String] = []
    /// What clients were turned away with.
    public private(set) var refusals: [Failure] = []
    /// Who called last.
    public private(set) var lastCaller: Caller?
    /// Whether every field that can be there is there.
    public var isTalkative = false
    /// What Start and Eject are refused with.
    public var refusal: Refusal?
    /// The clips that are on the medium.
    public var clips: [RecorderAPI.Clip] = []
    /// Whether answers to Stop wait for `finish`.
    public var holdsStop = false
    private var state = RecorderAPI.State.idle
    private var clip: RecorderAPI.Clip?
    private var stops: [Answer<RecorderAPI.Stop.Reply>] = []
    private var count = 0

    public init() {}

    public var status: RecorderAPI.Status {
        let isRunning = state == .recording
        var status = RecorderAPI.Status(state, light: isRunning ? .steady : .off, isSafe: isRunning)
        status.clip = clip
        guard isTalkative else { return status }
        status.light = .blinks
        status.blinks = 4
        status.warnings = RecorderAPI.Warning.allCases
        status.problem = RecorderAPI.Problem(
            Failure(.noSignal, "cannot record", because: "no cable", mend: "Plug it in."))
        status.clip = Self.fullClip(number: 1)
        status.frames = RecorderAPI.Frames(captured: 30, encoded: 29, dropped: 1, repeated: 0)
        status.unsaved = 700_000_000
        status.remaining = 60_000_000_000
        status.signal = Self.fullSignal
        status.peaks = [12_000, 0]
        status.medium = "STICK"
        status.room = 3_600_000_000_000
        return status
    }

    public var media: [RecorderAPI.Medium] {
        var medium = RecorderAPI.Medium(name: "STICK", state: .ready, isChosen: true)
        guard isTalkative else { return [medium] }
        medium.uuid = "1234-ABCD"
        medium.path = "/media/kinebox/STICK"
        medium.fileSystem = "exfat"
        medium.problem = RecorderAPI.Problem(Failure(.damaged, "cannot read x.mp4", because: "it is damaged"))
        medium.bytes = 32_000_000_000
        medium.freeBytes = 9_000_000_000
        medium.room = 3_600_000_000_000
        return [medium]
    }

    public func turnedAway(_ failure: Failure) { refusals.append(failure) }

    /// Answers the calls of Stop that wait.
    public func finish() {
        guard !stops.isEmpty else { return }
        var reply = RecorderAPI.Stop.Reply(
            .stopped, clip: clip, files: clip.map { [$0.path] } ?? [], firstFrame: 1_000_000_000,
            lastFrame: 2_000_000_000,
            frames: RecorderAPI.Frames(captured: 31, encoded: 30, dropped: 1, repeated: 0))
        if isTalkative {
            reply.problem = RecorderAPI.Problem(Failure(.mediumFailed, "cannot finish", because: "the medium is gone"))
            reply.unfinished = ["/media/kinebox/STICK/x_part02.mp4"]
            reply.chapters = [.init(time: 1_500_000_000, label: "one"), .init(time: 1_600_000_000)]
        }
        clip = nil
        state = .idle
        for stop in stops { stop.succeed(reply) }
        stops = []
    }

    public func start(
        _ parameters: RecorderAPI.Start.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Start.Reply>
    ) {
        note("start \(parameters.name ?? "-") \(parameters.duration ?? 0) \(parameters.medium ?? "-")", caller)
        if let refusal { return answer.refuse(refusal) }
        if state == .recording {
            var refusal = Refusal(
                Failure(.alreadyRecording, "cannot start", because: "a recording runs already", mend: "Stop it first."))
            refusal.clip = clip
            return answer.refuse(refusal)
        }
        count += 1
        let name = parameters.name ?? "clip\(count)"
        clip = RecorderAPI.Clip(path: "/media/kinebox/STICK/\(name).mp4", medium: "STICK")
        if isTalkative { clip = Self.fullClip(number: count) }
        state = .recording
        var reply = RecorderAPI.Start.Reply(.recording, clip: clip, requested: caller.time.nanoseconds)
        reply.firstFrame = caller.time.nanoseconds + 20_000_000
        if isTalkative { reply.problem = status.problem }
        answer.succeed(reply)
    }

    public func stop(by caller: Caller, _ answer: Answer<RecorderAPI.Stop.Reply>) {
        note("stop", caller)
        guard state == .recording || state == .finalising else { return answer.refuse(notRecording("cannot stop")) }
        state = .finalising
        stops.append(answer)
        if !holdsStop { finish() }
    }

    public func pause(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) { plain("pause", caller, answer) }
    public func resume(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) { plain("resume", caller, answer) }
    public func split(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) { plain("split", caller, answer) }
    public func identify(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) {
        note("identify", caller)
        answer.succeed(.init())
    }

    public func mark(
        _ parameters: RecorderAPI.Mark.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Mark.Reply>
    ) {
        note("mark \(parameters.label ?? "-")", caller)
        guard state == .recording else { return answer.refuse(notRecording("cannot mark")) }
        answer.succeed(.init(time: 12_000_000_000))
    }

    public func snapshot(by caller: Caller, _ answer: Answer<RecorderAPI.Snapshot.Reply>) {
        note("snapshot", caller)
        answer.succeed(.init(path: "/media/kinebox/STICK/still.jpg"))
    }

    public func extend(
        _ parameters: RecorderAPI.Extend.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Extend.Reply>
    ) {
        note("extend \(parameters.duration)", caller)
        answer.succeed(.init(remaining: Int64(parameters.duration * 1_000_000_000)))
    }

    public func setMetadata(
        _ metadata: RecorderAPI.Metadata, by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>
    ) {
        note("metadata \(metadata.title ?? "-") \(metadata.author ?? "-") \(metadata.comment ?? "-")", caller)
        answer.succeed(.init())
    }

    public func listClips(
        _ parameters: RecorderAPI.ListClips.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.ListClips.Reply>
    ) {
        note("clips \(parameters.medium ?? "-") \(parameters.after ?? "-")", caller)
        let start = clips.firstIndex { $0.path == parameters.after }.map { $0 + 1 } ?? 0
        let page = Array(clips[start...].prefix(parameters.limit ?? 1))
        let isLast = start + page.count == clips.count
        answer.succeed(.init(clips: page, next: isLast ? nil : page.last?.path))
    }

    public func listDevices(by caller: Caller, _ answer: Answer<RecorderAPI.ListDevices.Reply>) {
        note("devices", caller)
        var device = RecorderAPI.Device(kind: .picture, name: "HDMI", argument: "/dev/video0", state: .ready)
        if isTalkative {
            device.location = "usb-1"
            device.mend = "Join the group video."
            device.formats = ["NV12 1920x1080 at 60"]
        }
        answer.succeed(.init(devices: [device]))
    }

    public func eject(
        _ parameters: RecorderAPI.Eject.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Eject.Reply>
    ) {
        note("eject \(parameters.medium ?? "-")", caller)
        if let refusal { return answer.refuse(refusal) }
        answer.succeed(.init(medium: parameters.medium ?? "STICK"))
    }

    /// A clip with every field.
    public static func fullClip(number: Int) -> RecorderAPI.Clip {
        RecorderAPI.Clip(
            path: "/media/kinebox/STICK/clip\(number).mp4", medium: "STICK", started: "2026-11-30T10:00:00+01:00",
            duration: 12_000_000_000, bytes: 5_200_000, parts: 1, isWhole: true,
            metadata: RecorderAPI.Metadata(title: "Anatomy", author: "N. N.", comment: "4"))
    }

    private static var fullSignal: RecorderAPI.Signal {
        let rate = FrameRate(60_000, 1001) ?? .thirty
        return RecorderAPI.Signal(
            .locked(SignalShape(width: 1920, height: 1080, rate: rate, isInterlaced: false)))
    }

    private func plain(_ name: String, _ caller: Caller, _ answer: Answer<RecorderAPI.Nothing>) {
        note(name, caller)
        if state == .recording { answer.succeed(.init()) } else { answer.refuse(notRecording("cannot \(name)")) }
    }

    private func notRecording(_ thing: String) -> Refusal {
        var refusal = Refusal(Failure(.notRecording, thing, because: "nothing is being recorded"))
        refusal.state = state
        return refusal
    }

    private func note(_ call: String, _ caller: Caller) {
        lastCaller = caller
        // An attack makes thousands of calls, and none of them is looked at.
        if calls.count < 1000 { calls.append(call) }
    }
}
