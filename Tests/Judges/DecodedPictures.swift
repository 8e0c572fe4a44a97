import Capture
import Linux

/// What comes out of a recording of the test picture when somebody else's decoder plays it.
public struct DecodedPictures: Sendable {
    /// The number that each picture carries, in the order of the file; nil where the strip cannot be read.
    public var numbers: [UInt32?]
    /// The mean brightness of each picture, 0…255.
    public var brightness: [UInt8]

    /// Decodes a file with ffmpeg.
    /// - Parameters:
    ///   - file: the path of a recording.
    ///   - width: samples a line.
    ///   - height: lines.
    /// - Throws: `Errno` when ffmpeg is not there.
    public init(of file: String, width: Int, height: Int) throws {
        let strip = FrameNumberStrip.height(ofPicture: height)
        let lines = try Self.decode(file, "crop=\(width):\(strip):0:\(height - strip)", bytes: width * strip)
        numbers = lines.map { Self.number(inStrip: $0, width: width, height: height) }
        brightness = try Self.decode(file, "scale=1:1:flags=area", bytes: 1).compactMap(\.first)
    }

    /// The numbers that are missing, repeated or unreadable, told for a person; empty when they run from the first one
    /// without a gap.
    public var faults: [String] { Self.faults(in: numbers) }

    /// The same for numbers gathered from several files that follow one another.
    public static func faults(in numbers: [UInt32?]) -> [String] {
        var faults: [String] = []
        for (index, number) in numbers.enumerated() {
            guard let number else {
                faults.append("picture \(index) carries no number")
                continue
            }
            if index > 0, let last = numbers[index - 1], number != last + 1 {
                faults.append("picture \(index) carries \(number) after \(last)")
            }
        }
        return faults
    }

    private static func decode(_ file: String, _ filter: String, bytes: Int) throws -> [[UInt8]] {
        let ending = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", file, "-map", "0:v", "-vf", filter, "-fps_mode", "passthrough",
                "-pix_fmt", "gray", "-f", "rawvideo", "-",
            ]
        ).wait()
        return stride(from: 0, to: ending.output.count - bytes + 1, by: bytes).map {
            Array(ending.output[$0..<($0 + bytes)])
        }
    }

    private static func number(inStrip strip: [UInt8], width: Int, height: Int) -> UInt32? {
        let above = height - strip.count / width
        let picture = [UInt8](repeating: 0, count: above * width) + strip
        return picture.withUnsafeBufferPointer { samples in
            samples.baseAddress.flatMap {
                FrameNumberStrip.read($0, bytesPerLine: width, width: width, height: height)
            }
        }
    }
}
