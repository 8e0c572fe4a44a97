import Capture
import Linux

/// How far picture and sound of a recording of the test picture and the test tone are apart, as a player shows them.
public struct FlashAndBeep: Sendable {
    /// Seconds from each flash to the beep that belongs to it, in the order of the file; positive when the sound is late.
    public var offsets: [Double]

    /// Decodes a file with ffmpeg and finds its flashes and beeps.
    /// - Parameters:
    ///   - file: the path of a recording with sound.
    ///   - pictures: the same file's decoded pictures.
    ///   - track: the number of the audio track, from 0.
    /// - Throws: `Errno` when ffmpeg is not there.
    public init(of file: String, pictures: DecodedPictures, track: Int = 0) throws {
        let times = try Self.pictureTimes(of: file)
        let beeps = try Self.beeps(of: file, track: track)
        offsets = Self.flashes(in: pictures.brightness).filter { $0 < times.count }.compactMap { flash in
            let time = times[flash]
            let nearest = beeps.min { abs($0 - time) < abs($1 - time) }
            return nearest.map { $0 - time }
        }
    }

    /// The pictures that are bright after a dark one, and the first where it is bright.
    private static func flashes(in brightness: [UInt8]) -> [Int] {
        guard let darkest = brightness.min(), let brightest = brightness.max(), brightest - darkest > 20
        else { return [] }
        let middle = (Int(darkest) + Int(brightest)) / 2
        return brightness.indices.filter { index in
            Int(brightness[index]) > middle && (index == 0 || Int(brightness[index - 1]) <= middle)
        }
    }

    private static func pictureTimes(of file: String) throws -> [Double] {
        let ending = try ChildProcess(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", file]
        ).wait()
        return ending.text.split(separator: "\n").compactMap { line in
            line.split(separator: ",").first.flatMap { Double($0) }
        }
    }

    /// The moments at which the sound becomes loud.
    private static func beeps(of file: String, track: Int) throws -> [Double] {
        let rate = 48_000
        let ending = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", file, "-map", "0:a:\(track)", "-af", "aresample=async=1:first_pts=0",
                "-ac", "1", "-ar", "\(rate)", "-f", "s16le", "-",
            ]
        ).wait()
        // The tone stays below 0.04 of full scale and the beep reaches 0.5; a millisecond is a whole wave of the beep.
        let threshold = 32767 / 8
        var onsets: [Double] = []
        var quietSince = -rate
        for index in 0..<(ending.output.count / 2) {
            let sample = Int16(bitPattern: UInt16(ending.output[2 * index]) | UInt16(ending.output[2 * index + 1]) << 8)
            guard abs(Int(sample)) > threshold else { continue }
            if index - quietSince > rate / 100 { onsets.append(Double(index) / Double(rate)) }
            quietSince = index
        }
        return onsets
    }
}
