import Linux
import Media

extension TakeRun {
    /// No picture follows; what is inside the encoder comes out.
    /// - Parameter moment: until when a picture that stands is recorded.
    func endCapture(_ end: RecordingResult.End, at moment: MonotonicTime = .now) throws(Failure) {
        guard isCapturing else { return }
        report()
        tell(.deck(.take(plan.number, .ending)))
        self.end = self.end ?? end
        phase = .draining
        shared.set(.finalising)
        deadline = .now + Self.drainTime
        if let timeline, let lastTime {
            var sound = self.end(cutAt: moment, on: timeline, lastTime)
            if standsStill {
                standingEnd = timeline.end ?? sound
                source.readSyntheticSound(before: timeline.moment(of: sound))
            } else if let stopMoment {
                sound = min(sound, timeline.time(of: stopMoment))
            }
            for lane in lanes where lane.input.isLive { lane.stop(at: lane.track.format.samples(in: sound)) }
        }
        if source.reshapeDeadline == nil { try source.encoder.drain() }
    }

    /// Ends the recording since something failed; what was recorded is kept.
    func fail(_ failure: Failure) {
        guard isCapturing else { return }
        do throws(Failure) {
            try endCapture(.failed(failure))
        } catch {
            phase = .done
        }
        if lastTime == nil { phase = .done }
    }

    /// Ends the recording since its encoder gives nothing any more.
    func abandonEncoder(_ failure: Failure) {
        if isCapturing { fail(failure) }
        phase = .done
    }

    /// Nanoseconds that an encoder may take for what is inside it; a device has a limit of its own, which is shorter.
    private static let drainTime: Int64 = 10_000_000_000
    /// Nanoseconds that sound may take to come in after its picture.
    private static let soundTime: Int64 = 300_000_000

    /// Ends the recording once the encoder is empty and the sound up to the last picture is there.
    func endIfComplete() {
        let now = MonotonicTime.now
        if source.encoder.isDrained {
            deadline = min(deadline, now + Self.soundTime)
            if lanes.allSatisfy({ !$0.input.isLive || $0.isComplete }) { phase = .done }
        }
        if now > deadline { phase = .done }
    }

    /// Leaves source and encoder: what is left is for the writer thread to do.
    func conclude() {
        shared.set(.finalising)
        source.readLiveSound()
        var lastEnd: Int64?
        if let timeline, lastTime != nil {
            // Sound that went on while no picture came is kept: the last picture stands as long.
            let heard = lanes.map { $0.track.format.nanoseconds(of: $0.headSample) }.max() ?? 0
            let length = standingEnd ?? max(timeline.end ?? (time + source.period), heard)
            lastEnd = length
            for lane in lanes { try? lane.finish(covering: lane.track.format.samples(in: length)) }
            _ = signal.end(at: timeline.moment(of: length), on: timeline)
        }
        for lane in lanes where lane.input.lane === lane { lane.input.lane = nil }
        parts.finish(at: lastEnd)
        report()
        tellOfBlemishes()
        files.end(
            RecordingResult(
                end: end ?? .stopped, parts: [], status: RecordingStatus(), firstFrameTime: timeline?.origin,
                lastFrameTime: lastTime, gaps: signal.gaps, slateFrames: slateFrames, marks: parts.marks,
                unfinished: [], notices: []))
    }
}
