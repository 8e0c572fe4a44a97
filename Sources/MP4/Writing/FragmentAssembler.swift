import Media

/// Gathers encoded samples of one part into fragments. One for each part, used by the pipeline thread alone.
///
/// Every sample's bytes are copied once, into memory that is used again for later fragments.
public final class FragmentAssembler {
    private let tracks: [Track]
    /// What is being filled; taken only when a sample comes, so that one that was just given back, whose memory is still
    /// in the processor's cache, is the next one.
    private var open: Fragment?
    private var spare: [Fragment] = []

    /// The earliest time at which the next sample of each track may stand; nil before the first one.
    private var nextTimes: [Int64?]

    /// Chapters that were begun and are in no fragment yet.
    private var chapters: [Chapter] = []
    private var chapterCount = 0
    private var lastChapter: Int64 = -1
    /// So many chapters go into one fragment, so that its headers stay small.
    private static let mostChaptersAtOnce = 32

    /// Gathers the samples of a part that begins.
    /// - Parameter tracks: the tracks of the part, in the order in which they are numbered by the other calls; the same
    ///   as for `PartFile.begin`.
    public init(tracks: [Track]) {
        self.tracks = tracks
        nextTimes = tracks.map { _ in nil }
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
        let start = startTime(time, track)
        openFragment().tracks[track].append(bytes, at: start, isSync: isSync)
        nextTimes[track] = start + 1
    }

    /// Puts a sample behind the others of its track, as the other call does, for a caller that has yet to read the bytes
    /// from somewhere: they need no place in between.
    /// - Parameters:
    ///   - byteCount: bytes of the sample.
    ///   - fill: puts all of them in place. When it throws, nothing was appended.
    public func append<Fault: Error>(
        byteCount: Int, track: Int, time: Int64, isSync: Bool,
        fill: (UnsafeMutableRawBufferPointer) throws(Fault) -> Void
    ) throws(Fault) {
        guard byteCount > 0 else { return }
        let start = startTime(time, track)
        try openFragment().tracks[track].append(byteCount: byteCount, at: start, isSync: isSync, fill: fill)
        nextTimes[track] = start + 1
    }

    /// Ends the fragment.
    /// - Parameter nextTimes: for each track, the time at which it goes on, in ticks from the start of the part; that of
    ///   a track without a sample in the fragment is not looked at.
    /// - Returns: the fragment, or nil when no sample waits.
    public func seal(nextTimes goesOn: [Int64]) -> Fragment? {
        guard let fragment = open, !fragment.isEmpty else { return nil }
        for (track, samples) in fragment.tracks.enumerated() where samples.sampleCount > 0 {
            let next = max(goesOn[track], nextTimes[track] ?? 0)
            samples.end(at: next)
            nextTimes[track] = next
        }
        fragment.chapters = Array(chapters.prefix(Self.mostChaptersAtOnce))
        chapters.removeFirst(fragment.chapters.count)
        open = nil
        return fragment
    }

    /// Begins a chapter. It is on the medium with the next fragment. What lies before the first one becomes a chapter of
    /// its own, since players show chapters that follow one another without a gap.
    /// - Parameters:
    ///   - title: what players show; "Chapter 2" and so on where it is empty.
    ///   - nanoseconds: from the start of the part. A time that does not rise is moved to a millisecond behind the last.
    /// - Returns: false when the part has as many chapters as players can read, 255.
    @discardableResult
    public func beginChapter(_ title: String, at nanoseconds: Int64) -> Bool {
        let time = max(nanoseconds / 1_000_000, lastChapter + 1)
        guard chapterCount < Chapter.mostInPart - 1 else { return false }
        if chapterCount == 0, time > 0 { enterChapter("", at: 0) }
        enterChapter(title, at: time)
        return true
    }

    private func enterChapter(_ title: String, at milliseconds: Int64) {
        chapterCount += 1
        let chapter = Chapter(milliseconds: milliseconds, title: title)
        let isNamed = !chapter.title.isEmpty
        chapters.append(
            isNamed ? chapter : Chapter(milliseconds: milliseconds, title: "Chapter \(chapterCount)"))
        lastChapter = milliseconds
    }

    private func startTime(_ time: Int64, _ track: Int) -> Int64 { nextTimes[track].map { max(time, $0) } ?? 0 }

    private func openFragment() -> Fragment {
        if let open { return open }
        let fragment = spare.popLast() ?? Fragment(tracks: tracks)
        open = fragment
        return fragment
    }

    /// Takes back a fragment that was written, so that its memory is used again. Only fragments of this assembler.
    public func recycle(_ fragment: Fragment) {
        fragment.removeAll()
        spare.append(fragment)
    }

    /// Bytes of the samples that wait in the open fragment.
    public var byteCount: Int { open?.mediaByteCount ?? 0 }

    /// True when no sample of the track waits in the open fragment.
    public func isEmpty(track: Int) -> Bool { (open?.tracks[track].sampleCount ?? 0) == 0 }
}
