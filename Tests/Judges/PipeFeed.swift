import Glibc
import Linux
import Synchronization

/// A pipe and the thread that writes into it: the standard input of a program under test.
public final class PipeFeed {
    /// The end of the pipe that a program reads.
    public let input: Int32
    private var readingEnd: FileDescriptor?
    private let progress = Progress()
    private var thread: Linux.Thread?

    /// What the writing thread and its owner know of each other.
    public final class Progress: Sendable {
        /// What was written wholly, in the units of whoever writes.
        public let written = Atomic<Int64>(0)
        /// True once nobody wants more.
        public let isEnding = Atomic<Bool>(false)
    }

    /// Begins to write.
    /// - Parameter body: writes to a descriptor until it is done, the descriptor refuses, or an end is wanted.
    /// - Throws: `Errno`.
    public init(_ body: @escaping @Sendable (Int32, Progress) -> Void) throws {
        // The reader may be killed at any moment, and the writer then ends by EPIPE.
        signal(SIGPIPE, SIG_IGN)
        let path = "/tmp/kinebox-pipe-\(UInt64.random(in: 0 ... .max))"
        guard mkfifo(path, 0o600) == 0 else { throw Errno.last }
        defer { unlink(path) }
        // A pipe with a name is opened close-on-exec by both sides, so that no other child holds it open. The first
        // descriptor only keeps the second and third from waiting for each other.
        let both = try FileDescriptor.open(path, O_RDWR)
        let readingEnd = try FileDescriptor.open(path, O_RDONLY)
        input = readingEnd.raw
        self.readingEnd = consume readingEnd
        let writingEnd = try FileDescriptor.open(path, O_WRONLY).release()
        _ = both.raw
        let progress = progress
        thread = try Linux.Thread("feed") {
            let pipe = FileDescriptor(owning: writingEnd)
            body(pipe.raw, progress)
        }
    }

    deinit {
        progress.isEnding.store(true, ordering: .releasing)
        // A thread that waits for a reader is woken by EPIPE once there is none.
        readingEnd = nil
        thread.take()?.join()
    }

    /// How much the thread has written.
    public var written: Int64 { progress.written.load(ordering: .acquiring) }
}
