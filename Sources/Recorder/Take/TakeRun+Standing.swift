import Capture
import Linux
import Media

/// Pictures that stand for longer than a period: those of a source that gives only changes, and the last one before a loss
/// that is held.
extension TakeRun {
    /// Whether the newest picture stands until the next one comes.
    var standsStill: Bool { source.video.givesOnlyChanges || signal.isHolding }

    /// Where the newest picture ends when nothing comes behind it, in nanoseconds of the recording.
    /// - Parameter moment: until when it may be seen.
    func end(cutAt moment: MonotonicTime, on timeline: TakeTimeline, _ lastTime: MonotonicTime) -> Int64 {
        let begin = timeline.time(of: lastTime)
        return standsStill ? max(begin, timeline.time(of: moment)) : begin + source.period
    }

    /// Nanoseconds of the recording that there are, with what the newest picture has stood.
    var position: Int64 {
        if let standingEnd { return standingEnd }
        guard let timeline, standsStill, !parts.isPaused, !parts.isPausing else { return time }
        return max(time, timeline.time(of: source.newestCapture))
    }

    /// Whether a picture is needed at once.
    var wantsPicture: Bool {
        guard isCapturing else { return false }
        // Asked for before it holds, the picture that it goes on with comes at once.
        if changes.contains(where: { !$0.isPause }) { return true }
        guard let timeline else { return !pause.isHolding && (source.encoder.isReady || !source.encoder.ownsFrames) }
        if case .ending = pause { return true }
        guard !pause.isOn else { return false }
        return hasMissedChange || isKept(at: source.newestCapture)
            || nextDue.map { $0 <= timeline.time(of: source.newestCapture) } ?? false
    }

    /// Whether the encoder keeps a picture that nothing came behind, so that another one has to push it out: there are
    /// encoders that give a picture only with the next one. What pushed one out is not pushed itself, or there would be no
    /// end to it. One that is at work keeps nothing, however slow it is.
    /// - Parameter moment: the present, or when the next picture was captured.
    func isKept(at moment: MonotonicTime) -> Bool {
        guard source.video.givesOnlyChanges, !isNewestPush, let lastTime, moment - lastTime > Self.encodingTime else {
            return false
        }
        return source.encoder.pendingCount > 0 && !source.encoder.isWorking
    }

    /// When a picture is needed that does not come by itself, in nanoseconds of the recording.
    private var nextDue: Int64? { parts.nextDue(after: time, period: min(source.period, 100_000_000)) }

    /// Milliseconds until a picture may be needed: 100 at most.
    var millisecondsToWant: Int32 {
        guard standsStill, !pause.isOn, let timeline, let due = nextDue else { return 100 }
        let left = (timeline.moment(of: due) - .now) / 1_000_000 + 1
        // One that is due has been asked for.
        return left > 0 ? Int32(min(left, 100)) : 20
    }

    /// Goes on with what no picture brings along while one stands.
    func standStill(at now: MonotonicTime) throws(Failure) {
        guard isCapturing, standsStill, let timeline, let lastTime, !pause.isHolding else { return }
        // Sound that is made lags behind, so that none is made beyond a stop that is learned of late.
        if !pause.isOn { source.readSyntheticSound(before: now + -Self.lag) }
        guard signal.isHolding, let frame = source.standIn.ready else { return }
        let isDue = pause.isOn || nextDue.map { $0 <= timeline.time(of: now) } ?? false
        guard isDue || now - lastTime >= Self.interval else { return }
        // Drivers may stamp their last picture a little ahead of time.
        frame.time = max(now, lastTime + 1_000_000)
        if try take(frame) { slateFrames += 1 }
    }

    /// Nanoseconds within which a stop is learned of.
    private static let lag: Int64 = 100_000_000
    /// Nanoseconds after which an encoder that has not given a picture will not without another one.
    private static let encodingTime: Int64 = 100_000_000
    /// Nanoseconds from one picture that is held to the next.
    private static let interval: Int64 = 1_000_000_000
}
