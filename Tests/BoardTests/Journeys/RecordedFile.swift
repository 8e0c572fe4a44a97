import Judges
import Testing

/// What judges find in a file.
struct RecordedFile {
    let path: String
    /// Pictures.
    let pictures: Int
    /// The numbers of the pictures at which decoding can begin.
    let keyFrames: [Int]
    /// Seconds from the start at which pictures stand.
    let times: [Double]
    /// Seconds that the picture and the sound last.
    let (picture, sound): (Double, Double)
    /// Width and height in pixels.
    let size: String

    /// Has a file checked strictly and decoded to its end; every fault is an issue of the test.
    init(_ path: String) throws {
        self.path = path
        let check = try Kinebox.run("check", path)
        #expect(check.exitCode == 0, "\(check)")
        let decoding = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-map", "0", "-fps_mode",
                "passthrough", "-f", "null", "-",
            ]
        ).wait(atMost: 120)
        // A muxer that knows milliseconds alone complains of two pictures in one.
        let faults = decoding.complaints.filter { !$0.contains("non monotonically increasing dts") }
        #expect(faults.isEmpty, "\(faults)")
        let packets = try ChildProcess(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0", path,
            ]
        ).wait()
        let lines = packets.text.split(separator: "\n")
        pictures = lines.count
        keyFrames = lines.enumerated().filter { $0.element.contains(",K") }.map(\.offset)
        times = lines.compactMap { Double($0.prefix { $0 != "," }) }
        let streams = try ChildProcess(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=codec_type,width,height,duration", "-of", "csv=p=0", path]
        ).wait()
        let fields = streams.text.split(separator: "\n").map { $0.split(separator: ",") }
        let video = try #require(fields.first { $0.first == "video" })
        size = "\(video[1])x\(video[2])"
        picture = Double(video[3]) ?? 0
        sound = fields.first { $0.first == "audio" }?.last.flatMap { Double($0) } ?? 0
    }

    /// Whether decoding can begin at the first picture behind a time, or at one of the few behind it.
    func canBegin(behind time: Double) -> Bool {
        guard let first = times.firstIndex(where: { $0 > time - 0.001 }) else { return false }
        return keyFrames.contains { (first...(first + 3)).contains($0) }
    }

    /// How loud the sound is on average between two times, in decibels below the greatest.
    func loudness(from start: Double = 0, to end: Double? = nil) throws -> Double {
        let span = end.map { ["-t", "\($0 - start)"] } ?? []
        let ending = try ChildProcess(
            "ffmpeg",
            ["-nostdin", "-ss", "\(start)"] + span + ["-i", path, "-map", "0:a", "-af", "volumedetect"]
                + ["-f", "null", "-"]
        ).wait(atMost: 120)
        let line = ending.errors.split(separator: "\n").first { $0.contains("mean_volume: ") }
        return line?.split(separator: " ").dropLast().last.flatMap { Double($0) } ?? -.infinity
    }
}
