import Linux
import Media

/// What a person should look at while a recording is being saved. A value without side effects.
struct TakeWarnings {
    /// What a recording knows of itself at a moment.
    struct Look {
        var time: MonotonicTime
        /// Pictures that were lost anywhere so far.
        var lostFrames: Int64
        /// When something was last heard; nil when there is no sound to be heard, or none is recorded.
        var lastLoud: MonotonicTime?
        /// Bytes that the recording may still take; nil while nobody knows.
        var roomByteCount: Int64?
        /// Bytes and nanoseconds of the recording so far.
        var byteCount: Int64
        var nanoseconds: Int64
    }

    /// What was told of last.
    private(set) var isOn: Set<RecorderWarning> = []
    private var lastLook: MonotonicTime?
    private var lostFrames: Int64 = 0
    private var lastLoss: MonotonicTime?

    /// Nanoseconds from one look to the next.
    private static let interval: Int64 = 1_000_000_000
    /// Nanoseconds that a loss is told of, and that silence may last.
    private static let patience: Int64 = 10_000_000_000
    /// Nanoseconds that are to be left on the medium.
    private static let reserve: Int64 = 600_000_000_000

    /// Whether it is time to look.
    func isDue(at time: MonotonicTime) -> Bool { lastLook.map { time - $0 >= Self.interval } ?? true }

    /// Looks.
    /// - Returns: what has begun or is over.
    mutating func take(_ look: Look) -> [(RecorderWarning, isOn: Bool)] {
        lastLook = look.time
        if look.lostFrames > lostFrames { lastLoss = look.time }
        lostFrames = look.lostFrames
        var now: Set<RecorderWarning> = []
        if let lastLoss, look.time - lastLoss < Self.patience { now.insert(.drops) }
        if let loud = look.lastLoud, look.time - loud > Self.patience { now.insert(.silence) }
        // The rate of the first moments says little.
        if let room = look.roomByteCount, look.nanoseconds > 5_000_000_000, look.byteCount > 0 {
            let left = Double(room) / Double(look.byteCount) * Double(look.nanoseconds)
            if left < Double(Self.reserve) { now.insert(.space) }
        } else if isOn.contains(.space) {
            now.insert(.space)
        }
        defer { isOn = now }
        return RecorderWarning.allCases.filter { now.contains($0) != isOn.contains($0) }.map { ($0, now.contains($0)) }
    }
}
