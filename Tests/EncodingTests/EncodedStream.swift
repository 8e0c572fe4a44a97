import Encoding
import Glibc
import Judges
import Linux
import Media
import Testing

/// What came out of an encoder, kept for judging.
struct EncodedStream {
    struct Picture: Equatable {
        var time: MonotonicTime
        var isKeyFrame: Bool
        var bytes: [UInt8]
    }

    var pictures: [Picture] = []
    /// The parameter sets that came with a packet, by the picture's number.
    var parameterSets: [Int: ParameterSets] = [:]
    var notices: [String] = []

    /// Encodes pictures to the last.
    /// - Parameters:
    ///   - pictures: what to draw.
    ///   - count: how many.
    ///   - forced: the numbers of those that must be key frames.
    ///   - times: nanoseconds by number; nil for those of the nominal rate.
    init(
        _ encoder: SoftwareEncoder, _ pictures: TestPictures, count: Int, forced: Set<Int> = [],
        times: ((Int) -> Int64)? = nil
    ) throws {
        let format = pictures.format
        var free = (0..<4).map {
            VideoFrame(index: $0, width: format.width, height: format.height, pixelFormat: format.pixelFormat)
        }
        var next = 0
        var isDraining = false
        while !encoder.isDrained {
            if next < count, let frame = free.popLast() {
                pictures.draw(next, into: frame)
                frame.time = MonotonicTime(
                    nanoseconds: 1_000_000_007 + (times?(next) ?? format.rate.nanoseconds(of: Int64(next))))
                try #require(try encoder.submit(frame, forcingKeyFrame: forced.contains(next)))
                next += 1
            } else if next == count && !isDraining {
                try encoder.drain()
                isDraining = true
            } else {
                try Self.wait(for: encoder)
            }
            try take(from: encoder, &free)
        }
        try take(from: encoder, &free)
        #expect(free.count == 4, "every frame comes back")
    }

    private mutating func take(from encoder: SoftwareEncoder, _ free: inout [VideoFrame]) throws {
        while let packet = try encoder.nextPacket() {
            if let sets = packet.parameterSets { parameterSets[pictures.count] = sets }
            pictures.append(
                Picture(time: packet.time, isKeyFrame: packet.isKeyFrame, bytes: Array(packet.bytes)))
            encoder.recycle(packet)
        }
        while let frame = encoder.nextReleasedFrame() { free.append(frame) }
        while let notice = encoder.nextNotice() { notices.append(notice.words) }
    }

    /// Waits until the encoder has something; a minute without anything is a fault.
    static func wait(for encoder: SoftwareEncoder) throws {
        var entry = pollfd(fd: encoder.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&entry, 1, 60_000) == 1, "the encoder gives nothing")
    }

    /// The stream with start codes, parameter sets first.
    func annexB(_ sets: ParameterSets) -> [UInt8] { StreamFile.annexB(sets, pictures.map(\.bytes)) }

    /// What ffprobe reads from the stream's headers, by name.
    func probed(_ sets: ParameterSets) throws -> [String: String] {
        let file = try StreamFile(annexB(sets))
        let ending = try ChildProcess(
            "ffprobe", ["-v", "error", "-show_streams", "-of", "default=nw=1", file.path]
        ).wait()
        #expect(ending.exitCode == 0 && ending.errors == "")
        var values: [String: String] = [:]
        for line in ending.text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        return values
    }

    /// What FFmpeg's own parser finds in the headers, by the standard's names.
    func traced(_ sets: ParameterSets) throws -> [String: String] {
        let file = try StreamFile(annexB(sets))
        let ending = try ChildProcess(
            "ffmpeg",
            ["-nostdin", "-v", "trace", "-i", file.path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"]
        ).wait()
        #expect(ending.exitCode == 0)
        var values: [String: String] = [:]
        for line in ending.errors.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let equals = words.firstIndex(of: "="), equals > 1, equals + 1 < words.count else { continue }
            values[String(words[equals - 2])] = String(words[equals + 1])
        }
        return values
    }

    /// All pictures as FFmpeg decodes them, in YUV420; any fault in the stream fails.
    func decoded(_ sets: ParameterSets) throws -> [UInt8] { try StreamFile(annexB(sets)).decoded() }
}
