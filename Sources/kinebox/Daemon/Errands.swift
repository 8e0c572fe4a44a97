import Control
import Linux
import Media
import Storage
import Synchronization

/// Work that may wait for a medium or a device, each piece on a thread of its own, so that a stick that does not answer
/// holds up nobody but whoever asked it something. What comes of it is told on the thread that owns this.
///
/// It belongs to one thread.
final class Errands {
    /// What comes of an errand.
    enum Outcome: Sendable {
        /// What was done with what a power cut left on a medium.
        case recovered([RecoveredFile])
        /// A still's path.
        case still(Result<String, Failure>)
        case clips(Result<RecordingFolder.Page, Failure>)
        case devices([RecorderAPI.Device])
        /// What is to go on after a power cut is kept.
        /// Nil when it is, else why not.
        case kept(Failure?)
        /// The sources to record from.
        case source(Result<SourceChoice, Failure>)
    }

    private let shared: Shared
    private var waiting: [Int: (Outcome) -> Void] = [:]
    private var count = 0

    /// The most that are under way at a time: a stick that never answers must not use up the system's threads.
    static let most = 24

    /// - Throws: `Errno` when no descriptor is left.
    init() throws(Errno) {
        shared = Shared(try EventDescriptor())
    }

    /// Readable when `finish` has something to tell.
    var raw: Int32 { shared.wake.raw }

    /// Does something aside.
    /// - Parameters:
    ///   - name: of the thread, at most 15 bytes.
    ///   - work: what is done there.
    ///   - completion: is called on this thread, from `finish`.
    /// - Returns: false when too much is under way already, or the system has no thread left; nothing is done then.
    func run(
        _ name: String, _ work: @escaping @Sendable () -> Outcome, then completion: @escaping (Outcome) -> Void
    ) -> Bool {
        guard waiting.count < Self.most else { return false }
        count += 1
        let (number, shared) = (count, shared)
        do throws(Errno) {
            try Thread(name) {
                let outcome = work()
                shared.done.withLock { $0.append((number, outcome)) }
                shared.wake.signal()
            }.detach()
        } catch {
            return false
        }
        waiting[number] = completion
        return true
    }

    /// Tells what has come of errands since the last call.
    func finish() {
        shared.wake.clear()
        let done = shared.done.withLock { done in
            defer { done.removeAll() }
            return done
        }
        for (number, outcome) in done { waiting.removeValue(forKey: number)?(outcome) }
    }

    private final class Shared: Sendable {
        let wake: EventDescriptor
        let done = Mutex<[(Int, Outcome)]>([])

        init(_ wake: EventDescriptor) {
            self.wake = wake
        }
    }
}
