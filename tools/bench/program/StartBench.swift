import Glibc
import Judges
import Linux
import Media

/// `kinebox-bench start`, on the virtual board under systemd: how long after a hand wants to record the first picture is
/// captured that the file has. Ours is a service with its capture kept warm; beside it GStreamer and FFmpeg are started as
/// people start them from a button's script.
enum StartBench {
    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["rounds", "runs"])
        let rounds = options.number("rounds", quick: 1, full: 4)
        let runs = options.number("runs", quick: 3, full: 5)
        try BoardDevices.set(.single, "1280x720@30", fourcc: "NV12")
        let folder = try TemporaryFolder()
        let lines = ["Video=\(BoardDevices.node("/dev/board/hdmi"))", "Audio=none", "Encoder=hardware"]
        let box = try ServedBox(lines)
        var (button, call, cold, peers) = ([Double](), [Double](), [Double](), [[Double]](repeating: [], count: 2))
        for _ in 0..<rounds {
            for _ in 0..<runs {
                button.append(try box.recordByButton().milliseconds)
                call.append(try box.recordByCall().milliseconds)
            }
            try box.end()
            for _ in 0..<runs {
                for (index, peer) in [CopiesBench.gstreamer, CopiesBench.ffmpeg].enumerated() {
                    peers[index].append(try coldStart(peer.recorder, folder))
                }
            }
            try box.configure(lines + ["KeepWarm=no"])
            try box.beginCold()
            for _ in 0..<runs { cold.append(try box.recordByCall().milliseconds) }
            try box.end()
            try box.configure(lines)
            try box.begin()
        }
        var report = Report(
            "1280x720 at 30 by HDMI and hardware: from the wish to record to the capture time of the file's first picture, ms",
            columns: ["", "least", "median", "most", "runs"])
        let rows = [
            ("kinebox, button", button), ("kinebox, socket", call), ("kinebox, socket, KeepWarm=no", cold),
            ("GStreamer, started cold", peers[0]), ("FFmpeg, started cold", peers[1]),
        ]
        for (name, times) in rows {
            let cells = [times.min(), median(times), times.max()].map { decimal($0 ?? 0, places: 1) }
            report.row([name] + cells + ["\(times.count)"])
        }
        for peer in [CopiesBench.gstreamer, CopiesBench.ffmpeg] {
            report.note("\(peer.name): \(peer.recorder.command)")
        }
        report.note(
            "The button's moment is the kernel's stamp of its edge, the socket's the reading of the call, a peer's the one "
                + "before its process is made; a picture's is the kernel's stamp of its buffer.")
        let ours = button + call
        report.figure("runs", Int64(ours.count), "recordings")
        report.figure("start_ms_median", median(ours) ?? 0, "ms")
        report.figure("start_ms_min", ours.min() ?? 0, "ms")
        report.figure("start_ms_max", ours.max() ?? 0, "ms")
        let best = peers.compactMap { median($0) }.min() ?? 1
        report.figure("start_ratio_best_peer", (median(ours) ?? 0) / max(best, 0.001), "times")
        print(report.text(json: options.isJSON))
    }

    /// Milliseconds from a peer's start to its first picture.
    private static func coldStart(_ peer: BoardRecorder, _ folder: TemporaryFolder) throws -> Double {
        guard let library = getenv("KINEBOX_FIRST_PICTURE_LIBRARY") else {
            throw Failure(
                .internalFault, "cannot see a peer's first picture", because: "no library is named for it",
                mend: "Run tools/bench/start, which builds it.")
        }
        try BoardDevices.set(.single, "1280x720@30", fourcc: "NV12")
        let (moment, file) = (folder.file("first"), folder.file("peer.mp4"))
        let descriptor = try FileDescriptor.open(moment, O_RDWR | O_CREAT | O_TRUNC)
        return try BoardDevices.withOnly(peer.encoder) {
            let start = MonotonicTime.now
            let process = try ChildProcess(
                peer.program, peer.argumentsWith(file),
                environment: ["LD_PRELOAD=\(String(cString: library))", "KINEBOX_FIRST_PICTURE=\(moment)"])
            var first: Int64 = 0
            for _ in 0..<2000 where first == 0 {
                usleep(10_000)
                _ = withUnsafeMutableBytes(of: &first) { bytes in try? descriptor.read(into: bytes, at: 0) }
                guard process.isRunning else { break }
            }
            process.send(SIGINT)
            _ = process.wait(atMost: 20)
            guard first > 0 else {
                throw Failure(
                    .internalFault, "cannot measure \(peer.name)", because: "it took no picture: \(peer.command)")
            }
            return Double(MonotonicTime(nanoseconds: first) - start) / 1e6
        }
    }
}
