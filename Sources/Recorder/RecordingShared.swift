import Linux
import Media
import Synchronization

/// What the pipeline thread and those who watch and steer a recording share.
final class RecordingShared: Sendable {
    /// Wakes the pipeline thread.
    let command: EventDescriptor
    /// Wakes those who wait for the start.
    let started: EventDescriptor
    /// Wakes those who wait for the end.
    let ended: EventDescriptor
    /// Wakes those who wait for notices.
    let noticed: EventDescriptor
    /// Set by `Recording.split`, taken by the pipeline thread.
    let isSplitAsked = Atomic<Bool>(false)
    /// Counts of the pipeline thread: read without a lock, since they change with every picture.
    let counts = Counts()

    private let stopTime = Atomic<Int64>(.max)
    private let state = Mutex(State())

    private struct State: Sendable {
        var phase = RecordingStatus.Phase.arming
        var progress = WriterProgressReader()
        var signal: SignalState?
        var notices: [String] = []
        var result: RecordingResult?
    }

    /// Counts that change with every picture.
    final class Counts: Sendable {
        let nanoseconds = Atomic<Int64>(0)
        let encodedFrames = Atomic<Int64>(0)
        let droppedFrames = Atomic<Int64>(0)
        let lostFrames = Atomic<Int64>(0)
        let discardedFrames = Atomic<Int64>(0)
        let parts = Atomic<Int>(0)
        /// The loudest samples of the first four tracks, 16 bits each, the first track lowest.
        let peaks = Atomic<UInt64>(0)
        let tracks = Atomic<Int>(0)

        /// Keeps the louder of each track's samples, until somebody looks. From the pipeline thread alone.
        func merge(peaks more: UInt64) {
            let known = peaks.load(ordering: .relaxed)
            var merged: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 16) {
                merged |= max(known >> shift & 0xffff, more >> shift & 0xffff) << shift
            }
            peaks.store(merged, ordering: .relaxed)
        }
    }

    /// - Throws: `Errno` when no descriptor is left.
    init() throws(Errno) {
        command = try EventDescriptor()
        started = try EventDescriptor()
        ended = try EventDescriptor()
        noticed = try EventDescriptor()
    }

    /// The moment after which nothing is recorded; nil while nobody has asked to stop.
    var stopMoment: MonotonicTime? {
        let time = stopTime.load(ordering: .acquiring)
        return time == .max ? nil : MonotonicTime(nanoseconds: time)
    }

    /// The first request counts.
    func requestStop(at moment: MonotonicTime) {
        _ = stopTime.compareExchange(
            expected: .max, desired: moment.nanoseconds, successOrdering: .acquiringAndReleasing,
            failureOrdering: .acquiring)
        command.signal()
    }

    func setPhase(_ phase: RecordingStatus.Phase) {
        state.withLock { $0.phase = phase }
    }

    func set(signal: SignalState?) {
        state.withLock { $0.signal = signal }
    }

    func add(notice: String) {
        state.withLock { $0.notices.append(notice) }
        noticed.signal()
    }

    func takeNotices() -> [String] {
        noticed.clear()
        return state.withLock { state in
            defer { state.notices.removeAll() }
            return state.notices
        }
    }

    /// Copies what matters of the writer's progress, once a fragment.
    func update(_ progress: WriterProgress) {
        state.withLock { state in
            state.progress = WriterProgressReader(
                durable: progress.durable, byteCount: progress.byteCount, freeByteCount: progress.freeByteCount)
            if progress.durable != nil && state.phase == .arming { state.phase = .recording }
        }
    }

    func status() -> RecordingStatus {
        let (phase, progress, signal) = state.withLock { ($0.phase, $0.progress, $0.signal) }
        var status = RecordingStatus()
        status.phase = phase
        status.signal = signal
        status.nanoseconds = counts.nanoseconds.load(ordering: .relaxed)
        status.encodedFrames = counts.encodedFrames.load(ordering: .relaxed)
        status.droppedFrames = counts.droppedFrames.load(ordering: .relaxed)
        status.lostFrames = counts.lostFrames.load(ordering: .relaxed)
        status.discardedFrames = counts.discardedFrames.load(ordering: .relaxed)
        status.parts = counts.parts.load(ordering: .relaxed)
        status.byteCount = progress.byteCount
        status.freeByteCount = progress.freeByteCount
        status.unsavedNanoseconds = max(0, status.nanoseconds - (progress.durable ?? 0))
        let peaks = counts.peaks.exchange(0, ordering: .relaxed)
        status.peaks = (0..<min(4, counts.tracks.load(ordering: .relaxed))).map { track in
            Int(peaks >> UInt64(16 * track) & 0xffff)
        }
        return status
    }

    func end(with result: RecordingResult) {
        state.withLock { state in
            state.phase = .ended
            state.result = result
        }
        ended.signal()
    }

    func takeResult() -> RecordingResult {
        let (result, notices) = state.withLock { ($0.result, $0.notices) }
        guard var result else { preconditionFailure("a recording's thread ends with a result") }
        result.status = status()
        result.notices = notices
        return result
    }
}

/// The part of the writer's progress that a status is made of.
struct WriterProgressReader: Sendable {
    var durable: Int64?
    var byteCount: Int64 = 0
    var freeByteCount: Int64 = 0
}
