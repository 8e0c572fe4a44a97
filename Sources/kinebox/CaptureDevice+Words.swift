import Capture
import Media

extension CaptureDevice {
    /// "ready", "no cable", "denied. Add the user to the group video".
    var words: String {
        switch state {
        case .ready, .busy: state.word
        case .denied(let mend): "denied. \(mend)"
        case .noSignal: signal?.words ?? state.word
        }
    }

    /// "1280x720 at 60 pictures a second, progressive; BT.709, limited range"; nil where the device does not say.
    var signalWords: String? {
        guard case .locked(let shape?) = signal else { return nil }
        let lines = shape.isInterlaced ? "" : ", progressive"
        return shape.words + lines + (color.map { "; \($0.words)" } ?? "")
    }

    /// Why the device cannot be recorded from now.
    var refusal: Failure {
        let thing = "cannot record from \(card)"
        let test = "\(argument.isEmpty ? "" : "See kinebox devices. ")--video test records a test picture."
        switch state {
        case .ready: return Failure(.internalFault, thing, because: "it was ready a moment ago", mend: "Try again.")
        case .busy:
            return Failure(
                .noSource, thing, because: "another program is using it", mend: "Close that program. " + test)
        case .denied(let mend): return Failure(.noSource, thing, because: "this user may not", mend: mend)
        case .noSignal:
            if var failure = signal?.failure(of: card) {
                failure.mend += " " + test
                return failure
            }
            return Failure(
                .noSignal, thing, because: "no signal comes in",
                mend: "Look after the cable and the device that sends the picture. " + test)
        }
    }

    /// The members of its JSON object that sources of picture and of sound have alike.
    var members: [(String, JSONText)] {
        var members: [(String, JSONText)] = [
            ("argument", .text(argument)), ("card", .text(card)), ("location", .text(location)),
            ("state", .text(state.word)),
        ]
        if case .denied(let mend) = state { members.append(("mend", .text(mend))) }
        members.append(("formats", .list(formats.map(JSONText.text))))
        return members
    }
}

extension CaptureDevice.State {
    /// The state as programs read it.
    fileprivate var word: String {
        switch self {
        case .ready: "ready"
        case .busy: "busy"
        case .denied: "denied"
        case .noSignal: "no signal"
        }
    }
}

extension ColorDescription {
    /// "BT.709, limited range".
    var words: String {
        let range = isFullRange ? "full range" : "limited range"
        switch matrix {
        case 0: return "R'G'B', \(range)"
        case 1: return "BT.709, \(range)"
        case 5, 6: return "BT.601, \(range)"
        case 7: return "SMPTE 240M, \(range)"
        case 9, 10: return "BT.2020, \(range)"
        default: return range
        }
    }
}
