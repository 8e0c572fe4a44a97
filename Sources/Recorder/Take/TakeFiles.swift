import Linux
import MP4
import Media
import Storage

/// The files of one recording, as the pipeline thread sees them: what the writer thread has done so far, and what is told of
/// it. They outlive the recording for as long as the medium takes to finish them.
final class TakeFiles {
    let plan: TakePlan
    let shared: TakeShared
    let writer: WriterThread<PartJob>
    /// Bytes that may wait for the medium.
    let queueLimit: Int
    /// What went wrong on the medium.
    private(set) var failure: Failure?
    /// Whether the room that is left is needed to finish the files, or is to stay free.
    private(set) var isNearlyFull = false
    /// Whether the writer thread has done everything.
    private(set) var hasEnded = false
    /// Bytes that the recording may still take; nil before the first flush.
    private(set) var roomByteCount: Int64?
    /// Nanoseconds of the recording that are on the medium; nil before the first flush.
    private var durable: Int64?
    private let medium: String
    private let partWriter: PartWriter
    private let tell: @Sendable (PipelineShared.Event) -> Void
    /// Nil before the first file is there.
    private(set) var clip: Clip?
    private var result: RecordingResult?
    /// What was told of it.
    private(set) var isBegun = false
    private var isSafe = false
    private var isUnsaved = false

    /// So many nanoseconds may wait to be saved before it is told.
    private static let mostUnsaved: Int64 = 2_000_000_000

    /// Starts the writer thread, and has it make the first file.
    /// - Parameters:
    ///   - start: what was asked for.
    ///   - byteRate: the most bytes a second that come for long.
    ///   - shared: where the thread signals that it has done something, and where events go.
    /// - Throws: `Failure` of kind internalFault when no thread or descriptor is left.
    init(_ start: PipelineShared.Start, byteRate: Int64, _ shared: PipelineShared) throws(Failure) {
        plan = start.plan
        medium = start.medium
        self.shared = start.shared
        tell = shared.tell
        // Ten seconds of stall is what cards need at their worst.
        queueLimit = min(max(10 * Int(byteRate), 4 << 20), 32 << 20)
        let partWriter = PartWriter(
            naming: start.plan.naming, place: start.plan.place, metadata: start.plan.metadata,
            reserve: 2 * byteRate + 65_536, leastRoom: start.plan.leastRoom, done: shared.written)
        self.partWriter = partWriter
        let writer = try WriterThread<PartJob>(name: "kinebox-write", byteLimit: queueLimit) { partWriter.perform($0) }
        self.writer = writer
        self.shared.set(rescue: {
            partWriter.isAbandoned.store(true, ordering: .releasing)
            writer.rouse()
        })
        _ = writer.put(.create(1), byteCount: 0)
    }

    /// Takes in what the writer thread has done.
    /// - Parameter parts: get the memory of what was written back.
    func look(_ parts: PartSequence?) {
        let progress = partWriter.progress.withLock { progress in
            if let parts { parts.take(&progress) } else { progress.written.removeAll() }
            return progress
        }
        shared.update(progress)
        if let path = progress.path, clip == nil {
            clip = Clip(path: path, medium: medium)
            if progress.isRenamed {
                tell(.deck(.notice(DeckNotice(.information, "that name was taken: recording to \(path)"))))
            }
        }
        (failure, isNearlyFull, hasEnded) = (progress.failure, progress.isNearlyFull, progress.hasEnded)
        durable = progress.durable
        if durable != nil { roomByteCount = progress.roomByteCount }
        if hasEnded { conclude(progress) }
    }

    /// Tells how far the recording is: that its file is there, that something is safe, that too much is not.
    /// - Parameter time: nanoseconds of the recording that were captured.
    func tellState(at time: Int64) {
        guard let clip, !hasEnded else { return }
        let number = plan.number
        if !isBegun { tell(.deck(.take(number, .began(clip)))) }
        isBegun = true
        guard let durable else { return }
        if !isSafe { tell(.deck(.take(number, .durable(clip)))) }
        isSafe = true
        let isLate = time - durable > Self.mostUnsaved
        if isLate != isUnsaved { tell(.deck(.take(number, isLate ? .unsaved : .saved))) }
        isUnsaved = isLate
    }

    /// Lets the writer thread do what it has, and end; nobody waits for it.
    /// - Parameter result: what the recording has become, but for the files.
    func end(_ result: RecordingResult) {
        self.result = result
        _ = writer.put(.end, byteCount: 0)
    }

    private func conclude(_ progress: WriterProgress) {
        guard var result else { return }
        self.result = nil
        // It has nothing left to do.
        writer.finish()
        shared.set(rescue: nil)
        shared.set(.ended)
        if let failure = progress.failure { result.end = .failed(failure) }
        (result.parts, result.unfinished) = (progress.summaries, progress.unfinished)
        result.status = shared.status()
        tell(.ended(take: plan.number, medium: medium, result))
    }
}
