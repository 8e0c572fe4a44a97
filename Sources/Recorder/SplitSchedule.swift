import Encoding
import Linux
import Media

/// Decides at which picture a new part begins. A value without side effects: it is asked for each picture before it is
/// encoded and answers whether that picture must become the first of a part.
///
/// A part begins on a picture near the boundary of a sound packet, so that picture and sound of the new part start
/// together without an edit list: if the picture at the limit lies further than 8 ms from a boundary, one of the next
/// pictures within a second (or of the next two, at low rates) is taken. Mostly it is the very next one.
struct SplitSchedule {
    private let limits: SplitLimits
    private let sampleRate: Int64?
    private var framePeriod: Int64
    private var byteRate: Int64
    private var nextLimit: Int64
    private var wantedSince: Int64?

    private static let packetSamples = Int64(AudioPriming.packetSamples)
    /// A picture and a sound packet that start this close to each other start together for everybody: 8 ms.
    private static let closeEnough: Int64 = 8_000_000

    /// - Parameters:
    ///   - limits: size and duration.
    ///   - sampleRate: of the first sound track; nil without sound.
    ///   - rate: nominal rate of the pictures.
    ///   - byteRate: the most bytes a second that the encoders together may give for long.
    init(limits: SplitLimits, sampleRate: Int?, rate: FrameRate, byteRate: Int) {
        self.limits = limits
        self.sampleRate = sampleRate.map(Int64.init)
        framePeriod = rate.nanoseconds(of: 1)
        self.byteRate = Int64(byteRate)
        nextLimit = limits.nanoseconds
    }

    /// Goes on with pictures of another rate and size.
    mutating func goOn(with other: SplitSchedule) {
        framePeriod = other.framePeriod
        byteRate = other.byteRate
    }

    /// Bytes of a part that must still be free when the split is asked for: the rate control's buffer of a second, the
    /// search for a sound boundary and what is inside the encoder, but at most half of the limit.
    var reserve: Int64 {
        let search = sampleRate == nil ? 0 : byteRate * (window / 1_000_000) / 1000
        return min(byteRate * 5 / 4 + search + 16_384, limits.byteCount / 2)
    }

    /// How long a picture near a boundary of the sound is waited for.
    private var window: Int64 { max(1_000_000_000, 2 * framePeriod) }

    /// Nanoseconds until the split by duration is due; nil when there is none.
    func remaining(at time: Int64) -> Int64? {
        limits.nanoseconds > 0 ? nextLimit - time : nil
    }

    /// When the next picture is to be looked at, in nanoseconds of the recording: that of the split by duration, or at once
    /// where a good one is waited for; nil when nothing is due at any time.
    var nextDue: Int64? {
        if let wantedSince { return wantedSince }
        return limits.nanoseconds > 0 ? nextLimit : nil
    }

    /// Bytes until the split by size is asked for; nil when there is no limit.
    func remainingByteCount(of partByteCount: Int64) -> Int64? {
        limits.byteCount > 0 ? limits.byteCount - reserve - partByteCount : nil
    }

    /// Whether a picture must begin a part.
    /// - Parameters:
    ///   - time: nanoseconds from the recording's first picture to this one.
    ///   - partByteCount: bytes of the present part with all that waits and with its final tables.
    ///   - isAsked: true when somebody asked for a split by hand.
    mutating func beginsPart(at time: Int64, partByteCount: Int64, isAsked: Bool = false) -> Bool {
        let isLong = limits.nanoseconds > 0 && time >= nextLimit
        let isLarge = limits.byteCount > 0 && partByteCount + reserve >= limits.byteCount
        guard isLong || isLarge || isAsked || wantedSince != nil else { return false }
        let since = wantedSince ?? time
        wantedSince = since
        let isLast = time + framePeriod - since > window
        guard distanceFromSound(time) <= Self.closeEnough || isLast else { return false }
        wantedSince = nil
        if limits.nanoseconds > 0 {
            while nextLimit <= time { nextLimit += limits.nanoseconds }
        }
        return true
    }

    /// Nanoseconds between a picture and the nearest boundary of a sound packet.
    private func distanceFromSound(_ time: Int64) -> Int64 {
        guard let sampleRate else { return 0 }
        let samples = ticks(at: time, timescale: sampleRate)
        let beyond = samples % Self.packetSamples
        return rescale(min(beyond, Self.packetSamples - beyond), by: 1_000_000_000, over: sampleRate)
    }
}
