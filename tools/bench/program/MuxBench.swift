import Glibc
import Judges
import Linux
import Media

/// `kinebox-bench mux`: the same packets put into MP4 by Kinebox, which flushes every second, and by `ffmpeg -c copy`.
enum MuxBench {
    /// A program that copies, and what it took.
    private struct Copier {
        let name: String
        let program: String
        let arguments: [String]
        var user: [Double] = []
        var system: [Double] = []

        var command: String { ([program] + arguments).joined(separator: " ") }
    }

    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["rounds", "seconds"])
        let seconds = options.number("seconds", quick: 120, full: 300)
        let folder = try ScratchFolder()
        let source = try makeSource(seconds: seconds, in: folder)
        let packets = try Judge.ffprobe.verdict(on: source, audioTracks: 1).pictures
        var copiers = copiers(source, folder)
        for _ in 0..<options.number("rounds", quick: 5, full: 11) {
            for index in copiers.indices {
                let file = copiers[index].arguments.last ?? ""
                unlink(file)
                let ending = try ChildProcess(copiers[index].program, copiers[index].arguments).wait()
                let verdict = try Judge.ffprobe.verdict(on: file, audioTracks: 1)
                guard ending.exitCode == 0, verdict.faults.isEmpty, verdict.pictures == packets else {
                    throw Failure(
                        .internalFault, "cannot measure \(copiers[index].name)",
                        because: "\(ending) \(verdict.faults)")
                }
                copiers[index].user.append(ending.userSeconds)
                copiers[index].system.append(ending.systemSeconds)
                unlink(file)
            }
        }
        print(report(copiers, seconds: seconds).text(json: options.isJSON))
    }

    private static func copiers(_ source: String, _ folder: ScratchFolder) -> [Copier] {
        let ffmpeg = ["-nostdin", "-v", "error", "-y", "-i", source, "-c", "copy"]
        let fragments = ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "1000000"]
        return [
            Copier(
                name: "Kinebox, flushed every second", program: "/proc/self/exe",
                arguments: ["mux-copy", source, "\(folder.path)/kinebox.mp4"]),
            Copier(
                name: "ffmpeg, plain", program: "ffmpeg", arguments: ffmpeg + ["\(folder.path)/plain.mp4"]),
            Copier(
                name: "ffmpeg, fragments", program: "ffmpeg",
                arguments: ffmpeg + fragments + ["\(folder.path)/fragments.mp4"]),
        ]
    }

    /// Encodes twenty seconds in earnest and puts them one behind the other.
    private static func makeSource(seconds: Int, in folder: ScratchFolder) throws -> String {
        let piece = "\(folder.path)/piece.mp4"
        let source = "\(folder.path)/source.mp4"
        try ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30,noise=alls=12:allf=t"]
                + ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", "20", "-pix_fmt", "yuv420p"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "60", "-b:v", "6M"]
                + ["-maxrate", "6M", "-bufsize", "6M", "-c:a", "aac", "-b:a", "160k", "-ac", "2", piece])
        try ffmpeg([
            "-stream_loop", "\(max(seconds / 20 - 1, 0))", "-i", piece, "-c", "copy", "-video_track_timescale",
            "90000", source,
        ])
        unlink(piece)
        return source
    }

    private static func ffmpeg(_ arguments: [String]) throws {
        let ending = try ChildProcess("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments).wait()
        guard ending.exitCode == 0 else {
            throw Failure(.internalFault, "cannot make packets to copy", because: "\(ending)")
        }
    }

    private static func report(_ copiers: [Copier], seconds: Int) -> Report {
        var report = Report(
            "\(seconds) seconds of H.264 (720p, 6 Mb/s) and AAC put into MP4, mean of \(copiers[0].user.count) runs",
            columns: ["", "user CPU", "least", "most", "system CPU"])
        // Kernels that count user time by the tick are right on the average only.
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(values.count, 1)) }
        func milliseconds(_ seconds: Double?) -> String { "\(decimal((seconds ?? 0) * 1000, places: 0)) ms" }
        for copier in copiers {
            report.row([
                copier.name, milliseconds(mean(copier.user)), milliseconds(copier.user.min()),
                milliseconds(copier.user.max()), milliseconds(mean(copier.system)),
            ])
        }
        for copier in copiers.dropFirst() { report.note(copier.command) }
        let ours = mean(copiers[0].user)
        // Held against the lighter of the two.
        let peer = copiers.dropFirst().map { mean($0.user) }.min() ?? 0
        report.figure("cpu_ratio_ffmpeg", peer > 0 ? ours / peer : 0, "ratio")
        return report
    }
}
