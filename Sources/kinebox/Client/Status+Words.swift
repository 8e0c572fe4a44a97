import Control

extension RecorderAPI.Status {
    /// What the recorder does, in one line.
    var headline: String {
        let file = clip?.path ?? "a new file"
        switch state {
        case .idle: return problem.map { "idle, and could not record: \($0.failure)" } ?? "idle"
        case .arming: return "starting \(file)"
        case .recording:
            return isSafe ? "recording safely to \(file)" : "recording to \(file), but not all of it is saved"
        case .paused: return "paused \(file)"
        case .finalising: return "finishing \(file), do not pull the medium"
        case .pending: return "waiting to record" + (problem.map { ": \($0.failure)" } ?? "")
        case .fault: return "failed" + (problem.map { ": \($0.failure)" } ?? "")
        }
    }

    /// Everything, a line each.
    var lines: [String] {
        var lines = [headline]
        let counts = countWords
        if !counts.isEmpty { lines.append("  " + counts.joined(separator: ", ")) }
        if let remaining { lines.append("  ends by itself in \(Wording.clock(nanoseconds: remaining))") }
        lines.append("  picture: \(signal.words)")
        if !peaks.isEmpty { lines.append("  sound: \(peaks.map(Wording.level).joined(separator: " / "))") }
        let left = room.map { ", \(Wording.clock(nanoseconds: $0)) left" } ?? ""
        lines.append("  medium: " + (medium.map { $0 + left } ?? "none"))
        for warning in warnings { lines.append("  look: \(warning.words)") }
        return lines
    }

    /// The pieces of one live line; what can best be missed is at the end.
    var pieces: [String] {
        var pieces = [state == .fault || state == .pending ? headline : state.rawValue]
        if state == .recording && !isSafe { pieces[0] = "recording, not all saved" }
        pieces += countWords
        if !peaks.isEmpty { pieces.append("sound " + peaks.map(Wording.level).joined(separator: " / ")) }
        if let unsaved { pieces.append("unsaved \(unsaved / 1_000_000) ms") }
        if let room { pieces.append("\(Wording.clock(nanoseconds: room)) left") }
        pieces.append(signal.words)
        return pieces + warnings.map(\.words)
    }

    private var countWords: [String] {
        var words: [String] = []
        if let duration = clip?.duration { words.append(Wording.clock(nanoseconds: duration)) }
        if let bytes = clip?.bytes { words.append(Wording.size(bytes)) }
        if let frames {
            words.append(Wording.count(frames.encoded, "frame"))
            words.append("\(frames.dropped) dropped")
        }
        return words
    }
}
