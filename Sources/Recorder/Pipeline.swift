import Capture
import Encoding
import Linux
import MP4
import Media
import Storage
import Synchronization

/// One recording on its pipeline thread: one event loop over capture, encoder, sound and the writer's answers.
///
/// A live source wakes it once for each picture, and everything else that is ready is taken along with the picture: what
/// the encoder has coded since the last one, and the sound. So a picture costs one wait and no look at the clock.
final class Pipeline {
    let plan: RecordingPlan
    let shared: RecordingShared
    // The encoder stands before the source, so that it goes first: its thread may still read the source's memory.
    let encoder: EncoderLadder
    let video: any VideoSource
    /// The same, where it is a device.
    let device: (any DeviceVideoSource)?
    let lanes: [AudioLane]
    let parts: PartSequence
    let writer: WriterThread<PartJob>
    let partWriter: PartWriter
    let epoll: Epoll
    /// Nanoseconds from picture to picture.
    var period: Int64

    /// When the first picture was captured.
    var origin: MonotonicTime?
    /// When the newest picture of the recording was captured.
    var lastTime: MonotonicTime?
    var thinning: FrameThinning?
    /// When the source last gave a sign of life.
    var newestCapture: MonotonicTime
    var signal: SignalHistory
    /// Whether the next picture must be one that needs no other.
    var isKeyFrameDue = false
    var isSlateShown = false
    /// Until when the old shape's pictures may come out of the encoder; nil while the shape stays.
    var reshapeDeadline: MonotonicTime?
    /// Frames that were lost in encoders or dropped in front of them, as they were last told.
    var droppedFrames: Int64 = 0
    var end: RecordingResult.End?
    var phase = Phase.capturing
    var isVideoWatched = false
    var isEncoderWatched = false
    /// After which the end of the recording waits for nothing more.
    var deadline = MonotonicTime(nanoseconds: .max)

    enum Phase {
        case capturing
        case draining
        case done
    }

    enum Token {
        static let command: UInt64 = 0
        static let video: UInt64 = 1
        static let encoder: UInt64 = 2
        static let writer: UInt64 = 3
        static let signal: UInt64 = 4
        static let sound: UInt64 = 5
    }

    /// A live source that gives no picture for this long, and for three of its periods, has none: 5 s.
    static let patience: Int64 = 5_000_000_000

    /// Runs a whole recording on the calling thread.
    static func run(_ plan: RecordingPlan, _ shared: RecordingShared) -> RecordingResult {
        do throws(Failure) {
            let pipeline = try Pipeline(plan, shared)
            return pipeline.run()
        } catch {
            return RecordingResult(
                end: .failed(error), parts: [], status: RecordingStatus(), unfinished: [], notices: [])
        }
    }

    private init(_ plan: RecordingPlan, _ shared: RecordingShared) throws(Failure) {
        self.plan = plan
        self.shared = shared
        let room = try Volume(holding: plan.name.folder)
        video = try plan.openVideo()
        device = video as? any DeviceVideoSource
        var lanes: [AudioLane] = []
        for open in plan.openAudio { lanes.append(try AudioLane(source: try open(), bitrate: plan.audioBitrate)) }
        self.lanes = lanes
        encoder = try EncoderLadder(for: video, plan.encoding, rate: plan.rate)
        let format = encoder.format
        thinning = FrameThinning(from: video.format.rate, to: plan.rate)
        period = format.rate.nanoseconds(of: 1)
        newestCapture = .now
        signal = SignalHistory(plan.signalLoss)
        let shape = PartShape(
            format, bitrate: plan.encoding.bitrate(for: format), limits: plan.splits, sound: lanes.map(\.track))
        // Ten seconds of stall is what cards need at their worst.
        let queueLimit = min(max(10 * Int(shape.byteRate), 4 << 20), 32 << 20)
        let reserve = 2 * shape.byteRate + 65_536
        try room.checkRoom(for: 2 * reserve, in: plan.name.folder)
        do throws(Errno) {
            let done = try EventDescriptor()
            partWriter = PartWriter(name: plan.name, reserve: reserve, done: done)
            epoll = try Epoll()
            try epoll.add(shared.command.raw, for: .readable, token: Token.command)
            try epoll.add(done.raw, for: .readable, token: Token.writer)
        } catch {
            throw Failure(.internalFault, "cannot start the recording", because: "\(error)")
        }
        let partWriter = self.partWriter
        writer = try WriterThread(name: "kinebox-write", byteLimit: queueLimit) { partWriter.perform($0) }
        parts = PartSequence(encoder: encoder, lanes: lanes, shape: shape, writer: writer, queueLimit: queueLimit)
        shared.counts.tracks.store(lanes.count, ordering: .relaxed)
    }

    private func run() -> RecordingResult {
        do throws(Failure) {
            try createFirstPart()
            try startSources()
            encoder.meanwhile = { [unowned self] in self.goOnWithSound() }
            takeNotices()
            shared.add(notice: "the picture is encoded by \(encoder.words)")
            shared.started.signal()
            while phase != .done { try turn() }
        } catch {
            fail(error)
        }
        return finish()
    }

    /// The first part's file is there before anything is captured, so that a medium that refuses is told at once.
    private func createFirstPart() throws(Failure) {
        _ = writer.put(.create(1), byteCount: 0)
        while true {
            partWriter.done.wait()
            let progress = partWriter.progress.withLock { $0 }
            if let failure = progress.failure { throw failure }
            guard progress.created.contains(1) else { continue }
            if let path = progress.otherPath { shared.add(notice: "that name was taken: recording to \(path)") }
            return
        }
    }

    private func startSources() throws(Failure) {
        for lane in lanes where lane.isLive { try lane.source.start(origin: .now) }
        try video.start()
        newestCapture = .now
        watchVideo(true)
        watchSignal()
        // What is live is taken along with the pictures; beside a source that waits, it has to be waited for.
        guard video.pace == .onDemand else { return }
        watchEncoder(true)
        for (index, lane) in lanes.enumerated() {
            for descriptor in lane.source.descriptors { watch(descriptor, token: Token.sound + UInt64(index)) }
        }
    }

    // MARK: One turn

    /// Waits once and does what has become ready.
    private func turn() throws(Failure) {
        var ready: UInt64 = 0
        do throws(Errno) {
            try epoll.wait(milliseconds: waitingTime) { token, _ in ready |= 1 << min(token, 63) }
        } catch {
            throw Failure(.internalFault, "cannot wait for the devices", because: "\(error)")
        }
        if ready & (1 << Token.command) != 0 { shared.command.clear() }
        if ready & (1 << Token.writer) != 0 { try takeProgress() }
        readSound()
        var newest: MonotonicTime?
        if phase == .capturing {
            if ready & (1 << Token.signal) != 0 { try lookAtSignal() }
            newest = try readVideo(isReady: ready & (1 << Token.video) != 0)
        }
        try takeEncoded(butFor: newest == nil ? 0 : 1)
        if phase == .capturing {
            // A picture that was just captured tells the time well enough.
            try lookAtClock(newest ?? .now)
        }
        if phase == .draining { endIfComplete() }
        report()
    }

    /// Milliseconds.
    private var waitingTime: Int32 {
        guard phase == .capturing, reshapeDeadline == nil, shared.stopMoment == nil else { return 5 }
        // Nobody waits for the encoder of a live source: a picture comes soon, and if none does, this ends the wait.
        guard video.pace == .live, encoder.framesInside > 0 else { return 100 }
        return Int32(min(max(2 * period / 1_000_000, 10), 100))
    }

    /// The last moment of which a picture is recorded.
    var limit: MonotonicTime? {
        let asked = shared.stopMoment
        guard let origin, let duration = plan.duration else { return asked }
        let over = origin + (duration - 1)
        return asked.map { min($0, over) } ?? over
    }

    // MARK: Waiting

    func watch(_ descriptor: Int32, token: UInt64) {
        do throws(Errno) {
            try epoll.add(descriptor, for: .readable, token: token)
        } catch {
            shared.add(notice: "a device cannot be waited for: \(error)")
        }
    }

    /// A source that waits is not looked at while nobody can take its pictures.
    func watchVideo(_ isWatched: Bool) {
        guard isWatched != isVideoWatched else { return }
        isVideoWatched = isWatched
        if isWatched {
            watch(video.descriptor, token: Token.video)
        } else {
            try? epoll.remove(video.descriptor)
        }
    }

    func watchEncoder(_ isWatched: Bool) {
        guard isWatched != isEncoderWatched else { return }
        isEncoderWatched = isWatched
        if isWatched {
            watch(encoder.descriptor, token: Token.encoder)
        } else {
            try? epoll.remove(encoder.descriptor)
        }
    }

    // MARK: Sound, medium and counts

    func readSound() {
        for lane in lanes where lane.isLive && !lane.isLost {
            lane.read(before: newestCapture)
            if lane.isLost {
                for descriptor in lane.source.descriptors { try? epoll.remove(descriptor) }
            }
            if let notice = lane.takeNotice() { shared.add(notice: notice) }
        }
    }

    /// What goes on while an encoder is being opened, which may take seconds.
    /// - Returns: false when the recording is to end.
    private func goOnWithSound() -> Bool {
        readSound()
        if let origin {
            let now = MonotonicTime.now
            if parts.isPaused { readSyntheticSound(before: now) }
            parts.takeSoundAlone(at: now - origin)
        }
        return shared.stopMoment == nil
    }

    private func takeProgress() throws(Failure) {
        partWriter.done.clear()
        let (snapshot, failure, isNearlyFull) = partWriter.progress.withLock { progress in
            parts.take(&progress)
            return (progress, progress.failure, progress.isNearlyFull)
        }
        shared.update(snapshot)
        if let failure { throw failure }
        if isNearlyFull && phase == .capturing {
            self.end = .failed(
                Failure(
                    .mediumFull, "the recording was ended", because: "the medium with \(plan.name.folder) is full",
                    mend: "The file is complete up to there; free some room before the next one."))
            try endCapture(.stopped)
        }
    }

    func takeNotices() {
        while let notice = encoder.nextNotice() { shared.add(notice: notice) }
    }

    func report() {
        let counts = shared.counts
        if let origin, let lastTime { counts.nanoseconds.store(lastTime - origin, ordering: .relaxed) }
        // What the source loses after the end of capture would not have been recorded.
        if phase == .capturing { counts.lostFrames.store(Int64(clamping: video.lostFrames), ordering: .relaxed) }
        counts.droppedFrames.store(droppedFrames + encoder.lostFrames, ordering: .relaxed)
        counts.discardedFrames.store(parts.discardedFrames, ordering: .relaxed)
        counts.parts.store(parts.partCount, ordering: .relaxed)
        var peaks: UInt64 = 0
        for (track, lane) in lanes.prefix(4).enumerated() {
            peaks |= UInt64(min(lane.takePeak(), 0xffff)) << UInt64(16 * track)
        }
        if peaks != 0 { counts.merge(peaks: peaks) }
    }
}
