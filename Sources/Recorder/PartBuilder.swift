import Linux
import MP4
import Media

/// One part on the pipeline thread: puts packets on the part's timeline and cuts fragments.
///
/// The part's time 0 is the start of its first sound packet; the first picture stands at 0 too, moved by a few
/// milliseconds at most (see `SplitSchedule`), and all others exactly where they belong.
struct PartBuilder {
    /// Counted from 1.
    let number: Int
    private let assembler: FragmentAssembler
    private let origin: Int64
    private let videoScale: Int64
    private let sampleRates: [Int64]
    private var lastTicks: [Int64?]
    /// The time from which on a fragment is due.
    private(set) var nextCut: Int64

    /// - Parameters:
    ///   - number: counted from 1.
    ///   - tracks: the picture, then the sound tracks.
    ///   - origin: nanoseconds from the recording's first picture to the part's time 0.
    ///   - start: nanoseconds from the recording's first picture to the part's first one.
    init(number: Int, tracks: [Track], origin: Int64, start: Int64) {
        self.number = number
        self.origin = origin
        assembler = FragmentAssembler(tracks: tracks)
        var scale: Int64 = 90_000
        var rates: [Int64] = []
        for track in tracks {
            switch track {
            case .video(let video): scale = video.timescale
            case .audio(let audio): rates.append(Int64(audio.format.rate))
            }
        }
        videoScale = scale
        sampleRates = rates
        lastTicks = Array(repeating: nil, count: tracks.count)
        // The first fragment is short, so that a light can be steady soon after the press.
        nextCut = start + 200_000_000
    }

    /// Bytes in the open fragment.
    var waitingByteCount: Int { assembler.byteCount }

    /// Puts a picture behind the others; `time` is in nanoseconds from the recording's first picture.
    mutating func appendVideo(_ packet: EncodedPacket, at time: Int64) {
        let ticks = nextTicks(track: 0, at: videoTicks(time))
        lastTicks[0] = ticks
        assembler.append(packet.bytes, track: 0, time: ticks, isSync: packet.isKeyFrame)
    }

    /// Puts a sound packet behind the others; `sample` is its first sample, counted from the recording's first picture.
    mutating func appendAudio(_ bytes: UnsafeRawBufferPointer, lane: Int, sample: Int64) {
        let ticks = nextTicks(track: lane + 1, at: audioTicks(sample, lane: lane))
        lastTicks[lane + 1] = ticks
        assembler.append(bytes, track: lane + 1, time: ticks, isSync: true)
    }

    /// Begins a chapter with the picture at a time, in nanoseconds from the recording's first one.
    func beginChapter(_ title: String, at time: Int64) {
        // A player that goes to a whole millisecond in front of the picture would show the one before.
        assembler.beginChapter(title, at: max(0, time - origin) + 999_999)
    }

    /// Whether a fragment is due when the pictures have come to this time.
    func isCutDue(at time: Int64) -> Bool { time >= nextCut }

    /// Ends the open fragment.
    /// - Parameters:
    ///   - videoTime: when the pictures go on, or end.
    ///   - samples: for each sound track, the sample at which it goes on or ends.
    ///   - moment: the time that made the cut due, where that is not the picture's.
    /// - Returns: nil when nothing waits.
    mutating func cut(videoTime: Int64, samples: [Int64], dueAt moment: Int64? = nil) -> Fragment? {
        while nextCut <= max(videoTime, moment ?? videoTime) { nextCut += 1_000_000_000 }
        var next = [nextTicks(track: 0, at: videoTicks(videoTime))]
        for (lane, sample) in samples.enumerated() {
            next.append(nextTicks(track: lane + 1, at: audioTicks(sample, lane: lane)))
        }
        return assembler.seal(nextTimes: next)
    }

    /// Takes a fragment's memory back once it is written.
    func recycle(_ fragment: Fragment) {
        assembler.recycle(fragment)
    }

    private func videoTicks(_ time: Int64) -> Int64 {
        ticks(at: time - origin, timescale: videoScale)
    }

    private func audioTicks(_ sample: Int64, lane: Int) -> Int64 {
        sample - ticks(at: origin, timescale: sampleRates[lane])
    }

    /// A track starts at 0 and always goes forward.
    private func nextTicks(track: Int, at ticks: Int64) -> Int64 {
        guard let last = lastTicks[track] else { return 0 }
        return max(last + 1, ticks)
    }
}
