import Glibc
import Linux
import Media
import Storage
import Synchronization

/// A source of picture and sound with its encoder, and the recordings that are made of it one after the other. It has one
/// pipeline thread, which lives as long as the deck, and a writer thread for each recording; every member may be used from
/// any thread, and none waits for a device or a medium.
public final class Deck: Sendable {
    private let plan: DeckPlan
    private let wake: EventDescriptor
    private let ready: EventDescriptor
    private let state = Mutex(State())

    private struct State: Sendable {
        var events: [DeckEvent] = []
        var starts: [(TakePlan, String)] = []
        var running: (number: Int, recording: Recording)?
        var isClosed = false
    }

    /// Starts the pipeline thread; sources are opened there, at once where they stay open between recordings.
    /// - Throws: `Failure` of kind internalFault when the system has no thread or descriptor left.
    public init(_ plan: DeckPlan) throws(Failure) {
        self.plan = plan
        do {
            wake = try EventDescriptor()
            ready = try EventDescriptor()
            try Thread("kinebox-deck") { [self] in run() }.detach()
        } catch {
            throw Failure(
                .internalFault, "cannot start the recorder", because: "\(error)",
                mend: "End other programs and try again."
            )
        }
    }

    /// Begins a recording with the first picture that is captured at a moment or later. `take(_, .began)` tells that its
    /// file is there, `take(_, .ended)` that it has ended or could not begin.
    /// - Parameters:
    ///   - take: what is wanted.
    ///   - medium: what the medium is known by; it comes back in `Clip`.
    ///   - moment: when the person or the program asked for it; never later than now.
    public func start(_ take: TakePlan, medium: String, at moment: MonotonicTime = .now) {
        state.withLock { $0.starts.append((take, medium)) }
        wake.signal()
    }

    /// Ends a recording with the last picture that was captured before a moment. `take(_, .ended)` follows.
    public func stop(take: Int, at moment: MonotonicTime = .now) {
        running(take)?.stop(at: moment)
    }

    /// Pauses a recording behind the last picture that was captured before a moment. What was recorded until then is brought
    /// onto the medium at once.
    public func pause(take: Int, at moment: MonotonicTime = .now) {}

    /// Goes on with the first picture that is captured at a moment or later. In the file the pause takes no time.
    public func resume(take: Int, at moment: MonotonicTime = .now) {}

    /// Begins a new part at the next picture that can be made its first.
    public func split(take: Int) { running(take)?.split() }

    /// Begins a chapter with the picture that was captured at a moment.
    /// - Parameter label: one line; empty for a number.
    public func mark(take: Int, label: String, at moment: MonotonicTime) {}

    /// Moves the moment at which a recording ends by itself; one that has no limit stays without.
    /// - Parameter nanoseconds: negative for an earlier end.
    public func extend(take: Int, nanoseconds: Int64) {}

    /// Makes a JPEG of the newest picture, while something is recorded or not; `still` gives it. A source that is not open
    /// is opened for it.
    public func still(number: Int) {}

    /// Ends what runs and lets go of the sources. Returns at once; what was recorded is still finished, and told of.
    public func close() {
        let recording = state.withLock { state in
            state.isClosed = true
            return state.running?.recording
        }
        recording?.stop()
        wake.signal()
    }

    /// Readable while `nextEvent` gives something.
    public var descriptor: Int32 { ready.raw }

    /// The oldest event that was not taken yet; nil when there is none.
    public func nextEvent() -> DeckEvent? {
        state.withLock { state in
            if state.events.count <= 1 { ready.clear() }
            return state.events.isEmpty ? nil : state.events.removeFirst()
        }
    }

    /// How everything stands now.
    public var status: DeckStatus {
        var status = DeckStatus()
        let running = state.withLock { $0.running }
        status.take = running?.number
        status.recording = running?.recording.status
        status.signal = status.recording?.signal
        status.peaks = status.recording?.peaks ?? []
        status.lastTurn = .now
        return status
    }

    private func running(_ take: Int) -> Recording? {
        state.withLock { state in state.running?.number == take ? state.running?.recording : nil }
    }

    private func tell(_ event: DeckEvent) {
        state.withLock { $0.events.append(event) }
        ready.signal()
    }

    private func run() {
        while true {
            wake.wait()
            while let (take, medium) = state.withLock({ $0.starts.isEmpty ? nil : $0.starts.removeFirst() }) {
                record(take, medium)
            }
            if state.withLock({ $0.isClosed }) { return }
        }
    }

    private func record(_ take: TakePlan, _ medium: String) {
        let number = take.number
        do throws(Failure) {
            let recording = try Recording(
                RecordingPlan(
                    openVideo: plan.openVideo, openAudio: plan.openAudio, encoding: plan.encoding, name: take.name,
                    rate: plan.rate, audioBitrate: plan.audioBitrate, duration: take.duration, splits: take.splits,
                    signalLoss: plan.signalLoss))
            state.withLock { $0.running = (number, recording) }
            let clip = Clip(path: take.name.path(ofPart: 1), medium: medium)
            var (hasBegun, isDurable, isUnsaved) = (false, false, false)
            while true {
                var polled = [
                    pollfd(fd: recording.ended, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: recording.started, events: hasBegun ? 0 : Int16(POLLIN), revents: 0),
                ]
                _ = poll(&polled, 2, 50)
                for notice in recording.takeNotices() { tell(.notice(notice)) }
                if polled[1].revents != 0, !hasBegun {
                    hasBegun = true
                    tell(.take(number, .began(clip)))
                }
                let status = recording.status
                if status.phase == .recording, !isDurable {
                    isDurable = true
                    tell(.take(number, .durable(clip)))
                }
                let isLate = status.phase == .recording && status.unsavedNanoseconds > 2_000_000_000
                if isLate != isUnsaved {
                    isUnsaved = isLate
                    tell(.take(number, isLate ? .unsaved : .saved))
                }
                if polled[0].revents != 0 { break }
            }
            let result = recording.wait()
            state.withLock { $0.running = nil }
            tell(.take(number, .ended(TakeResult(number: number, medium: medium, result))))
        } catch {
            tell(.take(number, .ended(TakeResult(number: number, failure: error))))
        }
    }
}
