import Linux

/// The pictures that are inside an encoder: what comes out is matched to what went in by its time, which the device keeps in
/// microseconds only. An encoder may leave pictures out; whatever is older than what came out will never come.
struct PendingPictures {
    /// A ring of times in nanoseconds, oldest first.
    private var times: [MonotonicTime]
    private var first = 0
    /// The last time that was found, in microseconds: a second buffer with it is no other picture.
    private var lastMatched: Int64?
    /// Pictures that went in and whose packets have not come out.
    private(set) var count = 0

    /// What was found for a packet.
    struct Match: Equatable {
        /// When its picture was captured.
        var time: MonotonicTime
        /// Older pictures of which nothing will come.
        var skipped: Int
    }

    /// - Parameter capacity: the most pictures that wait, 1 or more.
    init(capacity: Int) {
        times = Array(repeating: MonotonicTime(nanoseconds: 0), count: capacity)
    }

    /// Takes note of a picture that goes in.
    /// - Returns: pictures that had to be given up, since more are inside than any encoder holds.
    mutating func add(_ time: MonotonicTime) -> Int {
        let lost = count == times.count ? 1 : 0
        drop(lost)
        times[(first + count) % times.count] = time
        count += 1
        return lost
    }

    /// The picture that a coded buffer belongs to. A time that no picture has (some drivers' first buffer has 0) is taken for
    /// the oldest one's.
    /// - Parameter time: as the device gives it, in whole microseconds.
    /// - Returns: nil when nothing is inside, or when this picture has come out before.
    mutating func match(_ time: MonotonicTime) -> Match? {
        let microseconds = time.nanoseconds / 1000
        guard count > 0, microseconds != lastMatched else { return nil }
        var skipped = 0
        while skipped < count, times[(first + skipped) % times.count].nanoseconds / 1000 != microseconds {
            skipped += 1
        }
        if skipped == count { skipped = 0 } else { lastMatched = microseconds }
        let match = Match(time: times[(first + skipped) % times.count], skipped: skipped)
        drop(skipped + 1)
        return match
    }

    /// Gives all pictures up.
    /// - Returns: their number.
    mutating func removeAll() -> Int {
        defer { drop(count) }
        return count
    }

    private mutating func drop(_ number: Int) {
        first = (first + number) % times.count
        count -= number
    }
}
