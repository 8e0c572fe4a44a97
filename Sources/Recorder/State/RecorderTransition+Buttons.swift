import Linux
import Media

/// What the buttons mean.
extension RecorderTransition {
    mutating func feel(_ button: RecorderButton, _ event: RecorderButton.Event, at time: MonotonicTime) {
        switch (button, event) {
        case (.record, .pressed): pressRecord(at: time)
        case (.record, .heldOneSecond): holdRecord()
        case (.record, .released): releaseRecord()
        case (.record, .heldFiveSeconds), (.stop, .heldFiveSeconds): holdLong(button)
        case (.stop, .pressed): pressStop()
        case (.mark, .pressed):
            if case .recording(let take) = state.phase { mark(take, at: time) }
            if case .paused(let take) = state.phase { mark(take, at: time) }
        case (.stop, .heldOneSecond), (.stop, .released), (.mark, _): break
        }
    }

    /// A press acts at its edge, so that the recording begins with what was seen then.
    private mutating func pressRecord(at time: MonotonicTime) {
        let last = state.press
        state.press = RecorderState.Press(time: time)
        switch state.phase {
        case .idle, .fault:
            begin(StartRequest(), for: nil)
            let begun = state.take?.number
            state.press?.take = begun
        case .arming(let take):
            let isSlip = last.map { $0.take == take.number && time - $0.time < state.policy.slipTime } ?? false
            if isSlip {
                state.press = last
            } else if state.policy.recordButton == .pressStops {
                stop(take, for: nil, cause: nil)
            }
        case .recording(let take):
            switch state.policy.recordButton {
            case .pressStops: stop(take, for: nil, cause: nil)
            case .holdStops: state.press?.isOpen = true
            case .startsOnly: break
            }
        case .paused(let take):
            switch state.policy.recordButton {
            case .pressStops: stop(take, for: nil, cause: nil)
            case .holdStops: state.press?.isOpen = true
            case .startsOnly: resume(take)
            }
        case .pending: cancelPending()
        case .finalising: break
        }
    }

    private mutating func holdRecord() {
        state.press?.isOpen = false
        guard state.policy.recordButton == .holdStops, let take = state.take, state.press?.take != take.number else {
            return
        }
        if case .finalising = state.phase { return }
        stop(take, for: nil, cause: nil)
    }

    private mutating func releaseRecord() {
        guard let press = state.press else { return }
        // Which take a press began is remembered: a slip of the hand comes after the release.
        state.press?.isOpen = false
        guard press.isOpen else { return }
        switch state.phase {
        case .recording(let take): mark(take, at: press.time)
        case .paused(let take): resume(take)
        case .idle, .arming, .finalising, .pending, .fault: break
        }
    }

    private mutating func pressStop() {
        switch state.phase {
        case .arming(let take), .recording(let take), .paused(let take): stop(take, for: nil, cause: nil)
        case .pending: cancelPending()
        case .fault: settle()
        case .idle, .finalising: break
        }
    }

    /// Five seconds take the medium off. A recording that this very press began is stopped for it, and kept.
    private mutating func holdLong(_ button: RecorderButton) {
        switch state.phase {
        case .idle, .fault: eject(nil, for: nil)
        case .pending:
            cancelPending()
            eject(nil, for: nil)
        case .finalising(let take, var ending):
            ending.ejects = true
            state.phase = .finalising(take, ending)
        case .arming(let take), .recording(let take):
            guard button == .record, state.press?.take == take.number else { return }
            stop(take, for: nil, cause: nil, ejects: true)
        case .paused: break
        }
    }

    private mutating func mark(_ take: Take, at time: MonotonicTime) {
        effects.append(.mark(take: take.number, label: "", at: time))
    }
}
