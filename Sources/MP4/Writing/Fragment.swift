import CKernel
import Media

/// The samples of about a second, ready to be written: made by a `FragmentAssembler`, written by a `PartFile`, and given
/// back to the assembler, which uses its memory again.
public final class Fragment: @unchecked Sendable {
    // Unchecked because fragments travel through queues: whoever took the fragment from the queue is its only user.

    /// The samples of each track.
    private(set) var runs: [SampleRun]
    /// The bytes of each track's samples, one behind the other.
    private(set) var chunks: [MediaChunk]
    private let timescales: [Int64]

    init(tracks: [Track]) {
        runs = tracks.map { _ in SampleRun() }
        chunks = tracks.map { _ in MediaChunk() }
        timescales = tracks.map(\.timescale)
    }

    /// Bytes that the fragment takes in the file: record, headers and media.
    public var byteCount: Int { FragmentRecord.byteCount + MovieFragment.byteCount(of: runs) + 8 + mediaByteCount }

    /// Bytes of the samples of all tracks.
    public var mediaByteCount: Int { runs.reduce(0) { $0 + $1.byteCount } }

    /// The most bytes by which the fragment makes the file's final tables longer.
    public var tableByteCount: Int {
        runs.reduce(0) { $0 + ($1.entries.isEmpty ? 0 : 20 + 16 * $1.entries.count) }
    }

    /// The number of samples of a track.
    public func sampleCount(track: Int) -> Int { runs[track].entries.count }

    /// When a track goes on behind the fragment, in nanoseconds from the start of the part; 0 for a track without a
    /// sample in it.
    public func endNanoseconds(track: Int) -> Int64 {
        let run = runs[track]
        guard !run.entries.isEmpty else { return 0 }
        return rescale(run.endTime, by: 1_000_000_000, over: timescales[track])
    }

    /// The CRC-32C of the media bytes as they will lie in the file.
    var mediaChecksum: UInt32 {
        chunks.reduce(0) { ckernel_crc32c_combine($0, $1.checksum, UInt64($1.count)) }
    }

    func append(_ bytes: UnsafeRawBufferPointer, track: Int, isSync: Bool) {
        runs[track].entries.append(SampleEntry(size: bytes.count, isSync: isSync, duration: 1))
        runs[track].byteCount += bytes.count
        chunks[track].append(bytes)
    }

    /// Sets when the track's first sample in the fragment is shown.
    func begin(track: Int, at time: Int64) { runs[track].baseTime = time }

    /// Sets how long the track's last sample so far lasts.
    func setLastDuration(track: Int, to duration: UInt32) {
        runs[track].entries[runs[track].entries.count - 1].duration = duration
    }

    /// Forgets the samples and keeps their memory.
    func removeAll() {
        for track in runs.indices {
            runs[track].removeAll()
            chunks[track].removeAll()
        }
    }
}
