import Glibc
import Judges
import Linux
import Media
import Testing

/// A coded stream as a file, for programs that we did not write.
final class CodedFile {
    let path: String

    /// - Parameters:
    ///   - sets: what goes first.
    ///   - pictures: NAL units behind their lengths.
    init(_ sets: ParameterSets, _ pictures: [[UInt8]]) throws {
        path = "/tmp/kinebox-stream-\(UInt64.random(in: 0 ... .max)).h264"
        var bytes: [UInt8] = []
        for unit in [sets.sequence, sets.picture] { bytes += [0, 0, 0, 1] + unit }
        for picture in pictures {
            picture.withUnsafeBytes { picture in
                for unit in LengthPrefixedNALUnits(picture) { bytes += [0, 0, 0, 1] + unit.bytes }
            }
        }
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    deinit { unlink(path) }

    /// All pictures in YUV420, whatever their range; any fault in the stream is an issue.
    func decoded() throws -> [UInt8] {
        let ending = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "warning", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-",
            ]
        ).wait()
        #expect(ending.exitCode == 0 && ending.errors == "", "\(ending.errors)")
        return ending.output
    }
}
