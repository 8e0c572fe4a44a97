import Media

@testable import Recorder

/// A transition as one line that a person can judge.
extension RecorderTransition {
    func words(from old: RecorderState) -> String {
        var parts: [String] = []
        if state.title != old.title { parts.append("-> \(state.title)") }
        if state.light != old.light { parts.append("light \(state.light.word)") }
        parts += answers.map { "client \($0.to): \($0.reply.word)" }
        parts += effects.map(\.word)
        if parts.isEmpty { return state == old ? "nothing" : "noted" }
        return parts.joined(separator: ", ")
    }
}

extension RecorderState {
    fileprivate var title: String {
        switch phase {
        case .pending(_, let missing): "pending for \(missing)"
        case .fault(let fault): "fault \(fault.failure.kind.rawValue)\(fault.isLoss ? " (loss)" : "")"
        default: word
        }
    }
}

extension LightSignal {
    fileprivate var word: String {
        switch self {
        case .idle: "off"
        case .arming: "5 Hz"
        case .safe: "steady"
        case .safeWithWarning: "steady with a notch"
        case .unsaved: "3 Hz"
        case .paused: "1 s on, 1 s off"
        case .pending: "double flash"
        case .finalising: "1 Hz"
        case .failed(let blinks): "\(blinks) blinks"
        }
    }
}

extension RecorderEffect {
    fileprivate var word: String {
        switch self {
        case .start(let take): "START take \(take.number) on \(take.medium)"
        case .pause: "PAUSE"
        case .resume: "RESUME"
        case .split: "SPLIT"
        case .mark: "MARK"
        case .extend: "EXTEND"
        case .stop: "STOP"
        case .abandon: "ABANDON"
        case .conclude: "conclude"
        case .report(let failure): "report \(failure.kind.rawValue)"
        case .snapshot: "STILL"
        case .eject(let medium): "EJECT \(medium)"
        case .identify: "IDENTIFY"
        case .remember: "remember"
        case .forget: "forget"
        case .set(let timer, _): "timer \(timer.word)"
        case .cancel(let timer): "no timer \(timer.word)"
        case .exit: "EXIT"
        }
    }
}

extension RecorderTimer {
    fileprivate var word: String {
        switch self {
        case .arming: "arming"
        case .finalising: "finalising"
        case .refusal: "refusal"
        }
    }
}
