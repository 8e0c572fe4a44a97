import Media

/// The recording's newest picture, which is kept from its source so that it can be recorded again while no other comes in
/// (`SignalLossPolicy.hold`). On the pipeline thread.
struct StandIn {
    private var frame: VideoFrame?
    /// The one before, where nobody else gives it back.
    private var former: VideoFrame?
    /// Whether the encoder is done with it.
    private var isBack = false

    /// Keeps a picture that the encoder has just got, in place of the one before.
    mutating func change(to frame: VideoFrame) {
        if isBack, self.frame !== frame { former = self.frame }
        (self.frame, isBack) = (frame, false)
    }

    /// Whether `takeFormer` has one.
    var hasFormer: Bool { former != nil }

    /// The picture that was kept before, where it is to go back to its source.
    mutating func takeFormer() -> VideoFrame? { former.take() }

    /// Takes a picture in that the encoder is done with.
    /// - Returns: false when it is free to go back to its source.
    mutating func keeps(_ frame: VideoFrame) -> Bool {
        guard self.frame === frame else { return false }
        isBack = true
        return true
    }

    /// The picture, where the encoder can take it again.
    var ready: VideoFrame? { isBack ? frame : nil }

    /// Lets the picture go.
    /// - Returns: the picture, where nobody else will give it back.
    mutating func take() -> VideoFrame? {
        defer { (frame, isBack) = (nil, false) }
        return ready
    }
}
