import Media

/// Gathers encoded samples of one part into fragments. One for each part, used by the pipeline thread alone.
///
/// Every sample's bytes are copied once, into memory that is used again for later fragments.
public final class FragmentAssembler {
    private let tracks: [Track]
    private var open: Fragment
    private var spare: [Fragment] = []
    private var states: [TrackState]

    /// Where a track stands.
    private struct TrackState {
        /// The time of the last sample, nil before the first one.
        var lastTime: Int64?
        /// The earliest time at which the next sample may stand.
        var nextTime: Int64 = 0
    }

    /// Starts with the first fragment of a part.
    /// - Parameter tracks: the tracks of the part, in the order in which they are numbered by the other calls; the same
    ///   as for `PartFile.begin`.
    public init(tracks: [Track]) {
        self.tracks = tracks
        open = Fragment(tracks: tracks)
        states = tracks.map { _ in TrackState() }
    }

    /// Puts a sample behind the others of its track.
    ///
    /// The first sample of a track is put at time 0 whatever time it comes with, and lasts until the second one: so a
    /// track needs no edit list to begin a little late. A time that does not rise is moved to one tick behind the time
    /// before it. A sample without bytes is passed over.
    /// - Parameters:
    ///   - bytes: the sample as the file will have it; it is copied.
    ///   - track: the number of the track.
    ///   - time: ticks of the track's timescale from the start of the part.
    ///   - isSync: true when a player can start with the sample; always for sound.
    public func append(_ bytes: UnsafeRawBufferPointer, track: Int, time: Int64, isSync: Bool) {
        guard bytes.count > 0 else { return }
        let start = states[track].lastTime == nil ? 0 : max(time, states[track].nextTime)
        if open.runs[track].entries.isEmpty {
            open.begin(track: track, at: start)
        } else if let last = states[track].lastTime {
            open.setLastDuration(track: track, to: UInt32(clamping: start - last))
        }
        open.append(bytes, track: track, isSync: isSync)
        states[track].lastTime = start
        states[track].nextTime = start + 1
    }

    /// Ends the fragment.
    /// - Parameter nextTimes: for each track, the time at which it goes on, in ticks from the start of the part; that of
    ///   a track without a sample in the fragment is not looked at.
    /// - Returns: the fragment, or nil when no sample waits.
    public func seal(nextTimes: [Int64]) -> Fragment? {
        guard !open.runs.allSatisfy(\.entries.isEmpty) else { return nil }
        for track in tracks.indices where !open.runs[track].entries.isEmpty {
            guard let last = states[track].lastTime else { continue }
            let next = max(nextTimes[track], last + 1)
            open.setLastDuration(track: track, to: UInt32(clamping: next - last))
            states[track].nextTime = next
        }
        defer { open = spare.popLast() ?? Fragment(tracks: tracks) }
        return open
    }

    /// Takes back a fragment that was written, so that its memory is used again. Only fragments of this assembler.
    public func recycle(_ fragment: Fragment) {
        fragment.removeAll()
        spare.append(fragment)
    }

    /// Bytes of the samples that wait in the open fragment.
    public var byteCount: Int { open.mediaByteCount }

    /// True when no sample of the track waits in the open fragment.
    public func isEmpty(track: Int) -> Bool { open.runs[track].entries.isEmpty }
}
