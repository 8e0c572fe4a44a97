import Linux
import Media
import Storage
import Synchronization

/// One recording from its start to its end. It has a pipeline thread and a writer thread of its own; every member may be
/// used from any thread.
public final class Recording: Sendable {
    private let shared: RecordingShared
    private let thread: Mutex<JoinableThread>

    /// Starts a recording.
    ///
    /// Sources and encoder are opened on the recording's own thread; what fails there is in the result, and nothing is
    /// left on the medium then.
    /// - Throws: `Failure` of kind internalFault when the system has no thread or descriptor left.
    public init(_ plan: RecordingPlan) throws(Failure) {
        do {
            let shared = try RecordingShared()
            self.shared = shared
            thread = Mutex(
                JoinableThread(
                    try Thread("kinebox-video") {
                        shared.end(with: Pipeline.run(plan, shared))
                    }))
        } catch {
            throw Failure(
                .internalFault, "cannot start the recording", because: "\(error)",
                mend: "End other programs and try again.")
        }
    }

    /// Stops the recording with the last picture that was captured before a moment. It ends soon after; see `ended`.
    public func stop(at moment: MonotonicTime = .now) {
        shared.requestStop(at: moment)
    }

    /// Begins a new part at the next picture that can be made its first.
    public func split() {
        shared.isSplitAsked.store(true, ordering: .releasing)
    }

    /// Readable once the file is there and the sources are running; never when that fails. Take it with `takeStart`.
    public var started: Int32 { shared.started.raw }

    /// Makes `started` wait again.
    public func takeStart() { shared.started.clear() }

    /// Readable once the recording has ended and `wait` will not wait.
    public var ended: Int32 { shared.ended.raw }

    /// How the recording stands now. Peaks of the sound are those since the last call.
    public var status: RecordingStatus { shared.status() }

    /// Readable when `takeNotices` has something.
    public var noticed: Int32 { shared.noticed.raw }

    /// What a person should know since the last call: the encoder and changes of its effort, lost sound.
    public func takeNotices() -> [String] { shared.takeNotices() }

    /// Waits for the recording's end.
    public func wait() -> RecordingResult {
        thread.withLock { $0.join() }
        return shared.takeResult()
    }
}
