import Capture
import Encoding
import Linux
import MP4
import Media
import Storage
import Synchronization

/// One recording on its pipeline thread: one event loop over capture, encoder, sound and the writer's answers.
final class Pipeline {
    private let plan: RecordingPlan
    private let shared: RecordingShared
    // The encoder stands before the source, so that it goes first: its thread may still read the source's memory.
    private let encoder: any VideoEncoder
    private let video: any VideoSource
    private let lanes: [AudioLane]
    private let parts: PartSequence
    private let writer: WriterThread<PartJob>
    private let partWriter: PartWriter
    private let epoll: Epoll
    private let period: Int64

    private var origin: MonotonicTime?
    private var lastTime: MonotonicTime?
    private var thinning: FrameThinning?
    private var newestCapture: MonotonicTime
    private var end: RecordingResult.End?
    private var phase = Phase.capturing
    private var isVideoWatched = false
    private var deadline = MonotonicTime(nanoseconds: .max)

    private enum Phase {
        case capturing
        case draining
        case done
    }

    private enum Token {
        static let command: UInt64 = 0
        static let video: UInt64 = 1
        static let encoder: UInt64 = 2
        static let writer: UInt64 = 3
        static let sound: UInt64 = 4
    }

    /// A live source that gives no picture for this long, and for three of its periods, has none: 5 s.
    private static let patience: Int64 = 5_000_000_000

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
        var lanes: [AudioLane] = []
        for open in plan.openAudio { lanes.append(try AudioLane(source: try open(), bitrate: plan.audioBitrate)) }
        self.lanes = lanes
        var format = video.format
        thinning = FrameThinning(from: format.rate, to: plan.rate)
        if thinning != nil, let rate = plan.rate { format.rate = rate }
        let bitrate =
            plan.videoBitrate
            ?? SoftwareEncoder.Configuration.usualBitrate(width: format.width, height: format.height, rate: format.rate)
        encoder = try plan.openEncoder(format, video.pace, bitrate)
        period = format.rate.nanoseconds(of: 1)
        newestCapture = .now
        let byteRate = (bitrate + lanes.reduce(0) { $0 + $1.track.bitrate }) / 8
        // Ten seconds of stall is what cards need at their worst.
        let queueLimit = min(max(10 * byteRate, 4 << 20), 32 << 20)
        let reserve = Int64(2 * byteRate + 65_536)
        try room.checkRoom(for: 2 * reserve, in: plan.name.folder)
        do throws(Errno) {
            let done = try EventDescriptor()
            partWriter = PartWriter(name: plan.name, reserve: reserve, done: done)
            epoll = try Epoll()
            try epoll.add(shared.command.raw, for: .readable, token: Token.command)
            try epoll.add(done.raw, for: .readable, token: Token.writer)
            try epoll.add(encoder.descriptor, for: .readable, token: Token.encoder)
        } catch {
            throw Failure(.internalFault, "cannot start the recording", because: "\(error)")
        }
        let partWriter = self.partWriter
        writer = try WriterThread(name: "kinebox-write", byteLimit: queueLimit) { partWriter.perform($0) }
        parts = PartSequence(
            encoder: encoder, lanes: lanes, format: format, writer: writer, queueLimit: queueLimit,
            schedule: SplitSchedule(
                limits: plan.splits, sampleRate: lanes.first?.track.format.rate, rate: format.rate,
                byteRate: byteRate),
            byteRate: byteRate)
        shared.counts.tracks.store(lanes.count, ordering: .relaxed)
    }

    private func run() -> RecordingResult {
        do throws(Failure) {
            try createFirstPart()
            try startSources()
            shared.add(notice: "the picture is encoded by \(encoder.name)")
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
        for (index, lane) in lanes.enumerated() {
            for descriptor in lane.source.descriptors { watch(descriptor, token: Token.sound + UInt64(index)) }
        }
    }

    private func watch(_ descriptor: Int32, token: UInt64) {
        do throws(Errno) {
            try epoll.add(descriptor, for: .readable, token: token)
        } catch {
            shared.add(notice: "a device cannot be waited for: \(error)")
        }
    }

    /// A source that waits is not looked at while nobody can take its pictures.
    private func watchVideo(_ isWatched: Bool) {
        guard isWatched != isVideoWatched else { return }
        isVideoWatched = isWatched
        if isWatched {
            watch(video.descriptor, token: Token.video)
        } else {
            try? epoll.remove(video.descriptor)
        }
    }

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
        if ready >> Token.sound != 0 { readSound() }
        if phase == .capturing {
            // A stop is looked at after the sources, so that what was captured before it is in.
            let stop = stopMoment
            try readVideo(ready & (1 << Token.video) != 0 || stop != nil, stop: stop)
        }
        try takeEncoded()
        if phase == .capturing { try lookAtClock() }
        if phase == .draining && encoder.isDrained { endIfSoundIsComplete() }
        report()
    }

    private var waitingTime: Int32 {
        let isStopping = video.pace == .live ? stopMoment != nil : shared.stopMoment != nil
        return phase == .capturing && !isStopping ? 100 : 5
    }

    /// Nothing that was captured later is recorded.
    private var stopMoment: MonotonicTime? {
        let asked = shared.stopMoment
        guard let origin, let duration = plan.duration else { return asked }
        let limit = origin + (duration - 1)
        if video.pace == .live && MonotonicTime.now < limit { return asked }
        return asked.map { min($0, limit) } ?? limit
    }

    // MARK: Pictures

    private func readVideo(_ isReady: Bool, stop: MonotonicTime?) throws(Failure) {
        if isReady {
            while phase == .capturing, video.pace == .live || encoder.room > 0,
                let frame = try video.nextFrame()
            {
                newestCapture = max(newestCapture, frame.time)
                if let limit = stop ?? stopMoment, frame.time > limit {
                    video.release(frame)
                    return try endCapture(
                        plan.duration != nil && shared.stopMoment == nil ? .durationReached : .stopped)
                }
                try submit(frame)
            }
        }
        if video.isFinished { return try endCapture(.sourceEnded) }
        guard let stop else { return watchVideo(video.pace == .live || encoder.room > 0) }
        // A live source hands a picture over some time after it was captured.
        let wait = video.pace == .live ? min(2 * period, 100_000_000) : 0
        let isOver = video.pace == .live ? MonotonicTime.now - stop > wait : shared.stopMoment != nil
        if isOver { try endCapture(shared.stopMoment == nil ? .durationReached : .stopped) }
    }

    private func submit(_ frame: VideoFrame) throws(Failure) {
        let start = origin ?? frame.time
        if origin == nil {
            origin = start
            for lane in lanes {
                if !lane.isLive { try lane.source.start(origin: (video as? TestPattern)?.origin ?? start) }
                try lane.begin(at: start)
            }
        }
        if thinning?.keeps(frame.time - start) == false { return video.release(frame) }
        guard encoder.room > 0 else {
            shared.counts.droppedFrames.add(1, ordering: .relaxed)
            return video.release(frame)
        }
        if shared.isSplitAsked.exchange(false, ordering: .acquiringAndReleasing) { parts.askForSplit() }
        let isKey = parts.needsKeyFrame(at: frame.time - start)
        lastTime = frame.time
        if try !encoder.submit(frame, forcingKeyFrame: isKey) {
            shared.counts.droppedFrames.add(1, ordering: .relaxed)
            video.release(frame)
        }
    }

    private func takeEncoded() throws(Failure) {
        while let packet = try encoder.nextPacket() {
            guard let origin else { return encoder.recycle(packet) }
            readSyntheticSound(before: packet.time + period)
            shared.counts.encodedFrames.add(1, ordering: .relaxed)
            parts.take(packet, at: packet.time - origin)
        }
        while let frame = encoder.nextReleasedFrame() { video.release(frame) }
        while let notice = encoder.nextNotice() { shared.add(notice: notice) }
        if phase == .capturing { watchVideo(video.pace == .live || encoder.room > 0) }
    }

    /// No picture follows; what is inside the encoder comes out.
    private func endCapture(_ end: RecordingResult.End) throws(Failure) {
        guard phase == .capturing else { return }
        self.end = self.end ?? end
        phase = .draining
        shared.setPhase(.finalising)
        watchVideo(false)
        deadline = .now + 300_000_000
        if let origin, let lastTime {
            for lane in lanes where lane.isLive {
                let stop = shared.stopMoment ?? (lastTime + period)
                lane.stop(at: lane.track.format.samples(in: min(stop, lastTime + period) - origin))
            }
        }
        try encoder.drain()
    }

    // MARK: Sound

    private func readSound() {
        for lane in lanes where lane.isLive {
            let wasLost = lane.isLost
            lane.read(before: .now)
            if lane.isLost && !wasLost {
                for descriptor in lane.source.descriptors { try? epoll.remove(descriptor) }
            }
            if let notice = lane.takeNotice() { shared.add(notice: notice) }
        }
    }

    private func readSyntheticSound(before moment: MonotonicTime) {
        for lane in lanes where !lane.isLive { lane.read(before: moment) }
    }

    private func endIfSoundIsComplete() {
        readSound()
        if lanes.allSatisfy({ !$0.isLive || $0.isComplete }) || MonotonicTime.now > deadline { phase = .done }
    }

    // MARK: Clock, medium and end

    private func lookAtClock() throws(Failure) {
        let now = MonotonicTime.now
        guard video.pace == .live else { return }
        if now - newestCapture > max(Self.patience, 3 * period) {
            throw Failure(
                .noSignal, "\(video.name) gives no picture", because: "none came for five seconds",
                mend: "Look after the cable and the device that sends the picture.")
        }
        guard let origin else { return }
        for lane in lanes where lane.isLost {
            try lane.fillSilence(until: lane.track.format.samples(in: newestCapture - origin))
        }
        parts.takeSoundAlone(at: now - origin)
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

    private func report() {
        let counts = shared.counts
        if let origin, let lastTime { counts.nanoseconds.store(lastTime - origin, ordering: .relaxed) }
        // What the source loses after the end of capture would not have been recorded.
        if phase == .capturing { counts.lostFrames.store(Int64(clamping: video.lostFrames), ordering: .relaxed) }
        counts.discardedFrames.store(parts.discardedFrames, ordering: .relaxed)
        counts.parts.store(parts.partCount, ordering: .relaxed)
        var peaks: UInt64 = 0
        for (track, lane) in lanes.prefix(4).enumerated() {
            peaks |= UInt64(min(lane.takePeak(), 0xffff)) << UInt64(16 * track)
        }
        if peaks != 0 { counts.merge(peaks: peaks) }
    }

    /// Keeps what was recorded when something fails: the encoder gives what it has, if it still can.
    private func fail(_ failure: Failure) {
        if end == nil { end = .failed(failure) }
        guard phase == .capturing else { return }
        shared.setPhase(.finalising)
        guard (try? encoder.drain()) != nil else { return }
        let limit = MonotonicTime.now + 10_000_000_000
        while !encoder.isDrained && MonotonicTime.now < limit {
            guard (try? takeEncoded()) != nil else { return }
            _ = try? epoll.wait(milliseconds: 5) { _, _ in }
        }
    }

    private func finish() -> RecordingResult {
        shared.setPhase(.finalising)
        for lane in lanes { lane.source.stop() }
        video.stop()
        while let frame = encoder.nextReleasedFrame() { video.release(frame) }
        var lastEnd: Int64?
        if let origin, let lastTime {
            // Sound that went on while no picture came is kept: the last picture stands as long.
            let heard = lanes.map { $0.track.format.nanoseconds(of: $0.headSample) }.max() ?? 0
            let length = max(lastTime - origin + period, heard)
            lastEnd = length
            for lane in lanes { try? lane.finish(covering: lane.track.format.samples(in: length)) }
        }
        parts.finish(at: lastEnd)
        writer.finish()
        let progress = partWriter.progress.withLock { progress in
            parts.take(&progress)
            return progress
        }
        shared.update(progress)
        report()
        return RecordingResult(
            end: progress.failure.map { .failed($0) } ?? end ?? .stopped, parts: progress.summaries,
            status: shared.status(), firstFrameTime: origin, lastFrameTime: lastTime, unfinished: progress.unfinished,
            notices: [])
    }
}
