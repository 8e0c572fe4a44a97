import Capture
import Encoding
import Linux
import Media

/// The way of the pictures.
extension Pipeline {
    /// Takes what the source has: of a live one a picture for each time that it says so, of one that waits as many as the
    /// encoder takes.
    /// - Returns: when the newest of them was captured; nil when there was none.
    func readVideo(_ source: OpenSource, isReady: Bool) throws(Failure) -> MonotonicTime? {
        guard source.reshapeDeadline == nil else { return nil }
        try releaseHeld(source)
        var newest: MonotonicTime?
        // A stop is looked at after the sources, so that what was captured before it is in.
        if isReady || isGlanceDue(source) || (source.isLive && (take?.isLimited == true || source.isBehind)) {
            repeat {
                guard mayTakePicture(source) else { break }
                guard let frame = try nextFrame(source) else {
                    try takeChanges(source)
                    source.isBehind = false
                    break
                }
                newest = frame.time
                source.newestCapture = max(source.newestCapture, frame.time)
                source.newestPicture = source.newestCapture
                try take(frame, of: source)
            } while isGreedy(source)
        }
        guard let take, take.isCapturing else { return newest }
        if source.video.isFinished {
            try take.endCapture(.sourceEnded)
        } else if !source.isLive {
            if take.stopMoment != nil { try take.endCapture(.stopped) }
        }
        return newest
    }

    /// Whether pictures of a source are looked at.
    func wantsPictures(_ source: OpenSource, _ take: TakeRun?) -> Bool {
        guard source.isStarted, source.failure == nil, source.reshapeDeadline == nil, source.held == nil else {
            return false
        }
        if source.isLive { return (take?.isCapturing == true || plan.isWarm) && !isResting(source) }
        guard let take, take.isCapturing, !take.pause.isHolding else { return false }
        return source.encoder.room > 0
    }

    /// Whether a source that gives only changes is left alone, since nobody needs what it shows: to put a picture together is
    /// work.
    private func isResting(_ source: OpenSource) -> Bool {
        guard source.video.givesOnlyChanges, starts.isEmpty, !stills.isWaiting else { return false }
        guard let take else { return true }
        return take.isCapturing && take.pause.isHolding && !take.isLimited
    }

    /// Whether one that is left alone is to be looked at, so that what happens to it is known: once a second.
    private func isGlanceDue(_ source: OpenSource) -> Bool {
        guard isResting(source) else { return false }
        let now = MonotonicTime.now
        guard now - source.lastGlance >= Self.retryInterval else { return false }
        source.lastGlance = now
        return true
    }

    private func mayTakePicture(_ source: OpenSource) -> Bool {
        guard source.held == nil, !source.encoder.needsMending else { return false }
        guard !source.isLive else { return true }
        guard let take, take.isCapturing, !take.pause.isHolding else { return false }
        return source.encoder.room > 0
    }

    /// Whether more than one picture is taken at a time.
    private func isGreedy(_ source: OpenSource) -> Bool {
        guard source.reshapeDeadline == nil else { return false }
        if source.isBehind { return true }
        guard let take, take.isCapturing else { return false }
        return !source.isLive || take.isLimited
    }

    /// The source's next picture. A converter behind the source that fails is left, as an encoder is.
    private func nextFrame(_ source: OpenSource) throws(Failure) -> VideoFrame? {
        do throws(Failure) {
            return try source.video.nextFrame()
        } catch  where error.kind == .encoderFailed {
            source.encoder.giveUp(because: error)
            return nil
        }
    }

    private func take(_ frame: VideoFrame, of source: OpenSource) throws(Failure) {
        let isFresh = source.video.givesOnlyChanges
        if stills.wants(frame, isFresh: isFresh) {
            stills.take(frame, source.video.format, layout: source.encoder.layout, isFresh: isFresh)
        }
        guard let take, take.isCapturing else {
            if plan.isWarm { source.readSyntheticSound(before: frame.time) }
            return giveBack(frame, to: source)
        }
        guard source.encoder.isReady else {
            guard frame.time >= take.start, !source.encoder.ownsFrames else { return giveBack(frame, to: source) }
            // It waits here, and those behind it in the device's buffers.
            source.held = frame
            return watchVideo(false, of: source)
        }
        if try !take.take(frame) { giveBack(frame, to: source) }
    }

    /// Goes on with the picture that waited for the encoder.
    private func releaseHeld(_ source: OpenSource) throws(Failure) {
        guard source.encoder.isReady, let frame = source.held else { return }
        source.held = nil
        source.isBehind = true
        watchVideo(true, of: source)
        if try take?.take(frame) != true { giveBack(frame, to: source) }
    }

    /// Gives a picture back to its source, when nobody looks at it any more.
    func giveBack(_ frame: VideoFrame, to source: OpenSource) {
        if !source.standIn.keeps(frame), !stills.keeps(frame) { source.video.release(frame) }
    }

    /// Lets go of what stands in for pictures that do not come.
    func dropStandIn(of source: OpenSource) {
        if let former = source.standIn.takeFormer() { giveBack(former, to: source) }
        if let frame = source.standIn.take() { giveBack(frame, to: source) }
    }

    /// Wants a picture of a source that gives one only when something changes, where one is needed at once.
    func requestPicture(of source: OpenSource) {
        guard source.video.givesOnlyChanges, source.isStarted, source.failure == nil, source.reshapeDeadline == nil,
            source.held == nil
        else { return }
        watchVideo(wantsPictures(source, take), of: source)
        let isStillDue = stills.isWaiting && !stills.isBusy
        if isStillDue || take?.wantsPicture == true { source.video.requestPicture() }
    }

    /// Takes the pictures that the encoder has done with.
    func takeReleased(_ source: OpenSource) {
        if let former = source.standIn.takeFormer() { giveBack(former, to: source) }
        while let frame = source.encoder.nextReleasedFrame() { giveBack(frame, to: source) }
    }

    /// Takes what the encoder has done.
    /// - Parameter count: pictures that it cannot have done yet, and so is not asked for.
    func takeEncoded(_ source: OpenSource, butFor count: Int) throws(Failure) {
        let encoder = source.encoder
        // An encoder that is being drained says by this that it is empty.
        if encoder.pendingCount > count || encoder.isDraining {
            while let packet = try encoder.nextPacket() {
                if let take { take.take(packet) } else { encoder.recycle(packet) }
            }
        }
        if encoder.framesInside > count || source.standIn.hasFormer { takeReleased(source) }
        if source.device?.awaitsFrames == true { dropStandIn(of: source) }
        if encoder.needsMending, source.failure == nil, source.reshapeDeadline == nil, !source.isShapeless,
            !stills.isBusy
        {
            takeReleased(source)
            dropStandIn(of: source)
            try encoder.mend()
            source.newestPicture = .now
            look(at: source)
        }
        if !encoder.isReady {
            if encoder.awaitsFrames, let held = source.held {
                source.held = nil
                giveBack(held, to: source)
            }
            try encoder.completeRenewal(isWhole: source.held == nil && !stills.isBusy)
            if encoder.isReady {
                watchEncoder(!source.isLive, of: source)
                look(at: source)
            }
        }
        takeNotices(source)
        watchVideo(wantsPictures(source, take), of: source)
    }

    func takeNotices(_ source: OpenSource) {
        while let notice = source.encoder.nextNotice() { say(notice) }
    }

    func lookAtClock(_ source: OpenSource, _ now: MonotonicTime) throws(Failure) {
        guard source.isLive else { return try take?.pauseIfDue(.now) ?? () }
        if source.isSilent(at: now) {
            throw Failure(
                .noSignal, "\(source.video.name) gives no picture", because: "none came for five seconds",
                mend: "Look after the cable and the device that sends the picture.")
        }
        if source.video.givesOnlyChanges, source.isLate(at: now) { source.device?.noteSilence(at: now) }
        try reshapeIfDrained(source, now)
        try take?.lookAtClock(now)
        if take == nil { mendSound(source, now) }
    }
}
