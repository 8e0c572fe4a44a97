import Linux
import Media

extension Pipeline {
    /// No picture follows; what is inside the encoder comes out.
    func endCapture(_ end: RecordingResult.End) throws(Failure) {
        guard phase == .capturing else { return }
        self.end = self.end ?? end
        phase = .draining
        shared.setPhase(.finalising)
        watchOnlyEncoder()
        deadline = .now + Self.drainTime
        if let origin, let lastTime {
            for lane in lanes where lane.isLive {
                let stop = shared.stopMoment ?? (lastTime + period)
                lane.stop(at: lane.track.format.samples(in: min(stop, lastTime + period) - origin))
            }
        }
        if reshapeDeadline == nil { try encoder.drain() }
    }

    private func watchOnlyEncoder() {
        watchVideo(false)
        unwatchSignal()
        watchEncoder(true)
    }

    /// Nanoseconds that an encoder may take for what is inside it; a device has a limit of its own, which is shorter.
    private static let drainTime: Int64 = 10_000_000_000
    /// Nanoseconds that sound may take to come in after its picture.
    private static let soundTime: Int64 = 300_000_000

    /// Ends the recording once the encoder is empty and the sound up to the last picture is there.
    func endIfComplete() {
        let now = MonotonicTime.now
        if encoder.isDrained {
            deadline = min(deadline, now + Self.soundTime)
            if lanes.allSatisfy({ !$0.isLive || $0.isComplete }) { phase = .done }
        }
        if now > deadline { phase = .done }
    }

    /// Keeps what was recorded when something fails: the encoder gives what it has, if it still can.
    func fail(_ failure: Failure) {
        if end == nil { end = .failed(failure) }
        guard phase == .capturing else { return }
        phase = .draining
        shared.setPhase(.finalising)
        guard lastTime != nil, (try? encoder.drain()) != nil else { return }
        watchOnlyEncoder()
        let limit = MonotonicTime.now + Self.drainTime
        while !encoder.isDrained && MonotonicTime.now < limit {
            guard (try? takeEncoded(butFor: 0)) != nil else { return }
            _ = try? epoll.wait(milliseconds: 5) { _, _ in }
        }
    }

    /// Finishes the files, and only then the sources: a device that hangs must not keep a file from being whole.
    func finish() -> RecordingResult {
        shared.setPhase(.finalising)
        readSound()
        while let frame = encoder.nextReleasedFrame() { video.release(frame) }
        var lastEnd: Int64?
        if let origin, let lastTime {
            // Sound that went on while no picture came is kept: the last picture stands as long.
            let heard = lanes.map { $0.track.format.nanoseconds(of: $0.headSample) }.max() ?? 0
            let length = max(lastTime - origin + period, heard)
            lastEnd = length
            for lane in lanes { try? lane.finish(covering: lane.track.format.samples(in: length)) }
            _ = signal.end(at: origin + length, origin: origin)
        }
        parts.finish(at: lastEnd)
        writer.finish()
        for lane in lanes { lane.source.stop() }
        video.stop()
        let progress = partWriter.progress.withLock { progress in
            parts.take(&progress)
            return progress
        }
        shared.update(progress)
        report()
        return RecordingResult(
            end: progress.failure.map { .failed($0) } ?? end ?? .stopped, parts: progress.summaries,
            status: shared.status(), firstFrameTime: origin, lastFrameTime: lastTime, gaps: signal.gaps,
            unfinished: progress.unfinished, notices: [])
    }
}
