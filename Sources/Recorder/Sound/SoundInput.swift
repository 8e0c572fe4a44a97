import Capture
import Linux
import Media

/// A source of sound that is open, on the pipeline thread. It is read without a break, whether something is recorded or not.
final class SoundInput {
    let source: any AudioSource
    /// False for sound that is made along with the pictures.
    let isLive: Bool
    /// What was heard last.
    let recent: RecentSound
    /// The recording's track that gets what is read.
    var lane: AudioLane?
    /// True after the source has failed.
    private(set) var isLost = false
    /// When something louder than silence was last heard.
    private(set) var lastLoud: MonotonicTime?
    private var isStarted = false
    private var notice: String?
    private var peak: Int16 = 0
    private let buffer: UnsafeMutableBufferPointer<Int16>

    /// What is as quiet as this is silence: -60 dBFS.
    private static let quiet: Int16 = 32

    init(_ source: any AudioSource) {
        self.source = source
        isLive = !source.descriptors.isEmpty
        recent = RecentSound(format: source.format)
        buffer = .allocate(capacity: 4096 * source.format.channels)
    }

    deinit {
        buffer.deallocate()
    }

    /// Begins to capture; a second call changes nothing.
    /// - Parameter origin: the moment that synthetic sound counts its time from.
    func start(origin: MonotonicTime) throws(Failure) {
        guard !isStarted else { return }
        try source.start(origin: origin)
        isStarted = true
    }

    /// Reads what the source has.
    /// - Parameter moment: synthetic sound is made up to this moment.
    func read(before moment: MonotonicTime) {
        guard !isLost, isStarted else { return }
        do throws(Failure) {
            while let span = try source.read(into: buffer, before: moment) {
                let count = span.frames * source.format.channels
                let samples = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<count])
                measure(samples, at: span.time)
                recent.append(samples, at: span.time)
                try lane?.take(samples)
                // Room that is left says that there was no more; what came in meanwhile is read the next time.
                if count < buffer.count { return }
            }
        } catch {
            isLost = true
            notice = "\(source.name) is lost and the track goes on in silence: \(error.cause)"
        }
    }

    /// The loudest sample since the last call, 0…32768.
    func takePeak() -> Int {
        defer { peak = 0 }
        return abs(Int(peak))
    }

    /// What a person should know, once.
    func takeNotice() -> String? { notice.take() }

    private func measure(_ samples: UnsafeBufferPointer<Int16>, at time: MonotonicTime) {
        var loudest: Int16 = 0
        for sample in samples {
            // −32768 has no positive twin in 16 bits.
            loudest = max(loudest, sample == .min ? .max : abs(sample))
        }
        if loudest > Self.quiet { lastLoud = time }
        peak = max(peak, loudest)
    }
}
