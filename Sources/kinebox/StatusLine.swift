import Media
import Recorder

/// One line that says how a recording goes.
enum StatusLine {
    /// Its pieces; what can best be missed is at the end.
    static func pieces(_ status: RecordingStatus) -> [String] {
        var pieces: [String] = []
        switch status.phase {
        case .arming: pieces.append("starting")
        case .recording: pieces.append("recording \(Wording.clock(nanoseconds: status.nanoseconds))")
        case .finalising: pieces.append("finishing the file")
        case .ended: pieces.append("done")
        }
        if let signal = status.signal, !signal.isLocked { pieces.append(signal.words) }
        pieces.append(Wording.size(status.byteCount))
        pieces.append(Wording.count(status.encodedFrames, "frame"))
        let missing = status.droppedFrames + status.lostFrames + status.discardedFrames
        pieces.append("\(missing) dropped")
        if !status.peaks.isEmpty {
            pieces.append("sound " + status.peaks.map(Wording.level).joined(separator: " / "))
        }
        pieces.append("unsaved \(status.unsavedNanoseconds / 1_000_000) ms")
        if let left = timeLeft(status) { pieces.append("\(Wording.clock(nanoseconds: left)) left") }
        return pieces
    }

    /// How long the medium's room lasts at the rate so far; nil before that can be said.
    private static func timeLeft(_ status: RecordingStatus) -> Int64? {
        let saved = status.nanoseconds - status.unsavedNanoseconds
        guard saved > 1_000_000_000, status.byteCount > 0 else { return nil }
        let seconds = Double(status.roomByteCount) / Double(status.byteCount) * Double(saved) / 1_000_000_000
        return seconds < 1_000_000 ? Int64(seconds) * 1_000_000_000 : nil
    }
}
