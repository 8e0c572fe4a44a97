import Glibc
import Judges
import Media
import Testing

/// A stream in a file, for programs to judge.
struct StreamFile {
    let path: String
    private let folder: TemporaryFolder

    init(_ bytes: [UInt8]) throws {
        folder = try TemporaryFolder()
        path = folder.file("stream")
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    /// Samples with lengths before their NAL units, as a stream with start codes, parameter sets first.
    static func annexB(_ sets: ParameterSets, _ samples: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for set in [sets.sequence, sets.picture] { bytes += [0, 0, 0, 1] + set }
        for sample in samples {
            sample.withUnsafeBytes { sample in
                for unit in LengthPrefixedNALUnits(sample) { bytes += [0, 0, 0, 1] + Array(unit.bytes) }
            }
        }
        return bytes
    }

    /// All pictures of an H.264 stream as FFmpeg decodes them, in YUV420; any fault in the stream fails.
    /// The time base is fine enough that no two pictures fall on one time, of which newer versions complain.
    func decoded() throws -> [UInt8] {
        let ending = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-f", "h264", "-i", path, "-fps_mode",
                "passthrough", "-enc_time_base", "1:1000000", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
            ]
        ).wait()
        #expect(ending.exitCode == 0 && ending.errors == "")
        return ending.output
    }
}
