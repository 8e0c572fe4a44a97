import Media

/// Decides when the encoder should put less work into a frame, and when it may put in more again. It sees how long each frame
/// took and how many wait, and nothing else; so it can be tried without an encoder.
struct EffortGovernor {
    /// The present step.
    private(set) var step: EffortStep
    /// The most effort to go back to.
    private let start: EffortStep
    /// Nanoseconds from frame to frame.
    private let interval: Double
    /// Frames a second, rounded up.
    private let second: Int
    /// Frames that fit in the queue before the encoder.
    private let capacity: Int
    /// A frame's time as a share of the interval: a moving average.
    private var load = 0.0
    private var framesSinceChange = 0
    private var calmFrames = 0
    /// Frames that must have been calm before more effort is tried; doubled each time that it was too much.
    private var patience: Int
    private var isTrying = false

    /// - Parameters:
    ///   - step: the step to begin with, which is never exceeded.
    ///   - rate: frames a second that come in.
    ///   - capacity: frames that fit in the queue before the encoder.
    init(startingAt step: EffortStep, rate: FrameRate, capacity: Int) {
        self.step = step
        start = step
        interval = 1_000_000_000 / rate.perSecond
        second = max(Int(rate.perSecond.rounded(.up)), 1)
        self.capacity = capacity
        patience = max(10 * second, 30)
    }

    /// Takes note of a frame that was encoded.
    /// - Parameters:
    ///   - nanoseconds: how long it took.
    ///   - waiting: frames in the queue afterwards.
    /// - Returns: the step to take now, or nil.
    mutating func note(nanoseconds: Int64, waiting: Int) -> EffortStep? {
        let share = Double(nanoseconds) / interval
        load = framesSinceChange == 0 ? share : load + (share - load) / 8
        framesSinceChange += 1
        let isBusy = load > 0.9 || (waiting >= capacity / 2 && load > 0.5)
        if isBusy {
            calmFrames = 0
            // The first frames after a change still carry what went before.
            guard framesSinceChange >= max(second / 4, 4), let less = step.less else { return nil }
            if isTrying { patience = min(patience * 2, 600 * second) }
            return change(to: less)
        }
        guard step != start, let more = step.more else { return nil }
        calmFrames = load * more.cost / step.cost < 0.6 ? calmFrames + 1 : 0
        if isTrying && calmFrames >= patience { isTrying = false }
        guard calmFrames >= patience else { return nil }
        isTrying = true
        return change(to: more)
    }

    private mutating func change(to next: EffortStep) -> EffortStep {
        if next.rawValue > step.rawValue { isTrying = false }
        step = next
        framesSinceChange = 0
        calmFrames = 0
        return next
    }
}
