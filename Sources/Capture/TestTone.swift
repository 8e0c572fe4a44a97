import Glibc
import Linux
import Media

/// A synthetic sound: a quiet tone of 440 Hz at -30 dBFS, and a beep of 1 kHz at -6 dBFS for as long as the test picture
/// flashes (`FlashSchedule`). Both channels carry the same.
///
/// The time of sample k is the origin plus k sample periods; a beep begins with the first sample at or after the time of
/// its frame. Used by one thread.
public final class TestTone: AudioSource {
    public let name = "test tone"
    public let format: AudioFormat
    public let descriptors: [Int32] = []
    public let silenceInserted: Int64 = 0
    private let schedule: FlashSchedule
    /// Whole periods of each wave, so that it can be repeated for ever without a step.
    private let tone: [Int16]
    private let beep: [Int16]
    private let beepSamples: Int64
    private var origin = MonotonicTime(nanoseconds: 0)
    private var position: Int64 = 0
    /// The second whose beep comes next or sounds now, and its first sample.
    private var second: Int64 = 0
    private var onset: Int64 = 0
    private var isRunning = false

    /// - Parameters:
    ///   - rate: the test picture's rate, from which the beeps' moments follow.
    ///   - format: any rate from 8000 to 192 000, 1 or 2 channels.
    public init(rate: FrameRate, format: AudioFormat = .standard) {
        self.format = format
        schedule = FlashSchedule(rate: rate)
        tone = Self.wave(frequency: 440, decibels: -30, rate: format.rate)
        beep = Self.wave(frequency: 1000, decibels: -6, rate: format.rate)
        // Whole periods of the beep, so that it ends as it began, at 0.
        let period = max(Int64(format.rate) / 1000, 1)
        beepSamples = max(format.samples(in: schedule.beepNanoseconds) / period, 1) * period
    }

    public func start(origin: MonotonicTime) throws(Failure) {
        self.origin = origin
        position = 0
        second = 0
        onset = 0
        isRunning = true
    }

    public func read(
        into buffer: UnsafeMutableBufferPointer<Int16>, before limit: MonotonicTime
    ) throws(Failure) -> AudioSpan? {
        let available = firstSample(atOrAfter: limit - origin) - position
        let frames = min(available, Int64(buffer.count / format.channels))
        guard isRunning, frames > 0 else { return nil }
        fill(buffer, frames: Int(frames))
        let time = origin + format.nanoseconds(of: position)
        position += frames
        return AudioSpan(time: time, frames: Int(frames))
    }

    public func stop() {
        isRunning = false
    }

    private func fill(_ buffer: UnsafeMutableBufferPointer<Int16>, frames: Int) {
        var tonePlace = Int(position % Int64(tone.count))
        for index in 0..<frames {
            var value = tone[tonePlace]
            tonePlace = tonePlace + 1 == tone.count ? 0 : tonePlace + 1
            let place = position + Int64(index) - onset
            if place >= 0 {
                if place < beepSamples {
                    value += beep[Int(place % Int64(beep.count))]
                } else {
                    moveToBeep(after: position + Int64(index))
                }
            }
            for channel in 0..<format.channels { buffer[index * format.channels + channel] = value }
        }
    }

    /// Finds the first beep that begins behind a sample. Below one picture a second several seconds share a flash.
    private func moveToBeep(after sample: Int64) {
        while onset <= sample {
            second += 1
            onset = firstSample(atOrAfter: schedule.nanoseconds(ofSecond: second))
        }
    }

    /// The first sample that does not lie before a moment.
    /// - Parameter nanoseconds: since the origin.
    private func firstSample(atOrAfter nanoseconds: Int64) -> Int64 {
        -rescale(-nanoseconds, by: Int64(format.rate), over: 1_000_000_000)
    }

    private static func wave(frequency: Int, decibels: Double, rate: Int) -> [Int16] {
        var (large, small) = (rate, frequency)
        while small != 0 { (large, small) = (small, large % small) }
        let (count, periods) = (rate / large, frequency / large)
        let amplitude = 32767 * pow(10, decibels / 20)
        return (0..<count).map {
            Int16((amplitude * sin(2 * .pi * Double(periods) * Double($0) / Double(count))).rounded())
        }
    }
}
