import Judges
import Media

/// `kinebox-bench record`: the same pictures through the same kind of pipe, recorded by Kinebox and by ffmpeg in turn, with
/// the same x264 library, preset, tune, threads, bitrate and distance of key frames.
enum RecordBench {
    private static let rate = 30
    private static let bitrate = 6_000_000

    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["rounds", "frames", "width", "height"])
        let rounds = options.number("rounds", quick: 3, full: 9)
        let frames = options.number("frames", quick: 120, full: 600)
        let width = options.number("width", quick: 1280, full: 1280)
        let height = options.number("height", quick: 720, full: 720)
        let folder = try TemporaryFolder()
        let source = folder.file("source.y4m")
        try makeSource(source, width: width, height: height, frames: frames)

        let contestants = [kinebox(folder.file("kinebox.mp4")), ffmpeg(folder.file("ffmpeg.mp4"))]
        var costs: [[Contestant.Cost]] = [[], []]
        for round in 0..<rounds {
            // Who comes first changes, so that a machine that grows busy or warm favours nobody.
            for index in round % 2 == 0 ? [0, 1] : [1, 0] {
                costs[index].append(try contestants[index].record(source))
            }
        }
        let title =
            "\(frames) pictures of \(width)x\(height) from a pipe, \(rounds) rounds in turn; medians"
        print(report(title, contestants, costs, frames: frames).text(json: options.isJSON))
    }

    private static func kinebox(_ file: String) -> Contestant {
        Contestant(
            name: "kinebox", program: Kinebox.path,
            arguments: [
                "record", "--video", "-", "--audio", "none", "--preset", "superfast", "--threads", "1",
                "--bitrate", "\(bitrate)", file,
            ])
    }

    private static func ffmpeg(_ file: String) -> Contestant {
        Contestant(
            name: "ffmpeg", program: "ffmpeg",
            arguments: [
                "-v", "error", "-f", "yuv4mpegpipe", "-i", "-", "-an", "-c:v", "libx264", "-preset", "superfast",
                "-tune", "zerolatency", "-threads", "1", "-b:v", "\(bitrate)", "-maxrate", "\(bitrate)",
                "-bufsize", "\(bitrate)", "-g", "\(2 * rate)", file,
            ])
    }

    /// A picture with detail, movement and the noise of a camera: an encoder has to work for it.
    private static func makeSource(_ path: String, width: Int, height: Int, frames: Int) throws {
        let ending = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(width)x\(height):rate=\(rate)",
                "-vf", "noise=alls=8:allf=t,format=yuv420p", "-frames:v", "\(frames)", "-f", "yuv4mpegpipe", path,
            ]
        ).wait(atMost: 300)
        guard ending.exitCode == 0 else {
            throw Failure(.internalFault, "cannot make the source", because: "ffmpeg failed: \(ending)")
        }
    }

    private static func report(
        _ title: String, _ contestants: [Contestant], _ costs: [[Contestant.Cost]], frames: Int
    ) -> Report {
        var report = Report(
            title,
            columns: ["", "CPU s", "user s", "system s", "own memory MiB", "peak RSS MiB", "frames", "dropped", "kb/s"])
        for (contestant, costs) in zip(contestants, costs) {
            func middle(_ value: (Contestant.Cost) -> Double) -> Double { median(costs.map(value)) ?? 0 }
            let pictures = median(costs.map(\.pictures)) ?? 0
            let kilobits = middle { Double($0.bytes) * 8 / 1000 } * Double(rate) / Double(frames)
            report.row([
                contestant.name, decimal(middle(\.processorSeconds), places: 2),
                decimal(middle(\.userSeconds), places: 2), decimal(middle(\.systemSeconds), places: 2),
                decimal(middle { Double($0.dirtyKilobytes) / 1024 }, places: 1),
                decimal(middle { Double($0.residentKilobytes) / 1024 }, places: 1), "\(pictures)",
                "\(Int64(frames) - pictures)", decimal(kilobits, places: 0),
            ])
        }
        let ratios = zip(costs[0], costs[1]).map { $0.processorSeconds / $1.processorSeconds }
        report.note(
            "CPU of kinebox to ffmpeg in each round: "
                + ratios.map { decimal($0, places: 3) }.joined(separator: ", "))
        for contestant in contestants { report.note("\(contestant.name): \(contestant.command)") }
        func ratio(_ memory: (Contestant.Cost) -> Int64) -> Double {
            Double(median(costs[0].map(memory)) ?? 0) / Double(max(median(costs[1].map(memory)) ?? 0, 1))
        }
        report.figure("cpu_ratio_ffmpeg", median(ratios) ?? 0, "ratio")
        report.figure("memory_ratio_ffmpeg", ratio(\.dirtyKilobytes), "ratio")
        report.figure("resident_ratio_ffmpeg", ratio(\.residentKilobytes), "ratio")
        let kept = costs[0].map(\.pictures).min() ?? 0
        report.figure("dropped_frames", Int64(frames) - kept, "frames")
        return report
    }
}
