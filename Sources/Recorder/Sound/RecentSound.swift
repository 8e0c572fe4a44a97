import Capture
import Linux
import Media

/// The last second of what a source of sound gave, so that a recording can begin with what was heard before its first picture
/// came here. Its memory is made once.
final class RecentSound {
    private let format: AudioFormat
    private let memory: UnsafeMutableBufferPointer<Int16>
    /// What is kept: places in `memory`.
    private var kept = 0..<0
    /// When the last sample ends; nil before the first one.
    private var end: MonotonicTime?

    init(format: AudioFormat) {
        self.format = format
        // Twice as much as is kept, so that it is moved to the front once a second only.
        memory = .allocate(capacity: 2 * format.rate * format.channels)
        memory.initialize(repeating: 0)
    }

    deinit {
        memory.deallocate()
    }

    /// Samples for each channel.
    var count: Int { kept.count / format.channels }

    /// Puts samples behind the others; of more than a second the oldest go.
    /// - Parameters:
    ///   - more: a second at most.
    ///   - time: when the first of them was captured.
    func append(_ more: UnsafeBufferPointer<Int16>, at time: MonotonicTime) {
        let most = memory.count / 2
        let more = UnsafeBufferPointer(rebasing: more.suffix(most))
        guard let source = more.baseAddress, let base = memory.baseAddress else { return }
        if kept.upperBound + more.count > memory.count {
            let stays = kept.suffix(most - more.count)
            (base).update(from: base + stays.lowerBound, count: stays.count)
            kept = 0..<stays.count
        }
        (base + kept.upperBound).update(from: source, count: more.count)
        let upper = kept.upperBound + more.count
        kept = max(kept.lowerBound, upper - most)..<upper
        end = time + format.nanoseconds(of: Int64(more.count / format.channels))
    }

    /// The number of samples from the first one here to a moment: negative when the moment lies before it, more than there
    /// are when it is yet to come; nil when no sound has come yet.
    func samples(until moment: MonotonicTime) -> Int64? {
        guard let end else { return nil }
        return Int64(count) - format.samples(in: end - moment)
    }

    /// The samples from one of them on, interleaved; they stay in place until the next `append`.
    func samples(from sample: Int) -> UnsafeBufferPointer<Int16> {
        UnsafeBufferPointer(rebasing: memory[kept.dropFirst(sample * format.channels)])
    }
}
