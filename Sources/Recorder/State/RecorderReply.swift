import Media

/// What a client is told.
public enum RecorderReply: Hashable, Sendable {
    /// The recording runs, and its first fragment is safe.
    case started(Clip)
    /// The recording will begin as soon as what is missing is there.
    case waiting(RecorderState.Missing)
    /// The recording has ended.
    case stopped(TakeResult)
    /// The recording has ended, but not as it should have: some of it may be missing, or waits to be finished.
    case failed(TakeResult, Failure)
    /// What was asked to stop had recorded nothing yet.
    case cancelled
    /// The still's path.
    case snapshot(path: String)
    /// It has been done, or was so already.
    case done
    /// It was not done. The clip that is in the way, where there is one.
    case refused(Failure, Clip?)

    /// A word for each of them: for journals and tests.
    public var word: String {
        switch self {
        case .started: "started"
        case .waiting: "waiting"
        case .stopped: "stopped"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .snapshot: "snapshot"
        case .done: "done"
        case .refused(let failure, _): failure.kind.rawValue
        }
    }
}

/// A reply on its way to whom it is for.
public struct RecorderAnswer: Hashable, Sendable {
    public var to: RequestNumber
    public var reply: RecorderReply

    public init(to: RequestNumber, reply: RecorderReply) {
        self.to = to
        self.reply = reply
    }
}
