/// What recovery found and did.
public enum RecoveryResult: Hashable, Sendable {
    /// The file was finished; nothing was changed.
    case alreadyFinal
    /// The file was unfinished and is an ordinary MP4 now.
    /// - Parameters:
    ///   - nanoseconds: how long the longest track is.
    ///   - frames: pictures in it.
    ///   - lostBytes: bytes behind the last whole fragment that were cut off.
    case finished(nanoseconds: Int64, frames: Int, lostBytes: Int64)
    /// The file had not a single whole fragment and was removed.
    case removedEmpty
}
