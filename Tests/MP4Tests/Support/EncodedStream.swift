import Judges
import Media

@testable import MP4

/// Samples of one track with their times, as they come from an encoder.
struct EncodedStream: Sendable {
    struct Sample: Sendable {
        var bytes: [UInt8]
        /// Ticks of the track's timescale from the start.
        var time: Int64
        var isSync: Bool
    }

    var track: Track
    var samples: [Sample]
    /// The time at which the last sample ends.
    var end: Int64
}

extension EncodedStream {
    /// A real picture track, encoded by ffmpeg's libx264 from its test picture.
    static func video(
        width: Int = 320, height: Int = 240, rate: FrameRate = .thirty, frames: Int = 90, gop: Int = 30,
        profile: String = "high"
    ) throws -> EncodedStream {
        let ratio = "\(rate.numerator)/\(rate.denominator)"
        let group = "scenecut=0:bframes=0:threads=1:keyint=\(gop):min-keyint=\(gop):repeat-headers=1"
        // Told to x264 itself: from version 7 on, ffmpeg's own options for primaries and transfer do not reach it.
        let color = "colorprim=bt709:transfer=bt709:colormatrix=bt709"
        var arguments = ["-nostdin", "-v", "error", "-f", "lavfi", "-i"]
        arguments += ["testsrc2=size=\(width)x\(height):rate=\(ratio)", "-frames:v", "\(frames)"]
        arguments += ["-pix_fmt", "yuv420p", "-color_range", "tv", "-colorspace", "bt709"]
        arguments += ["-c:v", "libx264", "-profile:v", profile, "-preset", "ultrafast", "-tune", "zerolatency"]
        arguments += ["-x264-params", "\(group):\(color)", "-f", "h264", "-"]
        let result = try ChildProcess("ffmpeg", arguments).wait()
        var sets = ParameterSets(sequence: [], picture: [])
        var samples: [Sample] = []
        let timescale = rate.timescale
        for unit in units(result.output) {
            switch unit[0] & 0x1F {
            case 7: sets.sequence = unit
            case 8: sets.picture = unit
            case 1, 5:
                let length = UInt32(unit.count)
                let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * $0)) } + unit
                let time = rescale(rate.nanoseconds(of: Int64(samples.count)) + 1, by: timescale, over: 1_000_000_000)
                samples.append(Sample(bytes: bytes, time: time, isSync: unit[0] & 0x1F == 5))
            default: break
            }
        }
        let end = rescale(rate.nanoseconds(of: Int64(samples.count)) + 1, by: timescale, over: 1_000_000_000)
        return EncodedStream(
            track: .video(
                VideoTrack(
                    width: width, height: height, timescale: timescale, parameterSets: sets, color: .bt709)),
            samples: samples, end: end)
    }

    /// A real sound track, encoded by ffmpeg from a tone.
    static func audio(rate: Int = 48_000, channels: Int = 2, seconds: Double = 3, name: String = "Programme")
        throws -> EncodedStream
    {
        let result = try ChildProcess(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=\(rate)"]
                + ["-t", "\(seconds)", "-ac", "\(channels)", "-c:a", "aac", "-b:a", "160k", "-f", "adts", "-"]
        ).wait()
        var samples: [Sample] = []
        var place = 0
        while place + 7 <= result.output.count {
            let header = result.output[place..<(place + 7)].map { Int($0) }
            let length = (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5
            guard length > 7, place + length <= result.output.count else { break }
            let bytes = Array(result.output[(place + 7)..<(place + length)])
            samples.append(Sample(bytes: bytes, time: Int64(samples.count) * 1024, isSync: true))
            place += length
        }
        let index = [48_000: 3, 44_100: 4, 32_000: 5][rate] ?? 15
        let config = [UInt8(2 << 3 | index >> 1), UInt8(index & 1) << 7 | UInt8(channels) << 3]
        return EncodedStream(
            track: .audio(
                AudioTrack(
                    format: AudioFormat(rate: rate, channels: channels), specificConfig: config, bitrate: 160_000,
                    name: name)),
            samples: samples, end: Int64(samples.count) * 1024)
    }

    /// A picture track of random bytes, for tests that never decode.
    static func noise(frames: Int, size: Int = 700, gop: Int = 30, seed: UInt64 = 1) -> EncodedStream {
        var generator = NumberSequence(seed: seed)
        let sets = ParameterSets(
            sequence: [
                0x67, 0x42, 0xC0, 0x0D, 0xD9, 0x01, 0x41, 0xFB, 0x01, 0x10, 0x00, 0x00, 0x03, 0x00, 0x10, 0x00, 0x00,
                0x03, 0x03, 0xC0, 0xF1, 0x42, 0xA4, 0x80,
            ],
            picture: [0x68, 0xCB, 0x83, 0xCB, 0x20])
        let samples = (0..<frames).map { number in
            Sample(
                bytes: (0..<(size + number % 13)).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) },
                time: Int64(number) * 3000, isSync: number % gop == 0)
        }
        return EncodedStream(
            track: .video(
                VideoTrack(width: 320, height: 240, timescale: 90_000, parameterSets: sets, color: .bt709)),
            samples: samples, end: Int64(frames) * 3000)
    }

    /// A sound track of random bytes, for tests that never decode.
    static func audioNoise(packets: Int, size: Int = 40, name: String = "Programme", seed: UInt64 = 1)
        -> EncodedStream
    {
        var generator = NumberSequence(seed: seed)
        let samples = (0..<packets).map { number in
            Sample(
                bytes: (0..<(size + number % 5)).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) },
                time: Int64(number) * 1024, isSync: true)
        }
        return EncodedStream(
            track: .audio(
                AudioTrack(format: .standard, specificConfig: [0x11, 0x90], bitrate: 160_000, name: name)),
            samples: samples, end: Int64(packets) * 1024)
    }

    /// The NAL units of a byte stream (Rec. ITU-T H.264, annex B).
    private static func units(_ stream: [UInt8]) -> [[UInt8]] {
        var starts: [(code: Int, unit: Int)] = []
        var place = 0
        while place + 3 <= stream.count {
            if stream[place] == 0, stream[place + 1] == 0, stream[place + 2] == 1 {
                starts.append((place > 0 && stream[place - 1] == 0 ? place - 1 : place, place + 3))
                place += 3
            } else {
                place += 1
            }
        }
        return starts.indices.map { index in
            Array(stream[starts[index].unit..<(index + 1 < starts.count ? starts[index + 1].code : stream.count)])
        }.filter { !$0.isEmpty }
    }
}

/// Numbers that look random and are the same in every run.
struct NumberSequence: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
