import Linux
import Media
import Synchronization

/// The one thread that touches a medium. Jobs wait in a queue that is bounded in number and in bytes; the thread takes all
/// that wait at once, so that after a stall of the medium they become one write and one flush.
///
/// One thread puts jobs in. What a full queue means is for that thread to decide: putting never waits.
public final class WriterThread<Job: Sendable>: Sendable {
    private struct Queued: Sendable {
        var job: Job
        var byteCount: Int
    }

    private let shared: Shared
    private let thread: Mutex<JoinableThread>

    /// Starts the thread.
    /// - Parameters:
    ///   - name: the thread's name, at most 15 bytes.
    ///   - byteLimit: bytes that may wait, 1 or more. A job that meets an empty queue is taken whatever its size.
    ///   - jobLimit: jobs that may wait.
    ///   - work: is called on the thread with all jobs that wait, oldest first.
    /// - Throws: `Failure` of kind internalFault when the system has no thread or descriptor left.
    public init(
        name: String, byteLimit: Int, jobLimit: Int = 4096, work: @escaping @Sendable ([Job]) -> Void
    ) throws(Failure) {
        do {
            let shared = Shared(
                queue: BoundedQueue(capacity: jobLimit), wake: try EventDescriptor(), byteLimit: byteLimit)
            self.shared = shared
            thread = Mutex(JoinableThread(try Thread(name) { Self.run(shared, work) }))
        } catch {
            throw Failure(
                .internalFault, "cannot start the thread that writes", because: "\(error)",
                mend: "End other programs and try again.")
        }
    }

    /// Bytes that wait to be written. From any thread.
    public var waitingByteCount: Int { shared.waitingBytes.load(ordering: .acquiring) }

    /// Puts a job behind the others.
    /// - Parameters:
    ///   - job: what to do.
    ///   - byteCount: the bytes that it will write; 0 for jobs that must never be refused.
    /// - Returns: false when the queue is full; the job was not taken then.
    public func put(_ job: Job, byteCount: Int) -> Bool {
        let waiting = shared.waitingBytes.load(ordering: .acquiring)
        if byteCount > 0 && waiting > 0 && waiting + byteCount > shared.byteLimit { return false }
        guard shared.queue.put(Queued(job: job, byteCount: byteCount)) else { return false }
        shared.waitingBytes.add(byteCount, ordering: .releasing)
        shared.wake.signal()
        return true
    }

    /// Does all jobs that wait, then ends the thread and waits for its end. No job may be put afterwards.
    public func finish() {
        shared.isEnding.store(true, ordering: .releasing)
        shared.wake.signal()
        thread.withLock { $0.join() }
    }

    /// Has the thread do its work even if no job waits, with none. From any thread.
    public func rouse() {
        shared.isRoused.store(true, ordering: .releasing)
        shared.wake.signal()
    }

    private static func run(_ shared: Shared, _ work: @Sendable ([Job]) -> Void) {
        var batch: [Job] = []
        while true {
            // Read before the queue is emptied, so that a job put before the end is never left behind.
            let isEnding = shared.isEnding.load(ordering: .acquiring)
            batch.removeAll(keepingCapacity: true)
            var byteCount = 0
            while let queued = shared.queue.take() {
                batch.append(queued.job)
                byteCount += queued.byteCount
            }
            if batch.isEmpty && !shared.isRoused.exchange(false, ordering: .acquiringAndReleasing) {
                if isEnding { return }
                shared.wake.wait()
                continue
            }
            work(batch)
            shared.waitingBytes.subtract(byteCount, ordering: .releasing)
        }
    }

    private final class Shared: Sendable {
        let queue: BoundedQueue<Queued>
        let wake: EventDescriptor
        let byteLimit: Int
        let waitingBytes = Atomic<Int>(0)
        let isEnding = Atomic<Bool>(false)
        let isRoused = Atomic<Bool>(false)

        init(queue: BoundedQueue<Queued>, wake: EventDescriptor, byteLimit: Int) {
            self.queue = queue
            self.wake = wake
            self.byteLimit = byteLimit
        }
    }
}
