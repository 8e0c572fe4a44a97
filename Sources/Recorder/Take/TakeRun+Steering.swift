import Linux
import Media

/// What people and programs do to a recording that runs.
extension TakeRun {
    /// The first request counts.
    func stop(at moment: MonotonicTime) {
        stopMoment = stopMoment ?? moment
    }

    func follow(_ wish: PipelineShared.Wish) {
        guard isCapturing else { return }
        switch wish {
        case .pause(let moment): put(Change(isPause: true, moment: moment))
        case .resume(let moment): put(Change(isPause: false, moment: moment))
        case .split: parts.askForSplit()
        case .mark(let label, let moment): parts.mark(label, at: max(0, timeline?.time(of: moment) ?? 0))
        case .extend(let nanoseconds): extend(nanoseconds)
        }
    }

    private func put(_ change: Change) {
        // What a source that waits gives comes when it is asked for.
        if source.isLive { changes.append(change) } else { follow(change) }
    }

    /// Moves the moment at which the recording ends by itself.
    private func extend(_ nanoseconds: Int64) {
        if let duration { self.duration = TakePlan.extended(duration, by: nanoseconds) }
    }
}
