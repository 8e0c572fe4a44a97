import Linux

/// Where a pattern is at a time, for lights that the kernel does not let blink by itself. A value without clock or device:
/// times are counted from the start, so that what is late once is not late for ever.
struct PatternPlayer: Equatable, Sendable {
    private let pattern: LightPattern
    private let start: MonotonicTime

    init(_ pattern: LightPattern, from start: MonotonicTime) {
        self.pattern = pattern
        self.start = start
    }

    /// How the light has to be at a time.
    /// - Returns: on or off, and when that changes; nil when never.
    func state(at time: MonotonicTime) -> (isLit: Bool, until: MonotonicTime?) {
        if let level = pattern.level { return (level, nil) }
        let round = pattern.steps.reduce(0) { $0 + Int64($1.milliseconds) } * 1_000_000
        let elapsed = max(time - start, 0)
        if let repeats = pattern.repeats, elapsed / round >= repeats { return (false, nil) }
        var end = elapsed / round * round
        for step in pattern.steps {
            end += Int64(step.milliseconds) * 1_000_000
            if elapsed < end { return (step.isLit, start + end) }
        }
        return (false, start + end)
    }
}
