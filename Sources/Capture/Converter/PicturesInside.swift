import Linux
import Media

/// The pictures that are inside a converter. What comes out is matched to what went in by its time, which the device keeps
/// in microseconds only; where it keeps none, by the order.
struct PicturesInside {
    /// What a device does not carry.
    struct Picture: Equatable {
        /// When it was captured, in nanoseconds.
        var time: MonotonicTime
        /// Its number at the source.
        var sequence: UInt64
        var isSlate: Bool

        init(_ frame: VideoFrame) {
            (time, sequence, isSlate) = (frame.time, frame.sequence, frame.isSlate)
        }
    }

    /// A ring, the oldest first. Nil where nothing was yet.
    private var ring: [Picture?]
    private var first = 0
    /// Pictures that went in and did not come out.
    private(set) var count = 0

    /// - Parameter capacity: the most pictures that can be inside, 1 or more.
    init(capacity: Int) {
        ring = Array(repeating: nil, count: capacity)
    }

    /// When the picture was captured that has been inside longest; nil when none is.
    var oldest: MonotonicTime? { count > 0 ? ring[first]?.time : nil }

    /// Takes note of a picture that goes in; there must be room for it.
    mutating func add(_ picture: Picture) {
        precondition(count < ring.count, "more pictures went in than there are buffers")
        ring[(first + count) % ring.count] = picture
        count += 1
    }

    /// The picture that came out.
    /// - Parameter time: as the device gives it.
    /// - Returns: the picture, and how many older ones will never come; nil when nothing was inside.
    mutating func match(_ time: MonotonicTime) -> (picture: Picture, skipped: Int)? {
        var skipped = 0
        while skipped < count, microseconds(at: skipped) != time.nanoseconds / 1000 { skipped += 1 }
        if skipped == count { skipped = 0 }
        guard count > 0, let picture = ring[(first + skipped) % ring.count] else { return nil }
        first = (first + skipped + 1) % ring.count
        count -= skipped + 1
        return (picture, skipped)
    }

    private func microseconds(at place: Int) -> Int64? {
        ring[(first + place) % ring.count].map { $0.time.nanoseconds / 1000 }
    }
}
