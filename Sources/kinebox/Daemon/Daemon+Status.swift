import Control
import Glibc
import Linux
import Media
import Recorder
import Storage

/// How the recorder stands, in the words of the socket.
extension Daemon {
    var status: RecorderAPI.Status {
        var status = RecorderAPI.Status(
            RecorderAPI.State(state), light: RecorderAPI.Light(state.light),
            isSafe: state.light == .safe || state.light == .safeWithWarning)
        if case .failed(let blinks) = state.light { status.blinks = blinks }
        status.warnings = state.warnings.map { RecorderAPI.Warning($0) }.sorted { $0.rawValue < $1.rawValue }
        switch state.phase {
        case .fault(let fault): status.problem = RecorderAPI.Problem(fault.failure)
        case .pending(_, let missing): status.problem = RecorderAPI.Problem(problem(missing))
        case .idle: if case .absent(let failure) = state.source { status.problem = RecorderAPI.Problem(failure) }
        case .arming, .recording, .paused, .finalising: break
        }
        let now = deck?.status
        status.signal = RecorderAPI.Signal(now?.signal ?? seen(now))
        status.peaks = peaks(now)
        status.medium = chosenMedium
        status.room = status.medium.flatMap { room(on: $0, now) }
        guard let take = state.take else { return status }
        status.clip = take.clip.map { described($0) }
        status.remaining = takes[take.number]?.limit
        // What the deck says is of this take only once it runs there.
        guard let recording = now?.recording, now?.take == take.number else { return status }
        status.frames = RecorderAPI.Frames(
            captured: recording.encodedFrames + recording.droppedFrames + recording.lostFrames,
            encoded: recording.encodedFrames - recording.discardedFrames,
            dropped: recording.droppedFrames + recording.lostFrames + recording.discardedFrames, repeated: 0)
        status.unsaved = recording.unsavedNanoseconds
        status.remaining = takes[take.number]?.limit.map { max(0, $0 - recording.nanoseconds) }
        return status
    }

    var media: [RecorderAPI.Medium] {
        let (chosen, now) = (chosenMedium, deck?.status)
        return bay.list.map { medium in
            var value = RecorderAPI.Medium(
                name: medium.name, state: RecorderAPI.Medium.State(medium.state), isChosen: medium.name == chosen)
            value.uuid = medium.uuid.isEmpty ? nil : medium.uuid
            value.path = medium.place?.folder
            value.fileSystem = medium.fileSystem
            value.bytes = medium.byteCount
            value.freeBytes = freeByteCount(of: medium.name, now)
            value.room = room(on: medium.name, now)
            if case .failed(let failure) = medium.state { value.problem = RecorderAPI.Problem(failure) }
            return value
        }
    }

    /// The name of the medium that is recorded to, or that the next recording goes to.
    private var chosenMedium: String? {
        state.take?.medium ?? state.media.first { $0.condition == .ready }?.name
    }

    /// What comes in from a source that knows no cables: a test picture, say.
    private func seen(_ status: DeckStatus?) -> SignalState? {
        guard state.source == .present else { return nil }
        return .locked(
            status?.format.map { SignalShape(width: $0.width, height: $0.height, rate: $0.rate, isInterlaced: false) })
    }

    /// What is waited for, as a failure whose mend is what helps.
    func problem(_ missing: RecorderState.Missing) -> Failure {
        switch missing {
        case .medium:
            Failure(
                .noMedium, "the recording has not begun", because: "it waits for a medium",
                mend: "Plug in a USB stick or a card.")
        case .signal:
            state.source.refusal.map {
                Failure($0.kind, "the recording has not begun", because: $0.cause, mend: $0.mend)
            } ?? Failure(.noSignal, "the recording has not begun", because: "it waits for a signal")
        }
    }

    /// A clip with what is known of it without asking its medium.
    func described(_ clip: Clip) -> RecorderAPI.Clip {
        var value = RecorderAPI.Clip(path: clip.path, medium: clip.medium)
        guard let take = state.take, take.clip == clip, let running = takes[take.number] else { return value }
        value.started = Self.date(Int64(running.started))
        value.metadata = running.metadata.isEmpty ? nil : RecorderAPI.Metadata(running.metadata)
        value.isWhole = false
        if let now = deck?.status, now.take == take.number, let recording = now.recording {
            value.duration = recording.nanoseconds
            value.bytes = recording.byteCount
            value.parts = recording.parts
        }
        return value
    }

    /// A clip that was found on a medium.
    func described(_ clip: FoundClip) -> RecorderAPI.Clip {
        RecorderAPI.Clip(
            path: clip.path, medium: clip.medium, started: Self.date(clip.started), duration: clip.duration,
            bytes: clip.byteCount, parts: clip.partCount, isWhole: clip.isWhole,
            metadata: clip.metadata.isEmpty ? nil : RecorderAPI.Metadata(clip.metadata))
    }

    /// The loudest samples since somebody was told of them last. They are taken from the deck at most ten times a second,
    /// so that all who follow see the same.
    private func peaks(_ status: DeckStatus?) -> [Int] {
        if MonotonicTime.now - levels.time > 90_000_000, let status { levels = (status.peaks, .now) }
        return deck == nil ? [] : levels.peaks
    }

    private func freeByteCount(of name: String, _ status: DeckStatus?) -> Int64? {
        if state.take?.medium == name, let free = status?.recording?.freeByteCount, free > 0 { return free }
        return bay.list.first { $0.name == name }?.freeByteCount
    }

    /// How long can still be recorded to a medium.
    private func room(on name: String, _ status: DeckStatus?) -> Int64? {
        guard let free = freeByteCount(of: name, status) else { return nil }
        var (room, rate) = (max(0, free - configuration.media.leastRoom), byteRate)
        if state.take?.medium == name, let now = status?.recording, now.nanoseconds > 5_000_000_000 {
            (room, rate) = (now.roomByteCount, now.byteCount * 1000 / (now.nanoseconds / 1_000_000))
        }
        guard let rate, rate > 0 else { return nil }
        // A medium that stands still as a recording begins makes a rate of a few bytes, and an age of this.
        return min(room / rate, 1_000_000_000) * 1_000_000_000
    }

    /// A moment of the calendar in the form of RFC 3339, with the box's own offset.
    private static func date(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(seconds), tm())
        localtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 40)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
        let date = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(date.dropLast(2)):\(date.suffix(2))"
    }
}

extension RecorderAPI.State {
    init(_ state: RecorderState) {
        switch state.phase {
        case .idle: self = .idle
        case .arming: self = .arming
        case .recording: self = .recording
        case .paused: self = .paused
        case .finalising: self = .finalising
        case .pending: self = .pending
        case .fault: self = .fault
        }
    }
}

extension RecorderAPI.Light {
    init(_ signal: LightSignal) {
        switch signal {
        case .idle: self = .off
        case .arming: self = .arming
        case .safe: self = .steady
        case .safeWithWarning: self = .notch
        case .unsaved: self = .unsaved
        case .paused: self = .paused
        case .pending: self = .pending
        case .finalising: self = .finalising
        case .failed: self = .blinks
        }
    }
}

extension RecorderAPI.Warning {
    init(_ warning: RecorderWarning) {
        switch warning {
        case .space: self = .space
        case .drops: self = .drops
        case .silence: self = .silence
        case .clock: self = .clock
        }
    }
}

extension RecorderAPI.Metadata {
    init(_ metadata: RecordingMetadata) {
        self.init(
            title: metadata.title.isEmpty ? nil : metadata.title,
            author: metadata.author.isEmpty ? nil : metadata.author,
            comment: metadata.comment.isEmpty ? nil : metadata.comment)
    }
}

extension RecorderAPI.Medium.State {
    init(_ state: Medium.State) {
        switch state {
        case .preparing: self = .preparing
        case .ready: self = .ready
        case .full: self = .full
        case .readOnly: self = .readOnly
        case .failed: self = .failed
        case .leaving: self = .leaving
        case .ejected: self = .ejected
        }
    }
}
