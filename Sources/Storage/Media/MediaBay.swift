import Glibc
import Linux
import Media

/// The place where media are plugged in, for an event loop: which are there, what can be done with them, and their ejection.
/// Nothing here waits for a medium. Used by one thread.
///
/// Media are prepared and unmounted by programs with the rights of root (`MediumPreparation`, `MediumRemoval`), which
/// tell of it in a folder in /run; `docs/media.md` has the whole way.
public final class MediaBay {
    private let epoll: Epoll
    private let devices: BlockDeviceWatch
    private let mounts: FileDescriptor
    private let folder: DirectoryWatch
    private let timer: TimerDescriptor
    private let questions: RoomQuestions
    private let runtime: MediaRuntime
    private var known: MediaList
    private var events: [MediaEvent] = []
    private let ready: EventDescriptor
    /// The media of the last look, the preferred one first.
    public private(set) var list: [Medium] = []

    /// How often media are asked for their room, and how long they may take to answer: 5 s.
    private static let period: Int64 = 5_000_000_000
    /// How long an ejection may take: 40 s. A stick that is slow has as much to write as its cache holds.
    private static let longestEjection: Int64 = 40_000_000_000

    private enum Token {
        static let devices: UInt64 = 0
        static let mounts: UInt64 = 1
        static let records: UInt64 = 2
        static let timer: UInt64 = 3
        static let answers: UInt64 = 4
        static let events: UInt64 = 5
    }

    /// Begins to watch. What is there already is in `list`, and its events wait.
    /// - Parameters:
    ///   - order: UUIDs and labels in the order in which they are preferred; the others follow, the one with most room
    ///     first.
    ///   - leastRoom: bytes; with less room a medium is full.
    ///   - runtime: where those who prepare media tell of it.
    /// - Throws: `Failure` of kind internalFault when the kernel gives no descriptor, or there is no such folder.
    public init(order: [String], leastRoom: Int64, runtime: MediaRuntime = MediaRuntime()) throws(Failure) {
        devices = try BlockDeviceWatch()
        // Whoever may make it does; it is there where systemd-tmpfiles was asked.
        try? runtime.make(for: .current)
        do throws(Errno) {
            folder = try DirectoryWatch()
            try folder.add(runtime.folder)
            mounts = try FileDescriptor.open("/proc/self/mountinfo", O_RDONLY)
            timer = try TimerDescriptor()
            questions = try RoomQuestions()
            ready = try EventDescriptor()
            epoll = try Epoll()
            try epoll.add(devices.descriptor, for: .readable, token: Token.devices)
            // The kernel tells of a change in what is mounted as of an exception.
            try epoll.add(mounts.raw, for: .priority, token: Token.mounts)
            try epoll.add(folder.raw, for: .readable, token: Token.records)
            try epoll.add(timer.raw, for: .readable, token: Token.timer)
            try epoll.add(questions.descriptor, for: .readable, token: Token.answers)
            try epoll.add(ready.raw, for: .readable, token: Token.events)
        } catch {
            throw Failure(
                .internalFault, "cannot watch for media in \(runtime.folder)", because: "\(error)",
                mend: error.code == ENOENT ? "Run systemd-tmpfiles --create, as an installation does." : "")
        }
        self.runtime = runtime
        known = MediaList(order: order, leastRoom: leastRoom)
        look()
    }

    /// Readable when something may have changed: `process` is called then, and `nextEvent` until it gives nothing.
    public var descriptor: Int32 { epoll.raw }

    /// Takes in what has happened.
    public func process() {
        var isTime = false
        _ = try? epoll.wait(milliseconds: 0) { token, _ in if token == Token.timer { isTime = true } }
        devices.skip()
        folder.changes { _, _ in }
        if isTime {
            _ = timer.expirations()
            refresh()
        }
        look()
    }

    /// The oldest event that was not taken yet; nil when there is none.
    public func nextEvent() -> MediaEvent? {
        if events.count <= 1 { ready.clear() }
        return events.isEmpty ? nil : events.removeFirst()
    }

    /// Changes what was given at the start.
    public func prefer(_ order: [String], leastRoom: Int64) {
        known.order = order
        known.leastRoom = leastRoom
        look()
    }

    /// Asks all media for their room now, and not only when the time comes: for the end of a recording.
    public func refresh() {
        for medium in list {
            if let place = medium.place, let key = key(of: medium.name) { questions.ask(key, place) }
        }
    }

    /// Says that the recordings on a medium which was told of as mounted are recovered, or cannot be: it is ready now.
    public func recovered(_ name: String) {
        guard let key = key(of: name) else { return }
        known.knowledge[key, default: .init()].isRecovered = true
        look()
        refresh()
    }

    /// Says that nothing can be written to a medium, as somebody found who tried. It is not used until it is plugged in
    /// again.
    public func failed(_ name: String, _ failure: Failure) {
        guard let key = key(of: name) else { return }
        known.knowledge[key, default: .init()].failure = failure
        look()
    }

    /// Asks that a medium be taken off; all files on it are closed already. An event tells how that ended: after 40 s at
    /// the latest.
    /// - Throws: `Failure` of kind noMedium when there is none of this name, busy when it is still being prepared,
    ///   internalFault when nobody can be asked.
    public func eject(_ name: String) throws(Failure) {
        guard let medium = list.first(where: { $0.name == name }), let key = key(of: name) else {
            throw Failure(.noMedium, "cannot eject \(name)", because: "there is no such medium")
        }
        guard known.knowledge[key]?.wish == nil else { return }
        guard medium.place != nil else {
            if medium.state == .preparing {
                throw Failure(
                    .busy, "cannot eject \(name)", because: "it is being checked", mend: "Try it again in a moment.")
            }
            return tell(.ejected(name))
        }
        do throws(Errno) {
            try runtime.wish(medium.device)
        } catch {
            throw Failure(.internalFault, "cannot eject \(name)", because: "nobody can be asked for it: \(error)")
        }
        known.knowledge[key, default: .init()].wish = .now
        look()
    }

    // MARK: - Looking

    /// The records of the media that were there at the last look.
    private var records: [MediumRecord] = []

    private func key(of name: String) -> MediaList.Key? { records.first { $0.name == name }?.key }

    private func tell(_ event: MediaEvent) {
        events.append(event)
        ready.signal()
    }

    private func look() {
        let now = MonotonicTime.now
        for (key, answer) in questions.takeAnswers() { take(answer, of: key) }
        let all = runtime.records()
        let before = records
        records = all.filter { BlockDevice.sequence(of: $0.device) == $0.sequence }
        for record in before where !records.contains(where: { $0.key == record.key }) { leave(record, all) }
        for record in records { follow(record, now) }
        let table = MountTable.now()
        let media = known.media(records, table, now: now)
        for medium in media { ask(medium) }
        if media != list {
            list = media
            tell(.changed)
        }
        set(timer: !records.isEmpty)
    }

    private func take(_ answer: RoomQuestions.Answer, of key: MediaList.Key) {
        // It may have gone in the meantime.
        guard known.knowledge[key] != nil else { return }
        known.knowledge[key]?.isSilent = false
        switch answer {
        case .room(let room): known.knowledge[key]?.room = room
        // One that is gone by now shows by what is mounted.
        case .failed(let failure):
            if failure.kind != .noMedium { known.knowledge[key]?.failure = failure }
        }
    }

    /// A medium is gone. A USB device whose power was turned off goes by itself once it is ejected.
    private func leave(_ record: MediumRecord, _ all: [MediumRecord]) {
        let wish = known.knowledge.removeValue(forKey: record.key)?.wish
        guard wish != nil else { return }
        runtime.takeBack(record.device)
        let last = all.first { $0.key == record.key } ?? record
        if last.state == .ejected {
            tell(.ejected(record.name))
        } else {
            tell(
                .notEjected(
                    record.name,
                    Failure(.noMedium, "cannot eject \(record.name)", because: "it was pulled before it was ready")))
        }
    }

    /// Sees how an ejection goes.
    private func follow(_ record: MediumRecord, _ now: MonotonicTime) {
        if let isSilent = known.knowledge[record.key]?.isSilent, !isSilent {
            known.knowledge[record.key]?.isSilent = questions.isLate(record.key, by: Self.period, now: now)
        }
        guard let wish = known.knowledge[record.key]?.wish else { return }
        if record.state == .ejected {
            known.knowledge[record.key]?.wish = nil
            return tell(.ejected(record.name))
        }
        let isRefused = record.state == .mounted && !record.cause.isEmpty && record.time > wish
        let isLate = now - wish > Self.longestEjection
        guard isRefused || isLate else { return }
        known.knowledge[record.key]?.wish = nil
        runtime.takeBack(record.device)
        let failure =
            isRefused
            ? Failure(.busy, "cannot eject \(record.name)", because: record.cause, mend: record.mend)
            : Failure(.mediumFailed, "cannot eject \(record.name)", because: "it does not answer")
        tell(.notEjected(record.name, failure))
    }

    /// Asks a medium that was just mounted for its room; with the answer comes the time for its recovery.
    private func ask(_ medium: Medium) {
        guard let place = medium.place, let key = records.first(where: { $0.name == medium.name })?.key else { return }
        let knowledge = known.knowledge[key] ?? .init()
        guard knowledge.isRoomAsked else {
            known.knowledge[key, default: .init()].isRoomAsked = true
            return questions.ask(key, place)
        }
        guard medium.state == .preparing, knowledge.room != nil, !knowledge.isRecoveryAsked else { return }
        known.knowledge[key]?.isRecoveryAsked = true
        tell(.mounted(medium))
    }

    private func set(timer isNeeded: Bool) {
        if isNeeded {
            guard !isTimed else { return }
            try? timer.arm(at: .now + Self.period, interval: Self.period)
        } else {
            try? timer.disarm()
        }
        isTimed = isNeeded
    }

    private var isTimed = false
}
