import Linux
import Media

/// What people and programs do to a recording that runs.
extension TakeRun {
    /// The first request counts.
    func stop(at moment: MonotonicTime) {
        stopMoment = stopMoment ?? moment
    }

    /// Pauses behind what was captured before a moment.
    func pause(at moment: MonotonicTime) {
        guard isCapturing else { return }
        switch pause {
        case .none:
            pause = .asked(at: moment)
            // What a source that waits gives comes when it is asked for.
            if !source.isLive { beginPause(at: moment) }
        case .ending: pause = .on(flushBy: nil)
        case .asked, .on: break
        }
    }

    /// Goes on with the first picture from a moment on.
    func resume(at moment: MonotonicTime) {
        guard isCapturing else { return }
        if case .asked(let asked) = pause { beginPause(at: asked) }
        if pause.isHolding { pause = .ending(from: moment) }
    }

    func split() {
        guard isCapturing else { return }
        parts.askForSplit()
    }

    /// Begins a chapter with the picture that was captured at a moment.
    func mark(_ label: String, at moment: MonotonicTime) {
        guard isCapturing else { return }
        parts.mark(label, at: max(0, timeline?.time(of: moment) ?? 0))
    }

    /// Moves the moment at which the recording ends by itself.
    func extend(_ nanoseconds: Int64) {
        guard let duration else { return }
        let (sum, isTooMuch) = duration.addingReportingOverflow(nanoseconds)
        self.duration = isTooMuch ? .max : max(1, sum)
    }
}
