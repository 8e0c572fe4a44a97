import Capture
import Encoding
import Linux
import MP4
import Media
import Storage

/// One recording on the pipeline thread, for as long as the source and the encoder have something to do for it.
final class TakeRun {
    let plan: TakePlan
    let shared: TakeShared
    let files: TakeFiles
    let source: OpenSource
    let lanes: [AudioLane]
    let parts: PartSequence
    /// Pictures from before this moment are not in it.
    let start: MonotonicTime
    /// Tells whoever watches the deck.
    let tell: @Sendable (PipelineShared.Event) -> Void

    /// Nil before the first picture.
    var timeline: TakeTimeline?
    /// When the newest picture of the recording was captured.
    var lastTime: MonotonicTime?
    var signal: SignalHistory
    /// Whether the next picture must be one that needs no other.
    var isKeyFrameDue = false
    var phase = Phase.capturing
    var end: RecordingResult.End?
    /// After which the end of the recording waits for nothing more.
    var deadline = MonotonicTime(nanoseconds: .max)
    /// The moment after which nothing is recorded; nil while nobody has asked to stop.
    var stopMoment: MonotonicTime?
    /// Nanoseconds of the recording after which it ends by itself.
    var duration: Int64?
    var pause = Pause.none
    /// What the pictures have not come to yet: pauses and their ends, in the order in which they were asked for.
    var changes: [Change] = []
    var warnings = TakeWarnings()
    /// Where the recording's last picture ends that stands until then; nil before the end, and where each stands for a
    /// period.
    var standingEnd: Int64?
    /// Whether a picture of a source that gives only changes was not taken, so that another one has to show them.
    private(set) var hasMissedChange = false
    /// Whether the newest picture came when the encoder had kept the one before it for long.
    private(set) var isNewestPush = false
    private let deck: DeckPlan
    private var thinning: FrameThinning?
    /// The time in the recording from which pictures are chosen by their rate.
    private var thinningStart: Int64 = 0
    private var isSlateShown = false
    private var droppedFrames: Int64 = 0
    /// Pictures that were drawn in place of those that did not come in.
    var slateFrames: Int64 = 0
    /// Frames that the source and the encoder had lost before the recording, or in its pauses.
    private var lostBefore: UInt64 = 0
    private let unfencedBefore: UInt64
    private let nearestBefore: UInt64
    private let encoderLostBefore: Int64

    enum Phase {
        case capturing
        case draining
        case done
    }

    /// How the recording stands between running and being paused.
    enum Pause {
        case none
        /// Nothing is recorded. What was until then is brought onto the medium, at a moment at the latest.
        case on(flushBy: MonotonicTime?)
        /// It goes on with the next picture.
        case ending
    }

    /// A pause or its end, with the moment from which it holds.
    struct Change {
        var isPause: Bool
        var moment: MonotonicTime
    }

    /// Makes everything that a recording needs but the source.
    /// - Throws: `Failure` when sound cannot be encoded, or no thread is left.
    init(
        _ start: PipelineShared.Start, _ source: OpenSource, _ deck: DeckPlan, _ shared: PipelineShared
    ) throws(Failure) {
        (plan, self.shared, self.source, self.deck) = (start.plan, start.shared, source, deck)
        self.start = start.moment
        tell = shared.tell
        duration = start.plan.duration
        var lanes: [AudioLane] = []
        for input in source.inputs { lanes.append(try AudioLane(input, bitrate: deck.audioBitrate)) }
        self.lanes = lanes
        let encoder = source.encoder
        let format = encoder.format
        let shape = PartShape(
            format, bitrate: deck.encoding.bitrate(for: format), limits: start.plan.splits, sound: lanes.map(\.track))
        files = try TakeFiles(start, byteRate: shape.byteRate, shared)
        parts = PartSequence(
            encoder: encoder, lanes: lanes, shape: shape, writer: files.writer, queueLimit: files.queueLimit)
        thinning = Self.thinning(source, deck)
        signal = SignalHistory(deck.signalLoss)
        encoderLostBefore = encoder.lostFrames
        unfencedBefore = source.video.unfencedFrames
        nearestBefore = source.video.nearestFrames
        if let device = source.device {
            signal.note(device.signal)
            if source.isStarted, !device.signal.isLocked { signal.begin(with: device.signal, at: start.moment) }
            self.shared.set(signal: device.signal)
        }
        for lane in lanes { lane.input.lane = lane }
    }

    /// Whether pictures are taken.
    var isCapturing: Bool { phase == .capturing }

    /// Whether pictures up to a moment are still to come, and no other ones.
    var isLimited: Bool { stopMoment != nil || !changes.isEmpty }

    /// The last moment of which a picture is recorded.
    var limit: MonotonicTime? {
        guard let timeline, timeline.end == nil, let duration else { return stopMoment }
        let over = timeline.moment(of: duration - 1)
        return stopMoment.map { min($0, over) } ?? over
    }

    /// Nanoseconds of the recording that there are.
    var time: Int64 {
        guard let timeline, let lastTime else { return 0 }
        return timeline.time(of: lastTime)
    }

    /// Takes a picture of the source.
    /// - Returns: false when the encoder did not take it, so that it goes back at once.
    func take(_ frame: VideoFrame) throws(Failure) -> Bool {
        guard isCapturing else { return false }
        if let limit, frame.time > limit {
            try endCapture(reasonToStop, at: limit)
            return false
        }
        guard isWanted(frame) else { return false }
        if timeline == nil { try begin(with: frame) } else if case .ending = pause { try resume(with: frame) }
        source.readSyntheticSound(before: standsStill ? frame.time : frame.time + source.period)
        return try submit(frame)
    }

    /// Ends the capture of a live source when everything that was captured before the end must have come.
    func endIfOver(_ now: MonotonicTime) throws(Failure) {
        // It hands a picture over some time after it was captured.
        guard source.isLive, let limit, now - limit > min(2 * source.period, 100_000_000) else { return }
        try endCapture(reasonToStop, at: limit)
    }

    /// Takes what the encoder has done.
    func take(_ packet: EncodedPacket) {
        guard let timeline else { return source.encoder.recycle(packet) }
        if packet.parameterSets != nil { parts.change(source.encoder.format) }
        if parts.take(packet, at: timeline.time(of: packet.time)) {
            shared.encodedFrames.add(1, ordering: .relaxed)
        } else {
            droppedFrames += 1
        }
    }

    /// Goes on with what no picture brings along.
    func lookAtClock(_ now: MonotonicTime) throws(Failure) {
        try endIfOver(now)
        try pauseIfDue(now)
        try standStill(at: now)
        guard isCapturing, let timeline else { return }
        let time = timeline.time(of: now)
        for lane in lanes where lane.input.isLost {
            try lane.fillSilence(until: lane.track.format.samples(in: timeline.time(of: source.newestCapture)))
        }
        if parts.isPausing && source.encoder.pendingCount == 0 { parts.completePause() }
        // No picture takes the synthetic sound along, and what the part before still lacks has to come.
        if parts.isPaused { source.readSyntheticSound(before: now) }
        parts.takeSoundAlone(at: time)
    }

    /// Takes in what pictures are from now on.
    func takeShape() {
        let format = source.encoder.format
        thinning = Self.thinning(source, deck)
        thinningStart = 0
        parts.change(
            PartShape(
                format, bitrate: deck.encoding.bitrate(for: format), limits: plan.splits, sound: lanes.map(\.track)))
        isKeyFrameDue = true
        isSlateShown = false
        say(
            "\(source.video.name): \(format.width)x\(format.height) at \(format.rate) pictures a second from here on, in a new part, encoded by \(source.encoder.words)"
        )
    }

    /// Tells a person something.
    func say(_ words: String, _ kind: DeckNotice.Kind = .information) {
        tell(.deck(.notice(DeckNotice(kind, words))))
    }

    func report() {
        shared.nanoseconds.store(position, ordering: .relaxed)
        // What the source loses after the end of capture, or in a pause, would not have been recorded.
        if isCapturing, timeline != nil, !pause.isOn {
            let lost = source.video.lostFrames
            shared.lostFrames.store(Int64(clamping: lost - min(lost, lostBefore)), ordering: .relaxed)
        }
        shared.droppedFrames.store(
            droppedFrames + source.encoder.lostFrames - encoderLostBefore, ordering: .relaxed)
        shared.discardedFrames.store(parts.discardedFrames, ordering: .relaxed)
        shared.parts.store(parts.partCount, ordering: .relaxed)
        if source.isStarted { files.tellState(at: position) }
    }

    /// Tells once of what the numbers do not say: pictures that may show half of what was to be seen, or show it coarsely.
    func tellOfBlemishes() {
        guard timeline != nil else { return }
        let (torn, coarse) = (
            source.video.unfencedFrames - unfencedBefore, source.video.nearestFrames - nearestBefore
        )
        if torn > 0 {
            say(
                "\(source.video.name): \(torn == 1 ? "a picture was" : "\(torn) pictures were") taken though the graphics driver had not said that drawing was done, half a second after it should have been; what they show may be torn",
                .warning
            )
        }
        if coarse > 0 {
            say(
                "\(source.video.name): in \(coarse == 1 ? "a picture" : "\(coarse) pictures") a plane that the display scales was scaled by the nearest pixel; its edges are coarser than on the display"
            )
        }
    }

    /// What a person might have to look at.
    func look(at now: MonotonicTime) -> TakeWarnings.Look {
        let status = shared.status()
        var lastLoud: MonotonicTime?
        if !lanes.isEmpty, timeline != nil {
            // In a pause nobody listens.
            lastLoud = pause.isOn ? now : max(start, lanes.compactMap(\.input.lastLoud).max() ?? start)
        }
        return TakeWarnings.Look(
            time: now, lostFrames: status.droppedFrames + status.lostFrames + status.discardedFrames,
            lastLoud: lastLoud, roomByteCount: files.roomByteCount, byteCount: status.byteCount,
            nanoseconds: status.nanoseconds)
    }

    /// Why the recording ends where its limit was reached.
    private var reasonToStop: RecordingResult.End {
        duration != nil && stopMoment == nil ? .durationReached : .stopped
    }

    private func isWanted(_ frame: VideoFrame) -> Bool {
        // Of a source that waits, each picture is one that was asked for.
        guard source.isLive else { return !pause.isHolding }
        guard frame.time >= start else { return false }
        while let next = changes.first, frame.time >= next.moment { follow(changes.removeFirst()) }
        return !pause.isHolding
    }

    private func submit(_ frame: VideoFrame) throws(Failure) -> Bool {
        guard let timeline else { return false }
        let time = timeline.time(of: frame.time)
        if signal.isReturning && !frame.isSlate { endGap(with: frame) }
        // Where a slate begins or ends, nothing of the picture before it is of use.
        if frame.isSlate != isSlateShown { isKeyFrameDue = true }
        isSlateShown = frame.isSlate
        if thinning?.keeps(time - thinningStart) == false { return false }
        if try encode(frame, at: time) {
            if frame.isSlate { slateFrames += 1 }
            return true
        }
        droppedFrames += 1
        hasMissedChange = source.video.givesOnlyChanges
        return false
    }

    /// Hands a picture to the encoder.
    /// - Parameter time: where in the recording it stands.
    /// - Returns: false when there is no room.
    func encode(_ frame: VideoFrame, at time: Int64) throws(Failure) -> Bool {
        guard source.encoder.room > 0 else { return false }
        let isPartDue = parts.needsKeyFrame(at: time)
        let isPush = isKept(at: frame.time)
        guard try source.encoder.submit(frame, forcingKeyFrame: isPartDue || isKeyFrameDue) else {
            isKeyFrameDue = isKeyFrameDue || isPartDue
            return false
        }
        (lastTime, isNewestPush) = (frame.time, isPush)
        (isKeyFrameDue, hasMissedChange) = (false, false)
        if signal.policy == .hold, !frame.isSlate { source.standIn.change(to: frame) }
        return true
    }

    /// A source that gives only changes leaves pictures out by itself.
    private static func thinning(_ source: OpenSource, _ deck: DeckPlan) -> FrameThinning? {
        source.video.givesOnlyChanges ? nil : FrameThinning(from: source.video.format.rate, to: deck.rate)
    }

    /// Begins the recording's time with its first picture.
    private func begin(with frame: VideoFrame) throws(Failure) {
        timeline = TakeTimeline(origin: frame.time)
        shared.set(firstFrameTime: frame.time)
        lostBefore = source.video.lostFrames
        for lane in lanes {
            try lane.input.start(origin: (source.video as? TestPattern)?.origin ?? frame.time)
            try lane.begin(at: frame.time)
        }
        if case .ending = pause { pause = .none }
    }

    // MARK: Pauses

    /// Goes on behind a pause.
    private func resume(with frame: VideoFrame) throws(Failure) {
        guard var timeline else { return }
        pause = .none
        timeline.resume(at: frame.time)
        self.timeline = timeline
        for lane in lanes { try lane.resume(at: frame.time) }
        isKeyFrameDue = true
        // The first picture behind the pause is kept whatever the rate.
        thinning = Self.thinning(source, deck)
        thinningStart = timeline.time(of: frame.time)
        let lost = UInt64(clamping: shared.lostFrames.load(ordering: .relaxed))
        lostBefore = source.video.lostFrames - min(lost, source.video.lostFrames)
    }

    /// Begins or ends a pause, when all pictures from before have come.
    func follow(_ change: Change) {
        switch (pause, change.isPause) {
        case (.none, true): beginPause(at: change.moment)
        case (.ending, true): pause = .on(flushBy: nil)
        case (.on, false): pause = .ending
        case (.none, false), (.ending, false), (.on, true): break
        }
    }

    /// Cuts picture and sound.
    /// - Parameter moment: when that was asked for.
    private func beginPause(at moment: MonotonicTime) {
        report()
        let now = MonotonicTime.now
        pause = .on(flushBy: timeline == nil ? nil : now + Self.flushTime)
        guard var timeline, let lastTime else { return }
        // The last picture stands for a period, or where none came for longer until then.
        var end = end(cutAt: moment, on: timeline, lastTime)
        if source.isLive { end = max(end, timeline.time(of: moment)) }
        if standsStill { source.readSyntheticSound(before: timeline.moment(of: end)) }
        timeline.pause(at: end)
        self.timeline = timeline
        for lane in lanes { lane.cut(at: lane.track.format.samples(in: end)) }
    }

    /// Nanoseconds that pictures and sound from before a pause may take to come.
    private static let flushTime: Int64 = 500_000_000

    /// Cuts what is to be paused, and brings what was before onto the medium, when everything has come.
    func pauseIfDue(_ now: MonotonicTime) throws(Failure) {
        while let next = changes.first, now - next.moment > min(2 * source.period, 100_000_000) {
            follow(changes.removeFirst())
        }
        guard case .on(.some(let deadline)) = pause else { return }
        let isComplete = source.encoder.pendingCount == 0 && lanes.allSatisfy(\.isComplete)
        guard isComplete || now > deadline, let timeline, let end = timeline.end else { return }
        // What an encoder keeps until more pictures come still belongs where it was captured.
        parts.flush(at: source.encoder.oldestPending.map { min(timeline.time(of: $0), end) } ?? end)
        pause = .on(flushBy: nil)
    }
}

extension TakeRun.Pause {
    /// Whether pictures are neither recorded nor wanted, or not yet.
    var isOn: Bool { if case .none = self { false } else { true } }

    /// Whether nothing is recorded whatever comes.
    var isHolding: Bool { if case .on = self { true } else { false } }

    /// Whether something has to be done soon.
    var isBusy: Bool { if case .on(.some) = self { true } else { false } }
}
