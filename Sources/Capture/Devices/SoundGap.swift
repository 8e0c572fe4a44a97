import Linux
import Media

/// Keeps count of where captured sound ends in time, and says how much silence stands for what was missed.
///
/// After an overrun or a suspend the sound goes on at another moment than where it broke off. The times that the kernel
/// stamped before and after decide how many samples lie between, so that all later samples keep their place.
struct SoundGap {
    private let format: AudioFormat
    /// The moment behind the last sample that was read.
    private(set) var end: MonotonicTime?
    private var isBroken = false

    init(format: AudioFormat) {
        self.format = format
    }

    /// Takes note of samples that were read.
    /// - Parameter time: of the first of them, as stamped.
    mutating func read(_ frames: Int, at time: MonotonicTime) {
        end = time + format.nanoseconds(of: Int64(frames))
    }

    /// Takes note that the device stopped by itself and will go on later.
    mutating func interrupt() {
        isBroken = end != nil
    }

    /// After an interruption: samples of silence between the last one read and the first one that can be read now.
    /// - Parameter time: of that one, as stamped.
    mutating func silence(before time: MonotonicTime) -> Int64 {
        guard isBroken, let end else { return 0 }
        isBroken = false
        return max(format.samples(in: max(time - end, 0)), 0)
    }
}
