import Linux
import Media
import Storage
import Synchronization

/// One recording from its start to its end: a deck that is there for it alone, on a pipeline thread of its own. Every member
/// may be used from any thread.
public final class Recording: Sendable {
    private let plan: TakePlan
    private let shared: PipelineShared
    private let take = TakeShared()
    private let outcome: Outcome
    private let thread: Mutex<JoinableThread>

    /// What the pipeline thread has told.
    private final class Outcome: Sendable {
        let started: EventDescriptor
        let ended: EventDescriptor
        let noticed: EventDescriptor
        let notices = Mutex<[String]>([])
        let result = Mutex<RecordingResult?>(nil)

        init() throws(Errno) {
            started = try EventDescriptor()
            ended = try EventDescriptor()
            noticed = try EventDescriptor()
        }

        func take(_ event: PipelineShared.Event) {
            switch event {
            case .deck(.take(_, .began)): started.signal()
            case .deck(.notice(let notice)):
                notices.withLock { $0.append(notice.words) }
                noticed.signal()
            case .deck: break
            case .ended(_, _, let result): self.result.withLock { $0 = result }
            }
        }
    }

    /// Starts a recording.
    ///
    /// Sources and encoder are opened on the recording's own thread; what fails there is in the result, and nothing is
    /// left on the medium then.
    /// - Throws: `Failure` of kind internalFault when the system has no thread or descriptor left.
    public init(_ plan: RecordingPlan) throws(Failure) {
        let deck = DeckPlan(
            openVideo: plan.openVideo, openAudio: plan.openAudio, encoding: plan.encoding, rate: plan.rate,
            audioBitrate: plan.audioBitrate, signalLoss: plan.signalLoss, isWarm: false)
        let take = TakePlan(
            number: 1, name: plan.name, duration: plan.duration, splits: plan.splits, metadata: plan.metadata)
        self.plan = take
        do {
            let outcome = try Outcome()
            let shared = try PipelineShared { outcome.take($0) }
            (self.outcome, self.shared) = (outcome, shared)
            shared.put(.start(PipelineShared.Start(plan: take, medium: "", moment: .now, shared: self.take)))
            shared.put(.leave(stopAt: nil))
            thread = Mutex(
                JoinableThread(
                    try Thread("kinebox-video") {
                        Pipeline.run(deck, shared)
                        outcome.ended.signal()
                    }))
        } catch {
            throw Failure(
                .internalFault, "cannot start the recording", because: "\(error)",
                mend: "End other programs and try again.")
        }
    }

    /// Stops the recording with the last picture that was captured before a moment. It ends soon after; see `ended`.
    public func stop(at moment: MonotonicTime = .now) { shared.put(.stop(plan.number, at: moment)) }

    /// Pauses the recording behind the last picture that was captured before a moment.
    public func pause(at moment: MonotonicTime = .now) { shared.put(.steer(plan.number, .pause(at: moment))) }

    /// Goes on with the first picture that is captured at a moment or later. In the file the pause takes no time.
    public func resume(at moment: MonotonicTime = .now) { shared.put(.steer(plan.number, .resume(at: moment))) }

    /// Begins a new part at the next picture that can be made its first.
    public func split() { shared.put(.steer(plan.number, .split)) }

    /// Begins a chapter with the picture that was captured at a moment.
    /// - Parameter label: one line; empty for a number.
    public func mark(_ label: String = "", at moment: MonotonicTime = .now) {
        shared.put(.steer(plan.number, .mark(label, at: moment)))
    }

    /// Readable once the file is there and the sources are running; never when that fails. Take it with `takeStart`.
    public var started: Int32 { outcome.started.raw }

    /// Makes `started` wait again.
    public func takeStart() { outcome.started.clear() }

    /// Readable once the recording has ended and `wait` will not wait.
    public var ended: Int32 { outcome.ended.raw }

    /// How the recording stands now. Peaks of the sound are those since the last call.
    public var status: RecordingStatus {
        var status = take.status()
        status.peaks = shared.takePeaks()
        return status
    }

    /// Readable when `takeNotices` has something.
    public var noticed: Int32 { outcome.noticed.raw }

    /// What a person should know since the last call: the encoder and changes of its effort, lost sound.
    public func takeNotices() -> [String] {
        outcome.noticed.clear()
        return outcome.notices.withLock { notices in
            defer { notices.removeAll() }
            return notices
        }
    }

    /// Waits for the recording's end.
    public func wait() -> RecordingResult {
        thread.withLock { $0.join() }
        guard var result = outcome.result.withLock({ $0 }) else {
            preconditionFailure("a recording's thread ends with a result")
        }
        result.notices = takeNotices()
        return result
    }
}
