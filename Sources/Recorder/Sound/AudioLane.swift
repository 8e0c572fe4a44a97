import Capture
import Encoding
import Linux
import MP4
import Media

/// One sound track of a recording on its way from its source to packets, on the pipeline thread.
///
/// Samples are counted from the recording's first picture (sample 0). The encoder is fed from a little before it, so that
/// its first packet that is kept starts at sample 0 exactly and no edit list is needed. Where a recording is paused, sound
/// goes on behind the cut with the next sample of the count, whenever that was captured.
final class AudioLane {
    /// The track in the file.
    let track: AudioTrack
    /// Where the sound comes from.
    let input: SoundInput
    /// The first sample of the packet that comes next out of `nextPacket`.
    var headSample: Int64 { packets.headSample ?? packetCount * Self.packetSamples }
    /// The sample that is fed next.
    private(set) var position: Int64 = 0

    private static let packetSamples = Int64(AudioPriming.packetSamples)
    private static let priming = AudioPriming.standard
    private let encoder: AudioEncoder
    private let silence: UnsafeMutableBufferPointer<Int16>
    private var packetsToDrop = AudioPriming.standard.packetsToDrop
    private var packetCount: Int64 = 0
    private var packets = PacketQueue()
    private var limit = Int64.max
    private var flow = Flow.waiting
    /// Cuts that the sound has not come to, oldest first.
    private var cuts: [Cut] = []

    private enum Flow {
        /// What comes is not recorded.
        case waiting
        /// A moment is awaited whose sound is to be a certain sample.
        case joining(MonotonicTime, sample: Int64)
        case running
    }

    /// Where the sound is cut, and the moment at which it goes on, once that is known.
    private struct Cut {
        var sample: Int64
        var resumption: MonotonicTime?
    }

    /// - Throws: `Failure` when the source's rate or channels cannot be encoded.
    init(_ input: SoundInput, bitrate: Int?) throws(Failure) {
        let format = input.source.format
        self.input = input
        encoder = try AudioEncoder(format: format, bitrate: bitrate)
        track = AudioTrack(
            format: format, specificConfig: encoder.audioSpecificConfig, bitrate: encoder.bitrate,
            name: input.source.name)
        silence = .allocate(capacity: 1024 * format.channels)
        silence.initialize(repeating: 0)
    }

    deinit {
        silence.deallocate()
    }

    /// Says when the first picture was captured: sample 0 is that moment.
    func begin(at origin: MonotonicTime) throws(Failure) {
        position = -Int64(Self.priming.leadSamples)
        try join(at: origin, sample: 0)
    }

    /// Cuts the sound in front of a sample; what comes behind it is not recorded until `resume`.
    func cut(at sample: Int64) {
        cuts.append(Cut(sample: sample))
        if cuts.count == 1, position >= sample { flow = .waiting }
    }

    /// Goes on behind the last cut with what is heard at a moment.
    func resume(at moment: MonotonicTime) throws(Failure) {
        guard !cuts.isEmpty else { return }
        cuts[cuts.count - 1].resumption = moment
        try goOn()
    }

    /// Takes what was just read, which is the newest of the input's recent sound too.
    func take(_ samples: UnsafeBufferPointer<Int16>) throws(Failure) {
        switch flow {
        case .waiting: break
        case .joining(let moment, let sample): try join(at: moment, sample: sample)
        case .running: try feed(samples)
        }
    }

    /// Puts silence up to a sample, for a source that is lost.
    func fillSilence(until sample: Int64) throws(Failure) {
        try putSilence(until: min(sample, end))
        guard position < sample, cuts.first?.resumption != nil else { return }
        cuts.removeFirst()
        try fillSilence(until: sample)
    }

    /// Takes no sample from this one on: what a device captured after the stop stays out.
    func stop(at sample: Int64) {
        limit = sample
    }

    /// True when sound up to the stop has come.
    var isComplete: Bool { input.isLost || position >= min(limit, end) }

    /// Ends the track so that it covers a number of samples: the rest of the last packet is silence.
    func finish(covering samples: Int64) throws(Failure) {
        let count = Self.priming.packets(for: samples)
        let needed = count * Self.packetSamples
        // What is fed comes out as much later as packets were dropped at the start, less the lead.
        let inside = Int64(Self.priming.packetsToDrop) * Self.packetSamples - Int64(Self.priming.leadSamples)
        try putSilence(until: needed + inside)
        packets.removeAll(from: needed)
        packetCount = min(packetCount, count)
    }

    /// Hands out the next packet if it starts before a sample.
    /// - Parameter body: is called with the packet and its first sample.
    /// - Returns: false when there is no such packet.
    func nextPacket(before sample: Int64, _ body: (UnsafeRawBufferPointer, Int64) -> Void) -> Bool {
        packets.takeFirst(before: sample, body)
    }

    /// In front of this sample what comes is fed.
    private var end: Int64 { min(limit, cuts.first?.sample ?? .max) }

    /// Goes on behind a cut that the sound has come to, if that is known.
    private func goOn() throws(Failure) {
        guard let cut = cuts.first, position >= cut.sample else { return }
        flow = .waiting
        guard let resumption = cut.resumption else { return }
        cuts.removeFirst()
        try join(at: resumption, sample: cut.sample)
    }

    /// Feeds what was heard at a moment as a certain sample, and what came behind it; waits where it has not come yet.
    private func join(at moment: MonotonicTime, sample: Int64) throws(Failure) {
        flow = .joining(moment, sample: sample)
        guard let heard = input.recent.samples(until: moment) else { return }
        let first = heard + position - sample
        guard first <= input.recent.count else { return }
        flow = .running
        // What came before anything was heard is silence.
        if first < 0 { try putSilence(until: min(position - first, end)) }
        try feed(input.recent.samples(from: Int(max(0, first))))
    }

    private func feed(_ samples: UnsafeBufferPointer<Int16>) throws(Failure) {
        let channels = track.format.channels
        let room = end == .max ? samples.count : Int(clamping: max(0, end - position)) * channels
        try put(UnsafeBufferPointer(rebasing: samples.prefix(room)))
        if room <= samples.count { try goOn() }
    }

    private func putSilence(until sample: Int64) throws(Failure) {
        let channels = track.format.channels
        while position < sample {
            let count = min(Int(sample - position), silence.count / channels)
            try put(UnsafeBufferPointer(rebasing: silence[..<(count * channels)]))
        }
    }

    private func put(_ samples: UnsafeBufferPointer<Int16>) throws(Failure) {
        guard !samples.isEmpty else { return }
        position += Int64(samples.count / track.format.channels)
        try encoder.encode(samples: samples) { bytes in
            if packetsToDrop > 0 {
                packetsToDrop -= 1
                return
            }
            packets.append(bytes, sample: packetCount * Self.packetSamples)
            packetCount += 1
        }
    }
}
