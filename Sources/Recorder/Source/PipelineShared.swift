import Linux
import Media
import Synchronization

/// What a pipeline thread and those who steer and watch it share.
final class PipelineShared: Sendable {
    /// What the pipeline thread is asked for, in the order in which it is.
    enum Command: Sendable {
        case start(Start)
        case stop(Int, at: MonotonicTime)
        case steer(Int, Wish)
        case still(Int)
        /// Ends the thread as soon as no recording runs. Those that run, or wait, are stopped where a moment is given.
        case leave(stopAt: MonotonicTime?)
    }

    /// What can be asked of a recording that runs.
    enum Wish: Sendable {
        case pause(at: MonotonicTime)
        case resume(at: MonotonicTime)
        case split
        case mark(String, at: MonotonicTime)
        case extend(nanoseconds: Int64)
    }

    /// A recording that is to begin.
    struct Start: Sendable {
        var plan: TakePlan
        var medium: String
        /// Pictures from before this moment are not in it.
        var moment: MonotonicTime
        var shared: TakeShared
    }

    /// How the source stands.
    struct Sight: Sendable {
        /// The take that runs.
        var take: Int?
        var signal: SignalState?
        var format: VideoFormat?
        var encoder = ""
    }

    /// What the pipeline thread tells.
    enum Event: Sendable {
        case deck(DeckEvent)
        /// A recording has ended.
        case ended(take: Int, medium: String, RecordingResult)
    }

    /// Wakes the pipeline thread.
    let wake: EventDescriptor
    /// Is signalled by writer threads.
    let written: EventDescriptor
    /// Is signalled by the thread that makes stills.
    let pictured: EventDescriptor
    let epoll: Epoll
    /// Takes what the pipeline thread tells, on that thread.
    let tell: @Sendable (Event) -> Void
    let sight = Mutex(Sight())
    /// Raised whenever the pipeline thread begins and ends to wait: odd while it waits.
    let turns = Atomic<Int>(0)
    /// Whether the pipeline thread was told to leave, and has closed its source.
    let hasLetGo = Atomic<Bool>(false)
    private let commands = Mutex<[Command]>([])
    /// The loudest samples of the first four tracks since somebody looked, 16 bits each, the first track lowest.
    private let peaks = Atomic<UInt64>(0)
    private let tracks = Atomic<Int>(0)

    /// - Parameter tell: is called on the pipeline thread.
    /// - Throws: `Errno` when no descriptor is left.
    init(tell: @escaping @Sendable (Event) -> Void) throws(Errno) {
        wake = try EventDescriptor()
        written = try EventDescriptor()
        pictured = try EventDescriptor()
        epoll = try Epoll()
        self.tell = tell
    }

    func put(_ command: Command) {
        commands.withLock { $0.append(command) }
        wake.signal()
    }

    func nextCommand() -> Command? {
        commands.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Whether a take is asked to stop, by a command that waits.
    func isStopAsked(of take: Int) -> Bool {
        commands.withLock { list in
            list.contains { command in
                guard case .stop(let number, _) = command else { return false }
                return number == take
            }
        }
    }

    /// Keeps the louder of a track's samples, until somebody looks. From the pipeline thread alone.
    func merge(peak: Int, track: Int) {
        guard peak > 0, track < 4 else { return }
        let shift = UInt64(16 * track)
        let known = peaks.load(ordering: .relaxed)
        let loudest = max(known >> shift & 0xffff, UInt64(min(peak, 0xffff)))
        peaks.store(known & ~(0xffff << shift) | loudest << shift, ordering: .relaxed)
    }

    /// Says how many tracks there are.
    func set(tracks count: Int) {
        tracks.store(min(count, 4), ordering: .relaxed)
    }

    /// The loudest sample of each track since the last call, 0…32768.
    func takePeaks() -> [Int] {
        let peaks = peaks.exchange(0, ordering: .relaxed)
        return (0..<tracks.load(ordering: .relaxed)).map { Int(peaks >> UInt64(16 * $0) & 0xffff) }
    }
}
