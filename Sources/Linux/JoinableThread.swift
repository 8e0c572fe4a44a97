/// A thread that is joined once, however often that is asked.
public struct JoinableThread: ~Copyable, Sendable {
    private var thread: Thread?

    /// - Parameter thread: a thread that nobody else joins.
    public init(_ thread: consuming Thread) {
        self.thread = consume thread
    }

    /// Waits until the thread has ended; at once when it was joined before.
    public mutating func join() {
        if let running = thread.take() { running.join() }
    }
}
