import Linux
import MP4
import Media

/// Packets of a day as they could come from encoders: pictures at 30 a second and 6 Mb/s whose times are as uneven as a
/// camera's, a key frame every two seconds, and AAC of 48 kHz and 160 kb/s. The bytes mean nothing.
struct PacketSource {
    /// The tracks of each part.
    static let tracks: [Track] = [
        .video(
            VideoTrack(
                width: 1920, height: 1080, timescale: 90_000,
                parameterSets: ParameterSets(
                    sequence: [
                        0x67, 0x42, 0xC0, 0x0D, 0xD9, 0x01, 0x41, 0xFB, 0x01, 0x10, 0x00, 0x00, 0x03, 0x00, 0x10,
                        0x00, 0x00, 0x03, 0x03, 0xC0, 0xF1, 0x42, 0xA4, 0x80,
                    ],
                    picture: [0x68, 0xCB, 0x83, 0xCB, 0x20]),
                color: .bt709)),
        .audio(
            AudioTrack(
                format: .standard, specificConfig: [0x11, 0x90], bitrate: 160_000, name: "Programme")),
    ]

    private let bytes: [UInt8]
    private var random: UInt64 = 1
    private var picture: Int64 = 0
    private var sound: Int64 = 0

    init() {
        bytes = (0..<(1 << 18)).map { UInt8(truncatingIfNeeded: $0 &* 151 >> 3) }
    }

    /// Puts a second's packets into an assembler.
    /// - Parameter second: counted from the start of the part.
    /// - Returns: the fragment.
    mutating func fragment(second: Int64, _ assembler: FragmentAssembler) -> Fragment? {
        if second == 0 { (picture, sound) = (0, 0) }
        while picture < (second + 1) * 30 {
            let isKey = picture % 60 == 0
            let size = isKey ? 100_000 : 16_000 + number(below: 15_458)
            append(size, track: 0, time: time(ofPicture: picture), isSync: isKey, assembler)
            picture += 1
        }
        while sound * 1024 < (second + 1) * 48_000 {
            append(400 + number(below: 54), track: 1, time: sound * 1024, isSync: true, assembler)
            sound += 1
        }
        return assembler.seal(nextTimes: [time(ofPicture: picture), sound * 1024])
    }

    /// Up to half a millisecond late, always the same for the same picture.
    private func time(ofPicture number: Int64) -> Int64 { number == 0 ? 0 : number * 3000 + number * 7919 % 45 }

    private func append(_ size: Int, track: Int, time: Int64, isSync: Bool, _ assembler: FragmentAssembler) {
        bytes.withUnsafeBytes {
            assembler.append(UnsafeRawBufferPointer(rebasing: $0[..<size]), track: track, time: time, isSync: isSync)
        }
    }

    private mutating func number(below limit: Int) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(random >> 33) % limit
    }
}
