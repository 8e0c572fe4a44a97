import CKernel
import Media

/// The samples of about a second, ready to be written: made by a `FragmentAssembler`, written by a `PartFile`, and given
/// back to the assembler, which uses its memory again.
public final class Fragment: @unchecked Sendable {
    // Unchecked because fragments travel through queues: whoever took the fragment from the queue is its only user.

    /// The samples of each track.
    let tracks: [FragmentTrack]
    /// The chapters that begin in it, or that could not be put into an earlier one.
    var chapters: [Chapter] = []
    private let timescales: [Int64]

    init(tracks: [Track]) {
        self.tracks = tracks.map { _ in FragmentTrack() }
        timescales = tracks.map(\.timescale)
    }

    /// What is known of the samples of each track; looked at where it lies.
    var runs: LazyMapCollection<[FragmentTrack], SampleRun> { tracks.lazy.map { $0.run } }

    /// Bytes that the fragment takes in the file: record, headers and media.
    public var byteCount: Int {
        FragmentRecord.byteCount + MovieFragment.byteCount(of: runs, chapters) + 8 + mediaByteCount
    }

    /// Bytes of the samples of all tracks.
    public var mediaByteCount: Int { tracks.reduce(0) { $0 + $1.byteCount } }

    /// The most bytes by which the fragment makes the file's final tables longer.
    public var tableByteCount: Int {
        tracks.reduce(chapters.isEmpty ? 0 : 700 + 256 * chapters.count) {
            $0 + ($1.sampleCount == 0 ? 0 : 20 + 16 * $1.sampleCount)
        }
    }

    /// True when no track has a sample.
    var isEmpty: Bool { tracks.allSatisfy { $0.sampleCount == 0 } }

    /// The number of samples of a track.
    public func sampleCount(track: Int) -> Int { tracks[track].sampleCount }

    /// When a track goes on behind the fragment, in nanoseconds from the start of the part; 0 for a track without a
    /// sample in it.
    public func endNanoseconds(track: Int) -> Int64 {
        let run = tracks[track].run
        guard !run.entries.isEmpty else { return 0 }
        return rescale(run.endTime, by: 1_000_000_000, over: timescales[track])
    }

    /// The CRC-32C of the media bytes as they will lie in the file.
    var mediaChecksum: UInt32 {
        var checksum: UInt32 = 0
        var isFirst = true
        for track in tracks where track.byteCount > 0 {
            checksum =
                isFirst
                ? track.checksum : ckernel_crc32c_combine(checksum, track.checksum, UInt64(track.byteCount))
            isFirst = false
        }
        return checksum
    }

    /// Forgets the samples and keeps their memory.
    func removeAll() {
        for track in tracks { track.removeAll() }
        chapters.removeAll()
    }
}
