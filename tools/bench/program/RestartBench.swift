import Control
import Glibc
import Judges
import Linux
import Media

/// `kinebox-bench restart`, on the virtual board under systemd: the recorder is killed while it records. When does the
/// light stop being steady, when is the recorder back, when is the file recovered and all ready for the next press?
enum RestartBench {
    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["runs"])
        let runs = options.number("runs", quick: 2, full: 20)
        try BoardDevices.set(.single, "1280x720@30", fourcc: "NV12")
        let box = try ServedBox(
            ["Video=\(BoardDevices.node("/dev/board/hdmi"))", "Audio=none", "Encoder=hardware"])
        var (dark, back, ready, lost) = ([Double](), [Double](), [Double](), [Double]())
        for _ in 0..<runs {
            let reply = try box.client().call(RecorderAPI.Start.self, .init())
            usleep(1_000_000)
            let process = try box.process
            // On a busy machine it takes its time until the kernel notes the light's edges.
            let light = try ChildProcess("boardctl", ["light", "red", "6"])
            usleep(2_500_000)
            let length = box.status()?.clip?.duration ?? 0
            let killed = MonotonicTime.now
            kill(process, SIGKILL)
            try box.wait("the recorder was back") { box.status() != nil }
            back.append(Double(MonotonicTime.now - killed) / 1e6)
            try box.rest()
            ready.append(Double(MonotonicTime.now - killed) / 1e6)
            let edges = light.wait(atMost: 30).text.split(separator: "\n")
            guard let edge = edges.compactMap({ darkEdge($0) }).first(where: { $0 > Double(killed.nanoseconds) / 1e9 })
            else {
                throw Failure(.internalFault, "cannot measure the light", because: "it stayed as it was: \(edges)")
            }
            dark.append(edge * 1e3 - Double(killed.nanoseconds) / 1e6)
            let clips = try box.client().call(RecorderAPI.ListClips.self, .init()).clips
            guard let clip = clips.first(where: { $0.path == reply.path }), clip.isWhole == true else {
                throw Failure(.internalFault, "cannot measure a restart", because: "the file was not recovered")
            }
            lost.append(Double(length - (clip.duration ?? 0)) / 1e6)
        }
        var report = Report(
            "kill -9 of the recorder while it records, ms after it", columns: ["", "least", "median", "most", "runs"])
        let rows = [
            ("the light is steady no more", dark), ("the recorder answers again", back),
            ("the file is recovered, and the next press would record", ready),
            ("of the recording, lost", lost.map { max(0, $0) }),
        ]
        for (name, times) in rows {
            report.row(
                [name] + [times.min(), median(times), times.max()].map { decimal($0 ?? 0, places: 1) }
                    + ["\(times.count)"])
        }
        report.figure("runs", Int64(runs), "kills")
        report.figure("light_ms_max", dark.max() ?? 0, "ms")
        report.figure("back_ms_max", back.max() ?? 0, "ms")
        report.figure("ready_ms_max", ready.max() ?? 0, "ms")
        report.figure("lost_ms_max", max(0, lost.max() ?? 0), "ms")
        print(report.text(json: options.isJSON))
    }

    /// The moment of a line such as "edge 47.968085 off", in seconds.
    private static func darkEdge(_ line: Substring) -> Double? {
        let words = line.split(separator: " ")
        return words.count == 3 && words[0] == "edge" && words[2] == "off" ? Double(words[1]) : nil
    }
}
