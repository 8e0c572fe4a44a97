import Media

/// Frames that a source made once and fills again and again.
struct FramePool {
    private var free: [VideoFrame]
    /// Frames in all.
    let capacity: Int

    init(_ frames: [VideoFrame]) {
        free = frames.reversed()
        capacity = frames.count
    }

    /// Frames that can be taken.
    var available: Int { free.count }

    mutating func take() -> VideoFrame? { free.popLast() }

    mutating func give(_ frame: VideoFrame) {
        precondition(free.count < capacity, "a frame was released twice")
        free.append(frame)
    }
}
