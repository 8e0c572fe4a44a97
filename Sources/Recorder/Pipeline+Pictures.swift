import Capture
import Encoding
import Linux
import Media

extension Pipeline {
    /// Takes what the source has: of a live one a picture for each time that it says so, of one that waits as many as the
    /// encoder takes.
    /// - Returns: when the newest of them was captured; nil when there was none.
    func readVideo(isReady: Bool) throws(Failure) -> MonotonicTime? {
        var newest: MonotonicTime?
        let isLive = video.pace == .live
        // A stop is looked at after the sources, so that what was captured before it is in.
        if isReady || (isLive && shared.stopMoment != nil), reshapeDeadline == nil {
            repeat {
                guard isLive || encoder.room > 0, !encoder.needsMending else { break }
                guard let frame = try nextFrame() else {
                    try takeChanges()
                    break
                }
                newest = frame.time
                newestCapture = max(newestCapture, frame.time)
                if let limit, frame.time > limit {
                    video.release(frame)
                    try endCapture(reasonToStop)
                    return newest
                }
                try submit(frame)
            } while phase == .capturing && (!isLive || shared.stopMoment != nil)
        }
        guard phase == .capturing else { return newest }
        if video.isFinished {
            try endCapture(.sourceEnded)
        } else if !isLive {
            if shared.stopMoment != nil { try endCapture(.stopped) } else { watchVideo(encoder.room > 0) }
        }
        return newest
    }

    /// The source's next picture. A converter behind the source that fails is left, as an encoder is.
    private func nextFrame() throws(Failure) -> VideoFrame? {
        do throws(Failure) {
            return try video.nextFrame()
        } catch  where error.kind == .encoderFailed {
            encoder.giveUp(because: error)
            return nil
        }
    }

    private var reasonToStop: RecordingResult.End {
        plan.duration != nil && shared.stopMoment == nil ? .durationReached : .stopped
    }

    /// Ends the capture of a live source when everything that was captured before the end must have come.
    func endIfOver(_ now: MonotonicTime) throws(Failure) {
        // It hands a picture over some time after it was captured.
        guard video.pace == .live, let limit, now - limit > min(2 * period, 100_000_000) else { return }
        try endCapture(reasonToStop)
    }

    private func submit(_ frame: VideoFrame) throws(Failure) {
        if origin == nil { try begin(with: frame) }
        let start = origin ?? frame.time
        if signal.isReturning && !frame.isSlate { endGap(with: frame) }
        // Where a slate begins or ends, nothing of the picture before it is of use.
        if frame.isSlate != isSlateShown { isKeyFrameDue = true }
        isSlateShown = frame.isSlate
        if thinning?.keeps(frame.time - start) == false { return video.release(frame) }
        guard encoder.room > 0 else {
            droppedFrames += 1
            return video.release(frame)
        }
        if shared.isSplitAsked.exchange(false, ordering: .acquiringAndReleasing) { parts.askForSplit() }
        let isPartDue = parts.needsKeyFrame(at: frame.time - start)
        if try encoder.submit(frame, forcingKeyFrame: isPartDue || isKeyFrameDue) {
            lastTime = frame.time
            isKeyFrameDue = false
        } else {
            droppedFrames += 1
            video.release(frame)
            isKeyFrameDue = isKeyFrameDue || isPartDue
        }
    }

    /// Begins the recording's time with its first picture.
    private func begin(with frame: VideoFrame) throws(Failure) {
        origin = frame.time
        for lane in lanes {
            if !lane.isLive { try lane.source.start(origin: (video as? TestPattern)?.origin ?? frame.time) }
            try lane.begin(at: frame.time)
        }
    }

    /// Takes what the encoder has done.
    /// - Parameter count: pictures that it cannot have done yet, and so is not asked for.
    func takeEncoded(butFor count: Int) throws(Failure) {
        // An encoder that is being drained says by this that it is empty.
        if encoder.pendingCount > count || encoder.isDraining {
            while let packet = try encoder.nextPacket() {
                guard let origin else {
                    encoder.recycle(packet)
                    continue
                }
                readSyntheticSound(before: packet.time + period)
                shared.counts.encodedFrames.add(1, ordering: .relaxed)
                if packet.parameterSets != nil { parts.change(encoder.format) }
                parts.take(packet, at: packet.time - origin)
            }
        }
        if encoder.framesInside > count {
            while let frame = encoder.nextReleasedFrame() { video.release(frame) }
        }
        if encoder.needsMending {
            while let frame = encoder.nextReleasedFrame() { video.release(frame) }
            try encoder.mend()
        }
        takeNotices()
        if phase == .capturing && reshapeDeadline == nil { watchVideo(video.pace == .live || encoder.room > 0) }
    }

    func readSyntheticSound(before moment: MonotonicTime) {
        for lane in lanes where !lane.isLive { lane.read(before: moment) }
    }

    func lookAtClock(_ now: MonotonicTime) throws(Failure) {
        guard video.pace == .live else { return }
        // A device tells by itself that nothing comes in.
        if device != nil { newestCapture = max(newestCapture, now) }
        if now - newestCapture > max(Self.patience, 3 * period) {
            throw Failure(
                .noSignal, "\(video.name) gives no picture", because: "none came for five seconds",
                mend: "Look after the cable and the device that sends the picture.")
        }
        try reshapeIfDrained(now)
        try endIfOver(now)
        guard phase == .capturing, let origin else { return }
        for lane in lanes where lane.isLost {
            try lane.fillSilence(until: lane.track.format.samples(in: newestCapture - origin))
        }
        if parts.isPausing && encoder.pendingCount == 0 { parts.completePause() }
        // No picture takes the synthetic sound along, and what the part before still lacks has to come.
        if parts.isPaused { readSyntheticSound(before: now) }
        parts.takeSoundAlone(at: now - origin)
    }
}
