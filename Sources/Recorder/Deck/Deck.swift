import Linux
import Media
import Storage
import Synchronization

/// A source of picture and sound with its encoder, and the recordings that are made of it one after the other. It has one
/// pipeline thread, which lives as long as the deck, and a writer thread for each recording; every member may be used from
/// any thread, and none waits for a device or a medium.
///
/// Where sources stay open between recordings, they run all the time: the first picture of a recording is the first one that
/// is captured at its start or later, and the encoder was opened before. What goes wrong meanwhile is told as the source's
/// condition, and mended as soon as it can be.
public final class Deck: Sendable {
    private let shared: PipelineShared
    private let outbox: Outbox
    private let state = Mutex(State())

    private struct State: Sendable {
        /// The take that was started last.
        var take: TakeShared?
        var number: Int?
        /// The loudest samples, and since when.
        var peaks: [Int] = []
        var peaksSince = MonotonicTime(nanoseconds: 0)
        var turns = 0
        var lastTurn = MonotonicTime(nanoseconds: 0)
    }

    /// Nanoseconds for which the loudest sample is told to everybody who looks.
    private static let peakTime: Int64 = 200_000_000

    /// Events that were not taken yet.
    private final class Outbox: Sendable {
        let ready: EventDescriptor
        private let events = Mutex<[DeckEvent]>([])

        init() throws(Errno) { ready = try EventDescriptor() }

        func take(_ event: PipelineShared.Event) {
            let told: DeckEvent =
                switch event {
                case .deck(let event): event
                case .ended(let number, let medium, let result):
                    .take(number, .ended(TakeResult(number: number, medium: medium, result)))
                }
            events.withLock { $0.append(told) }
            ready.signal()
        }

        func next() -> DeckEvent? {
            events.withLock { events in
                if events.count <= 1 { ready.clear() }
                return events.isEmpty ? nil : events.removeFirst()
            }
        }
    }

    /// Starts the pipeline thread; sources are opened there, at once where they stay open between recordings.
    /// - Throws: `Failure` of kind internalFault when the system has no thread or descriptor left.
    public init(_ plan: DeckPlan) throws(Failure) {
        do {
            let outbox = try Outbox()
            let shared = try PipelineShared { outbox.take($0) }
            (self.outbox, self.shared) = (outbox, shared)
            try Thread("kinebox-video") { Pipeline.run(plan, shared) }.detach()
        } catch {
            throw Failure(
                .internalFault, "cannot start the recorder", because: "\(error)",
                mend: "End other programs and try again.")
        }
    }

    deinit {
        close()
    }

    /// Begins a recording with the first picture that is captured at a moment or later. `take(_, .began)` tells that its
    /// file is there, `take(_, .ended)` that it has ended or could not begin. While another one runs, it begins when that
    /// has ended.
    /// - Parameters:
    ///   - take: what is wanted.
    ///   - medium: what the medium is known by; it comes back in `Clip`.
    ///   - moment: when the person or the program asked for it; never later than now.
    public func start(_ take: TakePlan, medium: String, at moment: MonotonicTime = .now) {
        let status = TakeShared()
        state.withLock { ($0.take, $0.number) = (status, take.number) }
        shared.put(.start(PipelineShared.Start(plan: take, medium: medium, moment: moment, shared: status)))
    }

    /// Ends a recording with the last picture that was captured before a moment. `take(_, .ended)` follows.
    public func stop(take: Int, at moment: MonotonicTime = .now) {
        shared.put(.stop(take, at: moment))
    }

    /// Has the files of a recording finished although its pipeline thread does not answer, since a device hangs: what was
    /// gathered for less than a second is not in them. To be called for one that was stopped and does not end in time.
    public func abandon(take: Int) {
        let running = state.withLock { $0.number == take ? $0.take : nil }
        running?.abandon()
    }

    /// Pauses a recording behind the last picture that was captured before a moment. What was recorded until then is brought
    /// onto the medium at once.
    public func pause(take: Int, at moment: MonotonicTime = .now) {
        shared.put(.steer(take, .pause(at: moment)))
    }

    /// Goes on with the first picture that is captured at a moment or later. In the file the pause takes no time.
    public func resume(take: Int, at moment: MonotonicTime = .now) {
        shared.put(.steer(take, .resume(at: moment)))
    }

    /// Begins a new part at the next picture that can be made its first.
    public func split(take: Int) {
        shared.put(.steer(take, .split))
    }

    /// Begins a chapter with the picture that was captured at a moment.
    /// - Parameter label: one line; empty for a number.
    public func mark(take: Int, label: String, at moment: MonotonicTime) {
        shared.put(.steer(take, .mark(label, at: moment)))
    }

    /// Moves the moment at which a recording ends by itself; one that has no limit stays without.
    /// - Parameter nanoseconds: negative for an earlier end.
    public func extend(take: Int, nanoseconds: Int64) {
        shared.put(.steer(take, .extend(nanoseconds: nanoseconds)))
    }

    /// Makes a JPEG of the next picture, while something is recorded or not; `still` gives it. A source that is not open is
    /// opened for it.
    public func still(number: Int) {
        shared.put(.still(number))
    }

    /// Ends what runs and lets go of the sources. Returns at once; what was recorded is still finished, and told of.
    public func close() {
        shared.put(.leave(stopAt: .now))
    }

    /// Whether the sources are closed after `close`: before that, devices seem to be busy to whoever opens them next.
    public var hasLetGo: Bool { shared.hasLetGo.load(ordering: .acquiring) }

    /// Readable while `nextEvent` gives something.
    public var descriptor: Int32 { outbox.ready.raw }

    /// The oldest event that was not taken yet; nil when there is none.
    public func nextEvent() -> DeckEvent? { outbox.next() }

    /// How everything stands now.
    public var status: DeckStatus {
        var status = DeckStatus()
        let sight = shared.sight.withLock { $0 }
        (status.take, status.signal, status.format, status.encoder) = (
            sight.take, sight.signal, sight.format, sight.encoder
        )
        let now = MonotonicTime.now
        let peaks = shared.takePeaks()
        state.withLock { state in
            // Who looks often takes nothing away from who looks as well.
            if now - state.peaksSince < Self.peakTime, state.peaks.count == peaks.count {
                state.peaks = zip(state.peaks, peaks).map { max($0, $1) }
            } else {
                (state.peaks, state.peaksSince) = (peaks, now)
            }
            status.peaks = state.peaks
            status.recording = state.take?.status()
            status.recording?.peaks = status.peaks
            status.firstFrameTime = state.take?.firstFrameTime
            // While it waits it is well, however long that is.
            let turns = shared.turns.load(ordering: .relaxed)
            if turns != state.turns || turns % 2 == 1 { (state.turns, state.lastTurn) = (turns, now) }
            status.lastTurn = state.lastTurn
        }
        return status
    }
}
