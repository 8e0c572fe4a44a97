import CX264
import Glibc
import Linux
import Media
import Synchronization

/// What this machine can encode in real time, from a short trial: a few frames of a noisy moving picture of at most 640x480.
/// A trial takes some tens of milliseconds, at most 100 on a machine that is far too slow; its result is kept for as long as
/// the process lives.
enum MachineSpeed {
    /// Where an encoder begins.
    struct Start: Equatable {
        /// The preset that it is opened with.
        var effort: SoftwareEncoder.Effort
        /// The first step; the preset ultrafast has no steps.
        var step: EffortStep?
    }

    /// CPUs that are running.
    static var processors: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

    /// Threads for a picture of this size: slices cost bits, so small pictures get one and large ones at most four.
    static func threads(width: Int, height: Int) -> Int {
        width * height < 640 * 480 ? 1 : min(processors, 4)
    }

    /// Where to begin.
    /// - Parameters:
    ///   - configuration: valid.
    ///   - threads: threads that share a frame.
    static func start(_ configuration: SoftwareEncoder.Configuration, threads: Int) -> Start {
        choose(nanosecondsPerMacroblock: measured(configuration, threads: threads), configuration.format)
    }

    /// Six tenths of a frame's time for encoding leave room for capture, sound and the medium, and for busier pictures.
    /// - Parameter cost: for a macroblock in the preset superfast; nil when it is not known.
    static func choose(nanosecondsPerMacroblock cost: Double?, _ format: VideoFormat) -> Start {
        guard let cost else { return Start(effort: .ultrafast) }
        let macroblocks = Double((format.width + 15) / 16 * ((format.height + 15) / 16))
        let share = cost * macroblocks * format.rate.perSecond / 1_000_000_000
        for step in [EffortStep.whole, .plain] where share * step.cost <= 0.6 {
            return Start(effort: .superfast, step: step)
        }
        return Start(effort: .ultrafast)
    }

    private static let known = Mutex<[Int: Double]>([:])

    /// The time that a macroblock takes with this many threads; nil when the trial failed.
    private static func measured(_ configuration: SoftwareEncoder.Configuration, threads: Int) -> Double? {
        if let cost = known.withLock({ $0[threads] }) { return cost }
        guard let cost = trial(configuration, threads: threads) else { return nil }
        known.withLock { $0[threads] = cost }
        return cost
    }

    private static func trial(_ configuration: SoftwareEncoder.Configuration, threads: Int) -> Double? {
        let end = MonotonicTime.now + 60_000_000
        var trial = configuration
        trial.format.pixelFormat = .nv12
        trial.format.width = min(configuration.format.width, 640)
        trial.format.height = min(configuration.format.height, 480)
        let (width, height) = (trial.format.width, trial.format.height)
        // As many bits for a macroblock as in the whole picture.
        let share = Double(width * height) / Double(configuration.format.width * configuration.format.height)
        trial.bitrate = max(Int(Double(configuration.bitrate) * share), 10_000)
        guard let parameters = try? X264Parameters(trial, effort: .superfast, threads: threads),
            let encoder = try? X264Encoder(parameters)
        else { return nil }
        let picture = TrialPicture(width: width, height: height)
        let packet = EncodedPacket()
        var times: [Int64] = []
        for number in 0..<6 {
            packet.reset()
            let start = MonotonicTime.now
            let coded = try? encoder.encode(
                picture.frame(number), number: Int64(number), forcingKeyFrame: false, into: packet)
            guard coded != nil else { return nil }
            // The first frame is a key frame and pays for memory that is touched for the first time.
            if number > 0 { times.append(MonotonicTime.now - start) }
            if number > 0 && MonotonicTime.now > end { break }
        }
        // The best of them: what other programs took away meanwhile is for the steps to answer.
        return Double(times.min() ?? 0) / Double((width + 15) / 16 * ((height + 15) / 16))
    }
}
