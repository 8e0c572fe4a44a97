import Capture
import Linux
import Media

extension TakeRun {
    /// Takes in what happened to the source's signal.
    /// - Returns: whether the source's new shape is to be taken over.
    func take(_ change: SourceChange) throws(Failure) -> Bool {
        guard isCapturing, let device = source.device else { return false }
        let before = signal.state
        let consequence = signal.take(change, hasPicture: timeline != nil)
        if signal.state?.isLocked == true { signal.note(device.signal) }
        shared.set(signal: signal.state)
        if case .lost(let state, _) = change, before != state, timeline != nil { tell(ofLoss: state) }
        switch consequence {
        case .goesOn: break
        case .refuses(let state):
            throw state.failure(of: device.name)
                ?? Failure(
                    .noSignal, "cannot record from \(device.name)", because: "its signal changes: \(state.words)")
        case .pauses:
            if let timeline, let lastTime { parts.pause(at: end(cutAt: change.moment, on: timeline, lastTime)) }
        case .ends(let state): try endCapture(.signalLost(state), at: change.moment)
        case .resumes: isKeyFrameDue = true
        case .reshapes: return true
        }
        return false
    }

    private func tell(ofLoss state: SignalState) {
        let consequence =
            switch signal.policy {
            case .slate: "the recording goes on with a picture that says so"
            case .hold: "the recording goes on with the last picture"
            case .split: "the recording goes on in a new part when pictures come in again"
            case .stop: "the recording ends here"
            }
        say("\(source.video.name): \(state.words); \(consequence)", .signalLost)
    }

    /// Takes in that pictures come in again.
    func endGap(with frame: VideoFrame) {
        guard let timeline, let gap = signal.end(at: frame.time, on: timeline) else { return }
        let milliseconds = (gap.end - gap.start) / 1_000_000
        say(
            "\(source.video.name): pictures come in again after \(milliseconds / 1000).\(milliseconds % 1000 / 100) s (\(gap.state.words))",
            .signalFound
        )
    }
}
