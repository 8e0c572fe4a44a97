import Linux
import MP4
import Media
import Storage
import Synchronization

/// What the pipeline thread asks of the writer thread.
enum PartJob: Sendable {
    /// Creates the file of a part, before it is needed.
    case create(Int)
    /// Says what tracks a part has.
    case begin(Int, [Track])
    /// Writes and flushes; the recording is then durable up to `end` nanoseconds.
    case append(Int, Fragment, end: Int64)
    /// Makes a part an ordinary MP4; removes a part without a picture.
    case finalise(Int)
    /// Nothing follows.
    case end
}

/// What the writer thread has done so far.
struct WriterProgress: Sendable {
    /// The recording is on the medium up to here, in nanoseconds from its first picture; nil before the first flush.
    var durable: Int64?
    /// Bytes of all parts.
    var byteCount: Int64 = 0
    /// Size of each open part with its final tables.
    var finalByteCounts: [Int: Int64] = [:]
    /// The first part's path; nil before it is there.
    var path: String?
    /// Whether the name that was chosen for the first part was taken meanwhile.
    var isRenamed = false
    /// Parts whose file exists.
    var created: Set<Int> = []
    /// Bytes that are free on the medium after the last flush.
    var freeByteCount: Int64 = 0
    /// How many of them the recording may still take.
    var roomByteCount: Int64 = 0
    /// True when the room that is left is needed to finish the files, or is to stay free.
    var isNearlyFull = false
    /// The first failure.
    var failure: Failure?
    /// Fragments whose memory can be used again, with their parts' numbers.
    var written: [(part: Int, fragment: Fragment)] = []
    /// Files that are done.
    var summaries: [PartSummary] = []
    /// Files that could not be finished.
    var unfinished: [String] = []
    /// Whether everything has been done.
    var hasEnded = false
}

/// The parts of one recording on the writer thread: nobody else touches their files.
final class PartWriter: @unchecked Sendable {
    // Unchecked because `parts` and what belongs to it is used by the writer thread alone; the progress, which others
    // read, stands behind its lock.

    /// What has been done; read by any thread.
    let progress = Mutex(WriterProgress())
    /// Is signalled after each batch.
    let done: EventDescriptor
    /// Set by any thread: what is there is finished at the next batch, and nothing more is written.
    let isAbandoned = Atomic<Bool>(false)
    private let naming: @Sendable () throws(Failure) -> RecordingName
    /// Nil before it was asked for.
    private var name: RecordingName?
    private let place: MediumPlace?
    private let metadata: RecordingMetadata
    private let session = Session()
    private let reserve: Int64
    private let leastRoom: Int64
    private var parts: [Int: PartFile] = [:]
    private var paths: [Int: String] = [:]
    /// What is written at once; empty in between.
    private var fragments: [Fragment] = []
    private var closedByteCount: Int64 = 0
    private var fileNumber = 0
    /// Nothing more is begun. What belongs to parts that are there is still written.
    private var hasFailed = false
    /// Nothing more is written, since it would stand behind a gap.
    private var hasGap = false
    /// No job follows.
    private var isEnding = false

    /// - Parameters:
    ///   - naming: finds the names of the parts.
    ///   - place: where the medium is mounted that all files must be on; nil for any folder.
    ///   - metadata: what people say of the recording.
    ///   - reserve: bytes that may still come once the recording is told to end.
    ///   - leastRoom: bytes that stay free whatever comes.
    ///   - done: is signalled after each batch.
    init(
        naming: @escaping @Sendable () throws(Failure) -> RecordingName, place: MediumPlace?,
        metadata: RecordingMetadata, reserve: Int64, leastRoom: Int64, done: EventDescriptor
    ) {
        self.naming = naming
        self.place = place
        self.metadata = metadata
        self.reserve = reserve
        self.leastRoom = leastRoom
        self.done = done
    }

    /// Does a batch of jobs. Writes to one part that follow each other become one write and one flush.
    func perform(_ jobs: [PartJob]) {
        if isAbandoned.load(ordering: .acquiring) { abandon() }
        var index = 0
        while index < jobs.count {
            if case .append(let number, _, _) = jobs[index] {
                fragments.removeAll(keepingCapacity: true)
                var end: Int64 = 0
                while index < jobs.count, case .append(number, let fragment, let fragmentEnd) = jobs[index] {
                    fragments.append(fragment)
                    end = fragmentEnd
                    index += 1
                }
                append(fragments, to: number, end: end)
                fragments.removeAll(keepingCapacity: true)
            } else {
                perform(jobs[index])
                index += 1
            }
        }
        lookAtVolume()
        // Last of all: nothing that could wait for the medium follows.
        if isEnding { progress.withLock { $0.hasEnded = true } }
        done.signal()
    }

    private func perform(_ job: PartJob) {
        do throws(Failure) {
            switch job {
            case .create(let number): try create(number)
            case .begin(let number, let tracks): try part(number)?.begin(tracks: tracks, metadata: metadata)
            case .finalise(let number): try finalise(number)
            case .append: break
            case .end: isEnding = true
            }
        } catch {
            fail(error)
        }
    }

    private func part(_ number: Int) throws(Failure) -> PartFile? {
        if parts[number] == nil { try create(number) }
        return parts[number]
    }

    private func create(_ number: Int) throws(Failure) {
        guard parts[number] == nil, !hasFailed else { return }
        var name = try chosenName()
        try place?.verify(name.folder)
        if number == 1 { try Volume(holding: name.folder).checkRoom(for: leastRoom + 2 * reserve, in: name.folder) }
        while true {
            fileNumber += 1
            do throws(Failure) {
                let path = name.path(ofPart: fileNumber)
                let part = try PartFile.create(at: path, session: session, part: number)
                paths[number] = path
                parts[number] = part
                progress.withLock { state in
                    if number == 1 { state.path = path }
                    state.created.insert(number)
                }
                return
            } catch {
                // A later part's name may be taken by an older recording: the next name is used. The first part's name
                // was asked for, so it is refused, unless it was only the first free one of a folder.
                guard error.kind == .fileExists else { throw error }
                if number == 1 {
                    guard let other = name.another() else { throw error }
                    (name, fileNumber) = (other, 0)
                    self.name = other
                    progress.withLock { $0.isRenamed = true }
                }
            }
        }
    }

    private func chosenName() throws(Failure) -> RecordingName {
        if let name { return name }
        let chosen = try naming()
        name = chosen
        return chosen
    }

    private func append(_ fragments: [Fragment], to number: Int, end: Int64) {
        var written: Int64?
        if !hasGap {
            do throws(Failure) {
                if let part = try part(number) {
                    try part.append(fragments)
                    try part.flush()
                    written = end
                }
            } catch {
                hasGap = true
                fail(error)
            }
        }
        progress.withLock { state in
            for fragment in fragments { state.written.append((number, fragment)) }
            if let written { state.durable = written }
            state.byteCount = closedByteCount + parts.values.reduce(0) { $0 + $1.byteCount }
            if let part = parts[number] { state.finalByteCounts[number] = part.finalByteCount }
        }
    }

    private func finalise(_ number: Int) throws(Failure) {
        guard let part = parts.removeValue(forKey: number) else { return }
        let path = paths.removeValue(forKey: number) ?? ""
        do throws(Failure) {
            if part.hasFrame {
                let summary = try part.finalise()
                closedByteCount += summary.byteCount
                progress.withLock { state in
                    state.summaries.append(summary)
                    state.finalByteCounts[number] = nil
                }
            } else {
                try part.remove()
            }
        } catch {
            progress.withLock { state in state.unfinished.append(path) }
            throw error
        }
    }

    /// Finishes what is there, since nobody will ask for it.
    private func abandon() {
        guard !hasFailed || !parts.isEmpty else { return }
        hasGap = true
        fail(
            Failure(
                .internalFault, "the recording was ended", because: "a device does not answer",
                mend: "The file is complete up to a second before."))
        for number in parts.keys.sorted() {
            do throws(Failure) {
                try finalise(number)
            } catch {
                fail(error)
            }
        }
    }

    private func fail(_ failure: Failure) {
        hasFailed = true
        progress.withLock { state in
            if state.failure == nil { state.failure = failure }
        }
    }

    /// Notices in time that the room left is just enough to finish the files, since a file that cannot be finished there
    /// would need a person, and that what is to stay free is touched next.
    private func lookAtVolume() {
        guard let name, let volume = try? Volume(holding: name.folder) else { return }
        let needed = parts.values.reduce(leastRoom + reserve) { $0 + $1.finalByteCount - $1.byteCount }
        progress.withLock { state in
            state.freeByteCount = volume.freeByteCount
            state.roomByteCount = max(0, volume.freeByteCount - needed)
            state.isNearlyFull = volume.freeByteCount < needed
        }
    }
}
