import MP4

extension RecoveryResult {
    /// What was done, in words.
    var words: String {
        switch self {
        case .alreadyFinal: "is whole, nothing to do"
        case .finished(let nanoseconds, let frames, let lostBytes):
            "finished: \(Wording.duration(nanoseconds: nanoseconds)) with \(Wording.count(Int64(frames), "frame")) kept, "
                + (lostBytes == 0
                    ? "nothing lost" : "\(Wording.size(lostBytes)) behind the last whole fragment cut off")
        case .removedEmpty: "had no picture yet and was removed"
        }
    }
}
