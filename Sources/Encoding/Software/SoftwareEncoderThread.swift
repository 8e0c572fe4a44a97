import Linux
import Media
import Synchronization

/// The encoder thread's side of a software encoder, and the queues between the two sides.
///
/// Frames go in by `jobs` and come out by `released`; empty packets go in by `idle` and come out full by `packets`. `wake` is
/// for the encoder thread, `ready` for the pipeline thread.
final class SoftwareEncoderThread: @unchecked Sendable {
    // Unchecked because of the encoder and what belongs to it: only the encoder thread touches these once it runs.

    /// A frame to be encoded.
    struct Job: Sendable {
        var frame: VideoFrame
        var forcingKeyFrame: Bool
    }

    /// Frames that wait at most.
    static let capacity = 8
    /// Packets that there are.
    static let packetCount = 16

    let jobs = BoundedQueue<Job>(capacity: capacity)
    let released: BoundedQueue<VideoFrame>
    let idle = BoundedQueue<EncodedPacket>(capacity: packetCount)
    let packets = BoundedQueue<EncodedPacket>(capacity: packetCount)
    let notices = BoundedQueue<EncoderNotice>(capacity: 8)
    let wake: EventDescriptor
    let ready: EventDescriptor
    /// Set by the pipeline thread: no job follows.
    let isDraining = Atomic<Bool>(false)
    /// Set by the pipeline thread: end at once.
    let isStopping = Atomic<Bool>(false)
    /// Set by the encoder thread: no packet follows.
    let isFinished = Atomic<Bool>(false)
    /// Frames that x264 has taken, counted by the encoder thread once what came of each was put.
    let framesDone = Atomic<Int>(0)
    /// The present step's number; below 0 where there are no steps.
    let stepNumber: Atomic<Int>
    /// Why encoding ended, if it failed.
    let failure = Mutex<Failure?>(nil)

    private var encoder: X264Encoder
    private let rate: FrameRate
    private var governor: EffortGovernor?
    private var keyFrames: KeyFrameClock
    /// Nil where each picture lasts as long as the rate says.
    private var span: PictureSpan?
    private var times: [MonotonicTime]
    private var number: Int64 = 0
    /// A packet that got nothing, since x264 kept the picture for later.
    private var kept: EncodedPacket?
    private var hasGivenParameterSets = false

    /// - Parameters:
    ///   - encoder: just opened.
    ///   - configuration: what it was opened for.
    ///   - step: where the effort begins; nil when it stays as it is.
    ///   - framesOut: frames that the pipeline side lets be out at most.
    /// - Throws: `Errno` when no descriptor is left.
    init(
        _ encoder: consuming X264Encoder, _ configuration: SoftwareEncoder.Configuration, step: EffortStep?,
        framesOut: Int
    ) throws(Errno) {
        wake = try EventDescriptor()
        ready = try EventDescriptor()
        released = BoundedQueue(capacity: framesOut)
        self.encoder = encoder
        rate = configuration.format.rate
        governor = step.map { EffortGovernor(startingAt: $0, rate: configuration.format.rate, capacity: Self.capacity) }
        stepNumber = Atomic(step?.rawValue ?? -1)
        keyFrames = KeyFrameClock(seconds: configuration.keyFrameSeconds, rate: configuration.format.rate)
        span = configuration.format.hasConstantRate ? nil : PictureSpan(rate: configuration.format.rate)
        times = Array(repeating: MonotonicTime(nanoseconds: 0), count: 256)
        for _ in 0..<Self.packetCount { _ = idle.put(EncodedPacket()) }
    }

    /// The thread's whole life.
    func run() {
        do throws(Failure) {
            while let packet = emptyPacket() {
                guard let job = next(of: jobs, endingWhenDrained: true) else {
                    try flush(into: packet)
                    break
                }
                try encode(job, into: packet)
            }
        } catch {
            failure.withLock { $0 = error }
        }
        while let job = jobs.take() { _ = released.put(job.frame) }
        isFinished.store(true, ordering: .releasing)
        ready.signal()
    }

    private func emptyPacket() -> EncodedPacket? {
        if let packet = kept {
            kept = nil
            return packet
        }
        return next(of: idle, endingWhenDrained: false)
    }

    /// Waits for an element.
    /// - Parameter endingWhenDrained: whether an empty queue is the end once draining was asked for.
    /// - Returns: nil at the end.
    private func next<Element>(of queue: BoundedQueue<Element>, endingWhenDrained: Bool) -> Element? {
        while !isStopping.load(ordering: .acquiring) {
            // Read before the queue: what was put before draining was asked for must be seen.
            let isLast = endingWhenDrained && isDraining.load(ordering: .acquiring)
            if let element = queue.take() { return element }
            if isLast { return nil }
            wake.wait()
        }
        return nil
    }

    private func encode(_ job: Job, into packet: EncodedPacket) throws(Failure) {
        let time = job.frame.time
        times[Int(number) % times.count] = time
        packet.reset()
        let start = MonotonicTime.now
        if let count = span?.note(time) { try encoder.spend(bitsOf: count) }
        let isForced = keyFrames.isDue(at: time) || job.forcingKeyFrame
        if isForced { keyFrames.note(time) }
        let coded: Int64?
        do throws(Failure) {
            coded = try encoder.encode(
                job.frame, number: number, forcingKeyFrame: isForced, into: packet)
        } catch {
            _ = released.put(job.frame)
            throw error
        }
        let duration = MonotonicTime.now - start
        number += 1
        _ = released.put(job.frame)
        if let coded { give(packet, number: coded) } else { kept = packet }
        framesDone.add(1, ordering: .releasing)
        ready.signal()
        try adapt(duration)
    }

    private func flush(into first: EncodedPacket) throws(Failure) {
        var packet = first
        packet.reset()
        while let coded = try encoder.flush(into: packet) {
            give(packet, number: coded)
            guard let another = emptyPacket() else { return }
            packet = another
            packet.reset()
        }
    }

    private func give(_ packet: EncodedPacket, number: Int64) {
        packet.time = times[Int(number) % times.count]
        if packet.isKeyFrame { keyFrames.note(packet.time) }
        if !hasGivenParameterSets {
            packet.parameterSets = encoder.parameterSets
            hasGivenParameterSets = true
        }
        _ = packets.put(packet)
    }

    private func adapt(_ duration: Int64) throws(Failure) {
        let before = governor?.step
        guard let before, let step = governor?.note(nanoseconds: duration, waiting: jobs.count) else { return }
        try encoder.apply(step)
        stepNumber.store(step.rawValue, ordering: .relaxed)
        let notice =
            step.rawValue > before.rawValue
            ? "The encoder could not keep up with \(rate) pictures a second and now works with less effort: \(step.name)."
            : "The encoder has time to spare again and works with more effort: \(step.name)."
        _ = notices.put(EncoderNotice(.effort, notice))
    }
}
