import Control
import Linux
import Media
import Recorder
import Storage

/// What the journal, those who follow and the service manager are told.
extension Daemon {
    func write(_ entry: JournalEntry) {
        journal.write(entry)
    }

    /// Tells those who follow of something, and the journal where it has a name there.
    /// - Parameters:
    ///   - message: its name in the journal; nil where its text is all there is to say.
    ///   - medium: the one that it is about.
    ///   - priority: how grave it is, where no name says so.
    func notice(
        _ text: String, _ message: JournalMessage?, on medium: String? = nil,
        _ priority: JournalEntry.Priority = .information
    ) {
        let sentence = text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
        if let message {
            var entry = JournalEntry(message, sentence, [.reason: text])
            if let medium { entry.fields.append(.init(JournalField.medium.rawValue, medium)) }
            write(entry)
        } else {
            write(JournalEntry(sentence, priority))
        }
        server.announce(text, (message?.priority ?? priority).grade)
    }

    /// Tells of what a deck told, as what it is.
    func tell(of told: DeckNotice) {
        let kind = told.kind
        notice(told.words, kind.message(isSourceWatched: configuration.keepsSourcesOpen), kind.priority)
    }

    /// One line for `systemctl status`.
    var statusLine: String {
        switch state.phase {
        case .idle:
            if let failure = state.source.refusal { return "idle; \(failure.cause)" }
            guard let medium = state.media.first(where: { $0.condition == .ready }) else { return "idle; no medium" }
            return "idle; ready to record to \(medium.name)"
        case .arming(let take): return "a recording to \(take.medium) is about to begin"
        case .recording(let take):
            let length = deck?.status.recording?.nanoseconds ?? 0
            let name = take.clip.map { Self.name(of: $0.path) } ?? take.medium
            return "recording \(name), \(Wording.clock(nanoseconds: length)) so far"
        case .paused(let take): return "paused: \(take.clip.map { Self.name(of: $0.path) } ?? take.medium)"
        case .finalising(let take, _): return "finishing \(take.clip.map { Self.name(of: $0.path) } ?? take.medium)"
        case .pending(_, .medium): return "waiting for a medium"
        case .pending(_, .signal): return "waiting for a signal"
        case .fault(let fault): return "\(fault.failure)"
        }
    }

    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// An entry about a recording.
    func entry(_ message: JournalMessage, _ text: String, of number: Int) -> JournalEntry {
        guard let clip = state.take?.clip, state.take?.number == number else {
            return JournalEntry(message, text + ".")
        }
        return JournalEntry(message, text + ": \(clip.path).", fields(of: clip))
    }

    /// An entry about something that was refused or failed, in its own words.
    func entry(_ message: JournalMessage, of failure: Failure) -> JournalEntry {
        JournalEntry(message, "\(failure)", [.error: failure.kind.rawValue, .reason: failure.cause])
    }

    private func fields(of clip: Clip) -> KeyValuePairs<JournalField, String> {
        [.clip: Self.name(of: clip.path), .path: clip.path, .medium: clip.medium, .mediumUUID: uuid(of: clip.medium)]
    }

    func fields(of medium: Medium) -> KeyValuePairs<JournalField, String> {
        [.medium: medium.name, .mediumUUID: medium.uuid]
    }

    private func uuid(of name: String) -> String { bay.list.first { $0.name == name }?.uuid ?? "" }

    // MARK: Recordings

    func tellOfTake(_ number: Int, _ event: TakeEvent) {
        switch event {
        case .began(let clip):
            write(JournalEntry(.recordingStarted, "A recording begins: \(clip.path).", fields(of: clip)))
        case .durable(let clip):
            let first = deck?.status.firstFrameTime
            var entry = JournalEntry(.recordingDurable, "The recording is safe: \(clip.path).", fields(of: clip))
            if let requested = takes[number]?.requested, let first {
                // For the question how long it takes from a hand to a picture.
                entry.fields.append(.init("KINEBOX_REQUESTED_NS", "\(requested.nanoseconds)"))
                entry.fields.append(.init("KINEBOX_FIRST_FRAME_NS", "\(first.nanoseconds)"))
            }
            write(entry)
            server.announce("the recording is safe: \(clip.path)", .information)
        case .unsaved:
            write(entry(.recordingUnsaved, "More than two seconds of the recording wait to be saved", of: number))
            server.announce("more than two seconds of the recording wait to be saved", .warning)
        case .saved:
            write(entry(.recordingSaved, "The recording is saved again", of: number))
            server.announce("the recording is saved again", .information)
        case .ending, .ended: break
        }
    }

    func tellOfEnd(_ result: TakeResult, _ running: RunningTake?) {
        let medium = result.clip?.medium ?? running?.medium ?? ""
        let path = result.clip?.path ?? ""
        let fields: KeyValuePairs<JournalField, String> = [
            .clip: Self.name(of: path), .path: path, .medium: medium, .mediumUUID: uuid(of: medium),
            .frames: "\(result.encodedFrames)", .dropped: "\(result.droppedFrames)", .bytes: "\(result.byteCount)",
            .error: result.failure?.kind.rawValue ?? "", .reason: result.failure?.cause ?? "\(result.end)",
        ]
        if let failure = result.failure {
            write(JournalEntry(result.clip == nil ? .refused : .recordingFailed, "\(failure)", fields))
            announce(failure)
        } else if result.clip != nil {
            write(JournalEntry(.recordingStopped, "The recording is finished: \(path).", fields))
            server.announce("the recording is finished: \(path)", .information)
        }
        for path in result.unfinished {
            notice("\(path) plays as it is, and is finished when its medium is back", nil)
        }
    }

    func tellOfPhase(from before: RecorderState) {
        switch (before.phase, state.phase) {
        case (.recording, .paused(let take)): write(entry(.recordingPaused, "The recording is paused", of: take.number))
        case (.paused, .recording(let take)): write(entry(.recordingResumed, "The recording goes on", of: take.number))
        default: break
        }
    }

    /// Something was refused or failed.
    func tell(of failure: Failure) {
        write(entry(.refused, of: failure))
        announce(failure)
    }

    private func announce(_ failure: Failure) {
        server.announce("\(failure)", failure.kind.blinks == nil ? .information : .failure)
    }

    /// A client alone was told of it. One that asks again and again fills no journal.
    func tellOnce(of failure: Failure, _ message: JournalMessage) {
        let last = toldRefusals.updateValue((failure, .now), forKey: failure.kind)
        let isSame = last.map { message == .clientRefused || $0.failure == failure } ?? false
        if let last, isSame, MonotonicTime.now - last.time < 10_000_000_000 { return }
        write(entry(message, of: failure))
    }

    func tellOfWarning(_ warning: RecorderWarning) {
        switch warning {
        case .space:
            notice("ten minutes of room or less are left on the medium", .spaceLow, on: state.take?.medium)
        case .drops: notice("pictures are being dropped", .picturesDropped)
        case .silence: notice("nothing is heard", .soundSilent)
        case .clock: notice("the clock of the sound card is far from true", .soundClockOff)
        }
    }

    /// The source has changed: told once for each change.
    func tellOfSource(_ condition: SourceCondition) {
        guard condition != state.source else { return }
        switch (state.source, condition) {
        case (.unknown, .present), (_, .unknown): break
        case (_, .present): notice("the signal is there", .signalFound)
        case (_, .silent(let signal)): notice("there is no signal (\(signal.words))", .signalLost)
        case (_, .absent(let failure)): notice("there is nothing to record from: \(failure)", .signalLost)
        }
    }

    // MARK: Media

    func tellOfMedium(_ medium: Medium) {
        let before = toldMedia.updateValue(medium.state, forKey: medium.name)
        if before == nil {
            write(JournalEntry(.mediumAdded, "\(medium.name) was plugged in.", fields(of: medium)))
        }
        guard before != medium.state else { return }
        switch medium.state {
        case .ready:
            // One that was full and has room again is no news.
            guard before != .full else { return }
            write(JournalEntry(.mediumReady, "\(medium.name) is ready.", fields(of: medium)))
            server.announce("\(medium.name) is ready", .information)
        case .failed(let failure):
            write(
                JournalEntry(
                    .mediumFailed, "\(failure)",
                    [
                        .medium: medium.name, .mediumUUID: medium.uuid, .error: failure.kind.rawValue,
                        .reason: failure.cause,
                    ]))
            server.announce("\(failure)", .failure)
        case .readOnly: notice("\(medium.name) is write protected", nil)
        case .full: notice("\(medium.name) is full", nil)
        case .preparing, .leaving, .ejected: break
        }
    }

    func tellOfRemoval(_ name: String, _ state: Medium.State) {
        if state == .ejected { return }
        write(JournalEntry(.mediumRemoved, "\(name) was taken out without having been ejected.", [.medium: name]))
        server.announce("\(name) was taken out", .warning)
    }

    func tellOfRecovery(_ file: RecoveredFile, on medium: String) {
        switch file.outcome {
        case .done(let result):
            write(
                JournalEntry(
                    .recordingRecovered, "\(file.path): \(result.words).",
                    [.clip: Self.name(of: file.path), .path: file.path, .medium: medium, .mediumUUID: uuid(of: medium)])
            )
            server.announce("\(file.path): \(result.words)", .information)
        case .failed(let failure):
            write(
                JournalEntry(
                    .recoveryFailed, "\(failure)",
                    [
                        .path: file.path, .medium: medium, .mediumUUID: uuid(of: medium),
                        .error: failure.kind.rawValue, .reason: failure.cause,
                    ]))
            server.announce("\(failure)", .failure)
        }
    }
}

extension JournalEntry.Priority {
    /// How grave those who follow are told that it is.
    var grade: RecorderAPI.Notice.Grade {
        switch self {
        case .critical, .failure: .failure
        case .warning: .warning
        case .notice, .information: .information
        }
    }
}
