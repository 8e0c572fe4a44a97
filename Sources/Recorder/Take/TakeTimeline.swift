import Linux

/// Where in a recording a moment lies. Pauses take no time in it. A value without side effects.
struct TakeTimeline {
    /// What runs without a pause.
    private struct Stretch {
        /// When its first picture was captured.
        var start: MonotonicTime
        /// Nanoseconds of the recording up to there.
        var time: Int64
    }

    /// When the first picture was captured.
    let origin: MonotonicTime
    /// While the recording is paused, the nanoseconds of it that there are.
    private(set) var end: Int64?
    private var stretches: [Stretch]

    /// - Parameter origin: when the first picture was captured.
    init(origin: MonotonicTime) {
        self.origin = origin
        stretches = [Stretch(start: origin, time: 0)]
    }

    /// Nanoseconds of the recording up to a moment. A moment within a pause is where the recording goes on behind it.
    func time(of moment: MonotonicTime) -> Int64 {
        var limit = end ?? .max
        for stretch in stretches.reversed() {
            if moment >= stretch.start { return min(stretch.time + (moment - stretch.start), limit) }
            limit = stretch.time
        }
        // Before the first picture: negative.
        return moment - origin
    }

    /// The moment that lies so many nanoseconds of the recording from its start, if it goes on without a pause from now on.
    func moment(of time: Int64) -> MonotonicTime {
        let last = stretches[stretches.count - 1]
        return last.start + (time - last.time)
    }

    /// Begins a pause.
    /// - Parameter time: nanoseconds of the recording that there are.
    mutating func pause(at time: Int64) {
        end = time
    }

    /// Ends a pause.
    /// - Parameter moment: when the first picture behind it was captured.
    mutating func resume(at moment: MonotonicTime) {
        guard let end else { return }
        stretches.append(Stretch(start: moment, time: end))
        self.end = nil
    }
}
