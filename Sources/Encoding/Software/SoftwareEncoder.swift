import Linux
import Media
import Synchronization

/// H.264 by x264 on a thread of its own. Frames are read where they lie and given back once x264 has them; packets are made
/// once and go round.
///
/// The stream has no B-frames, holds its bit rate over each second, and says all about its colours and rate. With the
/// automatic preset the effort follows what the machine can do; `nextNotice` tells of each change.
public final class SoftwareEncoder: VideoEncoder {
    /// The stream's parameter sets, which also come with the first packet.
    public let parameterSets: ParameterSets
    /// Threads that share a frame.
    public let threads: Int
    private let effort: Effort
    private let core: SoftwareEncoderThread
    private var thread: Thread?
    private var framesOut = 0
    /// Frames that were handed to the thread.
    private var framesIn = 0

    /// Frames between `submit` and `nextReleasedFrame` at most.
    private static let framesOutLimit = 32

    /// Opens x264 and starts the encoder thread. With the automatic preset, the first encoder of a process tries the machine's
    /// speed, which takes at most a tenth of a second.
    /// - Throws: `Failure` of kind invalidValue for a value that cannot be, encoderFailed when x264 refuses or the system has
    ///   no thread or descriptor left.
    public convenience init(_ configuration: Configuration) throws(Failure) {
        try configuration.validate()
        let start =
            switch configuration.preset {
            case .automatic: MachineSpeed.start(configuration, threads: Self.threads(configuration))
            case .fixed(let effort): MachineSpeed.Start(effort: effort)
            }
        try self.init(configuration, start: start)
    }

    /// An encoder that begins with a given effort, whatever the preset.
    init(_ configuration: Configuration, start: MachineSpeed.Start) throws(Failure) {
        threads = Self.threads(configuration)
        effort = start.effort
        var encoder = try X264Encoder(
            try X264Parameters(configuration, effort: start.effort, threads: threads),
            isFixed: configuration.format.hasConstantRate)
        // Only now: the parameter sets are those of the whole effort, whatever the step.
        if let step = start.step { try encoder.apply(step) }
        parameterSets = encoder.parameterSets
        do throws(Errno) {
            let core = try SoftwareEncoderThread(
                encoder, configuration, step: configuration.isLive ? start.step : nil,
                framesOut: Self.framesOutLimit)
            self.core = core
            // x264 keeps large tables of a macroblock on its stack.
            thread = try Thread("encoder", stackSize: 2 << 20) { core.run() }
        } catch {
            throw Failure(.encoderFailed, "cannot start the encoder's thread", because: "\(error)")
        }
    }

    deinit {
        core.isStopping.store(true, ordering: .releasing)
        core.wake.signal()
        thread.take()?.join()
    }

    public var name: String {
        let step = EffortStep(rawValue: core.stepNumber.load(ordering: .relaxed))
        return "x264 \(step?.name ?? effort.rawValue)"
    }

    public var descriptor: Int32 { core.ready.raw }

    public var room: Int {
        min(SoftwareEncoderThread.capacity - core.jobs.count, Self.framesOutLimit - framesOut)
    }

    public var isWorking: Bool {
        // In this order: a packet is put before its frame is counted.
        core.framesDone.load(ordering: .acquiring) != framesIn || core.packets.count > 0
    }

    public var isDrained: Bool {
        // In this order: a packet is put before the end is said.
        core.isFinished.load(ordering: .acquiring) && core.packets.count == 0
    }

    public func submit(_ frame: VideoFrame, forcingKeyFrame: Bool) throws(Failure) -> Bool {
        if core.isFinished.load(ordering: .acquiring) {
            throw core.failure.withLock { $0 }
                ?? Failure(.internalFault, "cannot encode a frame", because: "the encoder was drained")
        }
        guard room > 0, core.jobs.put(SoftwareEncoderThread.Job(frame: frame, forcingKeyFrame: forcingKeyFrame)) else {
            return false
        }
        framesOut += 1
        framesIn += 1
        core.wake.signal()
        return true
    }

    public func nextPacket() throws(Failure) -> EncodedPacket? {
        if let packet = core.packets.take() { return packet }
        settle()
        if let packet = core.packets.take() { return packet }
        if core.isFinished.load(ordering: .acquiring), let failure = core.failure.withLock({ $0 }) { throw failure }
        return nil
    }

    public func recycle(_ packet: EncodedPacket) {
        _ = core.idle.put(packet)
        core.wake.signal()
    }

    public func nextReleasedFrame() -> VideoFrame? {
        if let frame = core.released.take() ?? settledFrame() {
            framesOut -= 1
            return frame
        }
        return nil
    }

    /// What the user should be told: each change of effort, in a sentence. Nil when there is nothing new.
    public func nextNotice() -> EncoderNotice? { core.notices.take() }

    public func drain() throws(Failure) {
        core.isDraining.store(true, ordering: .releasing)
        core.wake.signal()
    }

    private static func threads(_ configuration: Configuration) -> Int {
        let format = configuration.format
        return configuration.threads > 0
            ? configuration.threads : MachineSpeed.threads(width: format.width, height: format.height)
    }

    private func settledFrame() -> VideoFrame? {
        settle()
        return core.released.take()
    }

    /// Makes the descriptor unreadable unless something is there for either of its two readers.
    private func settle() {
        core.ready.clear()
        if core.packets.count > 0 || core.released.count > 0 { core.ready.signal() }
    }
}
