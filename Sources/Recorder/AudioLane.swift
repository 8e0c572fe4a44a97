import Capture
import Encoding
import Linux
import MP4
import Media

/// One sound track on its way from its source to packets, on the pipeline thread.
///
/// Samples are counted from the recording's first picture (sample 0). The encoder is fed from a little before it, so that
/// its first packet that is kept starts at sample 0 exactly and no edit list is needed.
final class AudioLane {
    /// The track in the file.
    let track: AudioTrack
    /// False for sound that is made along with the pictures.
    let isLive: Bool
    let source: any AudioSource
    /// What a person should know, once.
    private(set) var notice: String?
    /// True after the source has failed: the track goes on in silence.
    private(set) var isLost = false
    /// The first sample of the packet that comes next out of `nextPacket`.
    var headSample: Int64 { packets.headSample ?? packetCount * Self.packetSamples }
    /// The sample that is fed next.
    private(set) var position: Int64 = 0

    private static let packetSamples = Int64(AudioPriming.packetSamples)
    private static let priming = AudioPriming.standard
    private let encoder: AudioEncoder
    private let buffer: UnsafeMutableBufferPointer<Int16>
    private var early: EarlySound?
    private var skip: Int64 = 0
    private var packetsToDrop = AudioPriming.standard.packetsToDrop
    private var packetCount: Int64 = 0
    private var packets = PacketQueue()
    private var limit = Int64.max
    private var peak: Int16 = 0

    /// - Throws: `Failure` when the source's rate or channels cannot be encoded.
    init(source: any AudioSource, bitrate: Int?) throws(Failure) {
        self.source = source
        isLive = !source.descriptors.isEmpty
        encoder = try AudioEncoder(format: source.format, bitrate: bitrate)
        track = AudioTrack(
            format: source.format, specificConfig: encoder.audioSpecificConfig, bitrate: encoder.bitrate,
            name: source.name)
        buffer = .allocate(capacity: 4096 * source.format.channels)
        early = EarlySound(format: source.format)
    }

    deinit {
        buffer.deallocate()
    }

    /// Says when the first picture was captured: sample 0 is that moment.
    func begin(at origin: MonotonicTime) throws(Failure) {
        position = -Int64(Self.priming.leadSamples)
        guard let early else { return }
        self.early = nil
        let start = early.samples(until: origin).map { $0 + position }
        // Before the device's first sound its samples' place is not known: they are placed when they come.
        guard let start else {
            self.early = EarlySound(format: source.format, waitsFor: origin)
            return
        }
        try place(early, from: start)
    }

    /// Reads what the source has.
    /// - Parameter moment: synthetic sound is made up to this moment.
    func read(before moment: MonotonicTime) {
        guard !isLost else { return }
        do throws(Failure) {
            while let span = try source.read(into: buffer, before: moment) {
                try take(span)
                // Room that is left says that there was no more; what came in meanwhile is read the next time.
                if span.frames * source.format.channels < buffer.count { return }
            }
        } catch {
            isLost = true
            notice = "\(source.name) is lost and the track goes on in silence: \(error.cause)"
        }
    }

    /// Puts silence up to a sample, for a source that is lost.
    func fillSilence(until sample: Int64) throws(Failure) {
        buffer.update(repeating: 0)
        let channels = source.format.channels
        let end = min(sample, limit)
        while position < end {
            let count = min(Int(end - position), buffer.count / channels)
            try feed(UnsafeBufferPointer(rebasing: buffer[..<(count * channels)]))
        }
    }

    /// Takes no sample from this one on: what a device captured after the stop stays out.
    func stop(at sample: Int64) {
        limit = sample
    }

    /// True when sound up to the stop has come.
    var isComplete: Bool { isLost || position >= limit }

    /// Ends the track so that it covers a number of samples: the rest of the last packet is silence.
    func finish(covering samples: Int64) throws(Failure) {
        limit = .max
        let count = Self.priming.packets(for: samples)
        let needed = count * Self.packetSamples
        // What is fed comes out as much later as packets were dropped at the start, less the lead.
        let inside = Int64(Self.priming.packetsToDrop) * Self.packetSamples - Int64(Self.priming.leadSamples)
        try fillSilence(until: needed + inside)
        packets.removeAll(from: needed)
        packetCount = min(packetCount, count)
    }

    /// Hands out the next packet if it starts before a sample.
    /// - Parameter body: is called with the packet and its first sample.
    /// - Returns: false when there is no such packet.
    func nextPacket(before sample: Int64, _ body: (UnsafeRawBufferPointer, Int64) -> Void) -> Bool {
        packets.takeFirst(before: sample, body)
    }

    /// The loudest sample since the last call, 0…32768.
    func takePeak() -> Int {
        defer { peak = 0 }
        return abs(Int(peak))
    }

    /// The notice, once.
    func takeNotice() -> String? {
        defer { notice = nil }
        return notice
    }

    private func take(_ span: AudioSpan) throws(Failure) {
        let channels = source.format.channels
        let samples = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<(span.frames * channels)])
        measure(samples)
        guard let waiting = early else { return try feed(samples) }
        waiting.append(samples, at: span.time)
        if let origin = waiting.awaited, let start = waiting.samples(until: origin) {
            early = nil
            try place(waiting, from: start + position)
        }
    }

    /// Feeds early sound from one of its samples on; a negative number means silence before it, a number beyond its end
    /// that samples still to come are passed over.
    private func place(_ early: EarlySound, from start: Int64) throws(Failure) {
        if start < 0 { try fillSilence(until: position - start) }
        let channels = source.format.channels
        let available = Int64(early.count)
        skip = max(0, start - available)
        let first = Int(min(max(0, start), available)) * channels
        try early.withSamples(from: first) { samples throws(Failure) in try feed(samples) }
    }

    private func feed(_ samples: UnsafeBufferPointer<Int16>) throws(Failure) {
        let channels = source.format.channels
        var samples = samples
        if skip > 0 {
            let passed = min(Int(skip), samples.count / channels)
            skip -= Int64(passed)
            samples = UnsafeBufferPointer(rebasing: samples[(passed * channels)...])
        }
        let room = limit == .max ? samples.count : Int(max(0, limit - position)) * channels
        if room < samples.count { samples = UnsafeBufferPointer(rebasing: samples[..<room]) }
        guard !samples.isEmpty else { return }
        position += Int64(samples.count / channels)
        try encoder.encode(samples: samples) { bytes in
            if packetsToDrop > 0 {
                packetsToDrop -= 1
                return
            }
            packets.append(bytes, sample: packetCount * Self.packetSamples)
            packetCount += 1
        }
    }

    private func measure(_ samples: UnsafeBufferPointer<Int16>) {
        var loudest = peak
        for sample in samples {
            // −32768 has no positive twin in 16 bits.
            loudest = max(loudest, sample == .min ? .max : abs(sample))
        }
        peak = loudest
    }
}
