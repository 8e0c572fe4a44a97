import Capture
import Linux
import Media

/// The last second of sound before the recording's first picture is there. It is made before the recording and let go as
/// soon as the sound has its place.
final class EarlySound {
    /// Set when the first picture came before any sound did.
    let awaited: MonotonicTime?
    private let format: AudioFormat
    private var samples: [Int16] = []
    private var end: MonotonicTime?

    init(format: AudioFormat, waitsFor origin: MonotonicTime? = nil) {
        self.format = format
        awaited = origin
    }

    /// Samples for each channel.
    var count: Int { samples.count / format.channels }

    /// Puts samples behind the others; of more than a second the oldest go.
    func append(_ more: UnsafeBufferPointer<Int16>, at time: MonotonicTime) {
        samples.append(contentsOf: more)
        end = time + format.nanoseconds(of: Int64(more.count / format.channels))
        let most = format.rate * format.channels
        if samples.count > most { samples.removeFirst(samples.count - most) }
    }

    /// The number of samples from the first one here to a moment, negative when the moment lies before it; nil when no
    /// sound has come yet.
    func samples(until moment: MonotonicTime) -> Int64? {
        guard let end else { return nil }
        return Int64(count) - format.samples(in: end - moment)
    }

    /// Hands out the samples from an index into the interleaved values on.
    func withSamples(from index: Int, _ body: (UnsafeBufferPointer<Int16>) throws(Failure) -> Void) throws(Failure) {
        var failure: Failure?
        samples.withUnsafeBufferPointer { all in
            do throws(Failure) {
                try body(UnsafeBufferPointer(rebasing: all[index...]))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
