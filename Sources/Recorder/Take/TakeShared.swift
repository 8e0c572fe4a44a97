import Linux
import Media
import Synchronization

/// What the pipeline thread says of a recording to those who watch it.
final class TakeShared: Sendable {
    /// Counts that change with every picture: they are read without a lock.
    let nanoseconds = Atomic<Int64>(0)
    let encodedFrames = Atomic<Int64>(0)
    let droppedFrames = Atomic<Int64>(0)
    let lostFrames = Atomic<Int64>(0)
    let discardedFrames = Atomic<Int64>(0)
    let parts = Atomic<Int>(0)

    private let state = Mutex(State())
    /// Finishes the files without the pipeline thread.
    private let rescue = Mutex<(@Sendable () -> Void)?>(nil)

    private struct State: Sendable {
        var phase = RecordingStatus.Phase.arming
        var durable: Int64?
        var byteCount: Int64 = 0
        var freeByteCount: Int64 = 0
        var roomByteCount: Int64 = 0
        var signal: SignalState?
        var firstFrameTime: MonotonicTime?
    }

    /// Says how the files are finished without the pipeline thread; nil once they are.
    func set(rescue: (@Sendable () -> Void)?) {
        self.rescue.withLock { $0 = rescue }
    }

    /// Has the files finished without the pipeline thread. From any thread.
    func abandon() {
        rescue.withLock { $0 }?()
    }

    func set(_ phase: RecordingStatus.Phase) {
        state.withLock { $0.phase = phase }
    }

    func set(signal: SignalState?) {
        state.withLock { $0.signal = signal }
    }

    func set(firstFrameTime: MonotonicTime) {
        state.withLock { $0.firstFrameTime = firstFrameTime }
    }

    /// When the first picture was captured.
    var firstFrameTime: MonotonicTime? { state.withLock { $0.firstFrameTime } }

    /// Copies what matters of the writer's progress, once a fragment.
    func update(_ progress: WriterProgress) {
        state.withLock { state in
            (state.durable, state.byteCount) = (progress.durable, progress.byteCount)
            (state.freeByteCount, state.roomByteCount) = (progress.freeByteCount, progress.roomByteCount)
            if progress.durable != nil && state.phase == .arming { state.phase = .recording }
        }
    }

    func status() -> RecordingStatus {
        let state = state.withLock { $0 }
        var status = RecordingStatus()
        status.phase = state.phase
        status.signal = state.signal
        status.nanoseconds = nanoseconds.load(ordering: .relaxed)
        status.encodedFrames = encodedFrames.load(ordering: .relaxed)
        status.droppedFrames = droppedFrames.load(ordering: .relaxed)
        status.lostFrames = lostFrames.load(ordering: .relaxed)
        status.discardedFrames = discardedFrames.load(ordering: .relaxed)
        status.parts = parts.load(ordering: .relaxed)
        status.byteCount = state.byteCount
        status.freeByteCount = state.freeByteCount
        status.roomByteCount = state.roomByteCount
        status.unsavedNanoseconds = max(0, status.nanoseconds - (state.durable ?? 0))
        return status
    }
}
