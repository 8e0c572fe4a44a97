import Encoding
import Glibc
import Judges
import Media
import Testing

@Suite("The sound encoder")
struct AudioEncoderTests {
    static let formats = [48_000, 44_100, 32_000].flatMap { rate in
        [1, 2].map { AudioFormat(rate: rate, channels: $0) }
    }

    /// Encodes samples in runs of different lengths.
    static func packets(_ encoder: AudioEncoder, _ samples: [Int16], run: Int) throws -> [[UInt8]] {
        var packets: [[UInt8]] = []
        try samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: run) {
                let part = UnsafeBufferPointer(rebasing: samples[start..<min(start + run, samples.count)])
                try encoder.encode(samples: part) { packets.append(Array($0)) }
            }
        }
        return packets
    }

    /// What FFmpeg decodes from packets, channels interleaved; any fault in them fails.
    static func decoded(_ packets: [[UInt8]], _ encoder: AudioEncoder) throws -> [Int16] {
        var stream: [UInt8] = []
        let index: UInt8 = [48_000: 3, 44_100: 4, 32_000: 5][encoder.format.rate] ?? 15
        let channels = UInt8(encoder.format.channels)
        for packet in packets {
            // An ADTS header (ISO/IEC 13818-7, 6.2).
            let length = packet.count + 7
            stream += [
                0xFF, 0xF1, 1 << 6 | index << 2 | channels >> 2, (channels & 3) << 6 | UInt8(length >> 11),
                UInt8(length >> 3 & 255), UInt8(length & 7) << 5 | 0x1F, 0xFC,
            ]
            stream += packet
        }
        let file = try StreamFile(stream)
        let ending = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-f", "aac", "-i", file.path, "-f",
                "s16le", "-c:a", "pcm_s16le", "-",
            ]
        ).wait()
        #expect(ending.exitCode == 0 && ending.errors == "")
        return ending.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    /// Silence with a click: a short burst whose middle is at the given sample.
    static func click(at place: Int, count: Int, _ format: AudioFormat) -> [Int16] {
        var samples = [Int16](repeating: 0, count: count * format.channels)
        for offset in -2...2 {
            for channel in 0..<format.channels {
                samples[(place + offset) * format.channels + channel] = [20_000, 10_000, 3_000][abs(offset)]
            }
        }
        return samples
    }

    /// Where the loudest sample of the first channel is.
    static func peak(_ samples: [Int16], _ format: AudioFormat) -> Int {
        let indices = stride(from: 0, to: samples.count, by: format.channels)
        let loudest = indices.max { abs(Int(samples[$0])) < abs(Int(samples[$1])) } ?? 0
        return loudest / format.channels
    }

    @Test("what is fed comes back 1600 samples later", arguments: formats)
    func delay(format: AudioFormat) throws {
        let encoder = try AudioEncoder(format: format)
        let packets = try Self.packets(encoder, Self.click(at: 5003, count: 10_240, format), run: 960 * format.channels)
        #expect(packets.count == 10)
        let decoded = try Self.decoded(packets, encoder)
        #expect(abs(Self.peak(decoded, format) - 5003 - AudioEncoder.primingSamples) <= 1)
    }

    @Test(
        "with the lead fed and the first packets dropped, a click at a sample comes back at that sample",
        arguments: [1024, 1500, 2047, 2048, 4801, 9999], [AudioFormat.standard, AudioFormat(rate: 44_100, channels: 1)])
    func priming(place: Int, format: AudioFormat) throws {
        let priming = AudioPriming.standard
        #expect(priming.leadSamples == 448 && priming.packetsToDrop == 2)
        let encoder = try AudioEncoder(format: format)
        let lead = [Int16](repeating: 0, count: priming.leadSamples * format.channels)
        let sound = Self.click(at: place, count: place + 3, format)
        let end = [Int16](
            repeating: 0, count: priming.zeroSamples(after: Int64(place + 3)) * format.channels)
        let packets = try Self.packets(encoder, lead + sound + end, run: 1000 * format.channels)
        let kept = Array(packets.dropFirst(priming.packetsToDrop))
        #expect(Int64(kept.count) == priming.packets(for: Int64(place + 3)))
        let decoded = try Self.decoded(kept, encoder)
        #expect(decoded.count == kept.count * 1024 * format.channels)
        #expect(abs(Self.peak(decoded, format) - place) <= 1)
    }

    @Test("the end is fed just far enough")
    func end() {
        let priming = AudioPriming.standard
        #expect(priming.packets(for: 0) == 0 && priming.packets(for: 1) == 1 && priming.packets(for: 1025) == 2)
        for samples: Int64 in [1, 575, 576, 577, 1023, 1024, 1025, 48_000, 12 * 3600 * 48_000] {
            let fed = 448 + samples + Int64(priming.zeroSamples(after: samples))
            #expect(fed % 1024 == 0 && fed / 1024 == priming.packets(for: samples) + 2)
            #expect(priming.zeroSamples(after: samples) >= 0 && priming.zeroSamples(after: samples) < 3 * 1024)
        }
        #expect(AudioPriming(delay: 2048).leadSamples == 0 && AudioPriming(delay: 2048).packetsToDrop == 2)
        #expect(AudioPriming(delay: 1024).packetsToDrop == 1 && AudioPriming(delay: 0).packetsToDrop == 0)
    }

    @Test("a tone comes back as it was, each channel its own", arguments: formats)
    func tone(format: AudioFormat) throws {
        let encoder = try AudioEncoder(format: format)
        let count = 32 * 1024
        var samples: [Int16] = []
        for index in 0..<count {
            for channel in 0..<format.channels {
                let frequency = channel == 0 ? 440.0 : 1000.0
                samples.append(Int16(8000 * sin(2 * .pi * frequency * Double(index) / Double(format.rate))))
            }
        }
        let decoded = try Self.decoded(try Self.packets(encoder, samples, run: 480 * format.channels), encoder)
        let shift = AudioEncoder.primingSamples * format.channels
        var (signal, noise) = (0.0, 0.0)
        for index in (8 * 1024 * format.channels)..<(24 * 1024 * format.channels) {
            signal += Double(samples[index]) * Double(samples[index])
            let difference = Double(decoded[index + shift]) - Double(samples[index])
            noise += difference * difference
        }
        #expect(10 * log10(signal / noise) > 30)
    }

    @Test("packets are the same however the samples are cut")
    func cut() throws {
        let samples = (0..<20_000).map { Int16(truncatingIfNeeded: $0 &* 7919 >> 3) / 4 }
        let whole = try Self.packets(AudioEncoder(format: .standard), samples, run: 20_000)
        #expect(whole.count == 9)
        for run in [2, 958, 2048, 4096, 5000] {
            #expect(try Self.packets(AudioEncoder(format: .standard), samples, run: run) == whole)
        }
    }

    @Test("the bit rate is the one that was asked for", arguments: [64_000, 160_000, 256_000])
    func bitrate(bitrate: Int) throws {
        let encoder = try AudioEncoder(format: .standard, bitrate: bitrate)
        var random: UInt32 = 1
        let samples = (0..<(96 * 1024 * 2)).map { _ -> Int16 in
            random = random &* 1_664_525 &+ 1_013_904_223
            return Int16(truncatingIfNeeded: Int32(bitPattern: random) >> 18)
        }
        let packets = try Self.packets(encoder, samples, run: 2048)
        let bits = packets.dropFirst(8).reduce(0) { $0 + $1.count * 8 }
        let average = Double(bits) / Double(packets.count - 8) * 48_000 / 1024
        #expect(abs(average / Double(bitrate) - 1) < 0.05)
    }

    @Test("the decoder is told what comes")
    func configuration() throws {
        #expect(try AudioEncoder(format: .standard).audioSpecificConfig == [0x11, 0x90])
        #expect(try AudioEncoder(format: AudioFormat(rate: 44_100, channels: 1)).audioSpecificConfig == [0x12, 0x08])
        #expect(try AudioEncoder(format: AudioFormat(rate: 32_000, channels: 2)).audioSpecificConfig == [0x12, 0x90])
        #expect(try AudioEncoder(format: .standard).bitrate == 160_000)
        #expect(try AudioEncoder(format: AudioFormat(rate: 48_000, channels: 1)).bitrate == 80_000)
    }

    @Test(
        "other formats and bit rates are refused",
        arguments: [
            (22_050, 2, 64_000), (48_000, 0, 64_000), (48_000, 6, 64_000), (48_000, 2, 0), (48_000, 2, 321_000),
            (96_000, 2, 160_000), (48_000, 1, -1),
        ])
    func refused(rate: Int, channels: Int, bitrate: Int) {
        do throws(Failure) {
            _ = try AudioEncoder(format: AudioFormat(rate: rate, channels: channels), bitrate: bitrate)
            Issue.record("it was taken")
        } catch {
            #expect(error.kind == .invalidValue)
        }
    }
}
