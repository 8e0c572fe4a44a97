import Linux
import Media
import V4L2

/// Who waits for a still, and the picture that is being made one, on the pipeline thread. The picture is read where it lies;
/// it goes back to its source when both the still and the encoder are done with it.
struct StillDesk {
    /// A request, and when it was made.
    struct Request {
        var number: Int
        var time: MonotonicTime
    }

    /// Those whose picture has not come yet.
    private(set) var waiting: [Request] = []
    private let done: EventDescriptor
    private var job: StillJob?
    private var served: [Request] = []
    /// The picture that the job reads.
    private var frame: VideoFrame?
    /// Whether nobody else needs it any more.
    private var isReturned = false

    /// - Parameter done: is signalled when a still is ready.
    init(_ done: EventDescriptor) {
        self.done = done
    }

    var isWaiting: Bool { !waiting.isEmpty }

    /// Whether a picture is being read.
    var isBusy: Bool { job != nil }

    mutating func ask(_ number: Int) {
        waiting.append(Request(number: number, time: .now))
    }

    /// Whether a picture is to become a still.
    /// - Parameter isFresh: whether only one from after the request will do: a source that gives only changes keeps what it
    ///   showed until somebody looks.
    func wants(_ frame: VideoFrame, isFresh: Bool) -> Bool {
        guard let first = waiting.first, job == nil, !frame.isSlate else { return false }
        return !isFresh || first.time <= frame.time
    }

    /// Makes a picture a still, on another thread.
    /// - Parameters:
    ///   - frame: until `end` it must not be filled again.
    ///   - format: what it is.
    ///   - layout: how it lies in memory of devices; nil where the processor sees it.
    ///   - isFresh: whether it is only for those who asked before it was shown.
    mutating func take(_ frame: VideoFrame, _ format: VideoFormat, layout: V4L2Format?, isFresh: Bool) {
        guard let job = try? StillJob(frame, format, layout: layout, done) else { return }
        (self.job, self.frame, isReturned) = (job, frame, false)
        served = waiting.filter { !isFresh || $0.time <= frame.time }
        waiting.removeFirst(served.count)
    }

    /// Takes a picture in that its other users are done with.
    /// - Returns: false when it is free to go back to its source.
    mutating func keeps(_ frame: VideoFrame) -> Bool {
        guard job != nil, self.frame === frame else { return false }
        isReturned = true
        return true
    }

    /// What has become of a still.
    struct Outcome {
        var numbers: [Int]
        var result: StillResult
        /// A picture that goes back to its source.
        var frame: VideoFrame?
    }

    /// Takes the still that is ready; nil when none is.
    mutating func end() -> Outcome? {
        guard let result = job?.takeResult() else { return nil }
        let outcome = Outcome(numbers: served.map(\.number), result: result, frame: isReturned ? frame : nil)
        (job, frame, served) = (nil, nil, [])
        return outcome
    }

    /// Takes those away whose picture will not come.
    /// - Parameter moment: only those who asked before it.
    mutating func giveUp(before moment: MonotonicTime = MonotonicTime(nanoseconds: .max)) -> [Int] {
        let numbers = waiting.filter { $0.time < moment }.map(\.number)
        waiting.removeAll { $0.time < moment }
        return numbers
    }

    /// Waits until nobody reads a picture any more.
    func waitForEnd() {
        job?.waitForEnd()
    }
}
