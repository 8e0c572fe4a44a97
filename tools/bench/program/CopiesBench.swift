import Judges
import Media

/// `kinebox-bench copies`, on the virtual board: what a picture costs on its way from the HDMI input through the encoder
/// into the file, for each way that there is, and beside it the same work by GStreamer and FFmpeg.
enum CopiesBench {
    /// A way of the pictures.
    struct Way {
        let name: String
        let recorder: BoardRecorder
        /// Where it comes in.
        var input = BoardDevices.Input.single
        /// What comes in: "1280x720@30".
        var mode = "1280x720@30"
        /// The input's own format, for programs that take it as it is.
        var fourcc = "NV12"
    }

    /// A way, and what was found of it.
    private struct Found {
        let way: Way
        var findings: WayFindings

        init(way: Way) {
            self.way = way
            findings = WayFindings(way.name, way.recorder)
        }
    }

    static func run(_ arguments: [String]) throws {
        if arguments.first == "--memory" { return try HardwareMemoryBench.run(Array(arguments.dropFirst())) }
        let options = try BenchOptions(arguments, numbers: ["rounds", "seconds"])
        let rounds = options.number("rounds", quick: 1, full: 4)
        let seconds = options.number("seconds", quick: 4, full: 18)
        let folder = try TemporaryFolder()
        var rivals = [kinebox("zero copy, NV12", "NV12"), gstreamer, ffmpeg].map { Found(way: $0) }
        var others = (options.isQuick ? Array(ways.prefix(2)) : ways).map { Found(way: $0) }
        try BoardDevices.run("gst-inspect-1.0", ["video4linux2"])
        for round in 0..<rounds {
            // Who comes first changes, so that a machine that grows busy or warm favours nobody.
            for index in rivals.indices.map({ ($0 + round) % rivals.count }) {
                try measure(&rivals[index], seconds: seconds, folder)
            }
        }
        for index in rivals.indices.prefix(options.isQuick ? 1 : rivals.count) {
            try trace(&rivals[index], seconds: options.isQuick ? 2 : 5, folder)
        }
        for index in others.indices { try trace(&others[index], seconds: options.isQuick ? 2 : 5, folder) }
        let title =
            "1280x720 at 30 from the board's HDMI input through its H.264 encoder into MP4; \(rounds) x \(seconds) s in turn"
        print(report(title, rivals, others).text(json: options.isJSON))
    }

    // MARK: who records

    private static func kinebox(
        _ name: String, _ format: String, _ input: BoardDevices.Input = .single, mode: String = "1280x720@30",
        encoder: String = "hardware"
    ) -> Way {
        Way(
            name: "kinebox, \(name)",
            recorder: BoardRecorder(
                name: "kinebox, \(name)", program: Kinebox.path,
                arguments: [
                    "record", "--video", input.rawValue, "--audio", "none", "--encoder", encoder, "--pixel-format",
                    format,
                ], source: .input(input)), input: input, mode: mode)
    }

    /// The other ways of ours.
    private static let ways = [
        kinebox("zero copy, NV12, multi-planar", "NV12", .planes),
        kinebox("NV16, converted by the processor", "NV16"),
        kinebox("zero copy, YUV420", "YUV420"),
        kinebox("zero copy, YUV420, multi-planar", "YUV420", .planes),
        kinebox("zero copy, YUYV", "YUYV"),
        kinebox("zero copy, UYVY, multi-planar", "UYVY", .planes),
        kinebox("zero copy, BGRX32", "BGRX32"),
        kinebox("RGB24 640x480, converted by the board's converter", "RGB24", mode: "640x480@59"),
        kinebox("NV12, encoded by the processor", "NV12", encoder: "software"),
    ]

    /// With the input and output modes that cost it least; with its default ones it copies each picture, and takes more
    /// than four times as long.
    static let gstreamer = Way(
        name: "GStreamer",
        recorder: BoardRecorder(
            name: "GStreamer", program: "gst-launch-1.0",
            arguments: [
                "-q", "-e", "v4l2src", "device=/dev/board/hdmi", "io-mode=dmabuf", "!",
                "video/x-raw,format=NV12,width=1280,height=720,framerate=30/1", "!", "v4l2h264enc",
                "output-io-mode=dmabuf-import", "extra-controls=controls,video_gop_size=60", "!", "h264parse", "!",
                "mp4mux", "!", "filesink", "location=",
            ], source: .input(.single), isPeer: true))

    static let ffmpeg = Way(
        name: "FFmpeg",
        recorder: BoardRecorder(
            name: "FFmpeg", program: "ffmpeg",
            arguments: [
                "-nostdin", "-v", "error", "-f", "v4l2", "-input_format", "nv12", "-video_size", "1280x720",
                "-framerate",
                "30", "-i", "/dev/board/hdmi", "-an", "-c:v", "h264_v4l2m2m", "-g", "60", "-y",
            ], source: .input(.single), isPeer: true))

    // MARK: measuring

    private static func measure(_ found: inout Found, seconds: Int, _ folder: TemporaryFolder) throws {
        let way = found.way
        try BoardDevices.set(way.input, way.mode, fourcc: way.fourcc)
        found.findings.costs.append(
            try BoardDevices.withOnly(way.recorder.encoder) {
                try way.recorder.measure(seconds: seconds, in: folder)
            })
    }

    private static func trace(_ found: inout Found, seconds: Int, _ folder: TemporaryFolder) throws {
        let way = found.way
        try BoardDevices.set(way.input, way.mode, fourcc: way.fourcc)
        try BoardDevices.withOnly(way.recorder.encoder) { try found.findings.trace(seconds: seconds, in: folder) }
    }

    // MARK: telling

    private static func report(_ title: String, _ rivals: [Found], _ others: [Found]) -> Report {
        var report = Report(title, columns: WayFindings.columns)
        for found in rivals + others { report.row(found.findings.cells) }
        for found in rivals + others { found.findings.note(in: &report) }
        report.note(WayFindings.explanation)
        let ours = rivals[0].findings
        // Those of a round ran one right after the other: what else the machine did, it did to all of them.
        let ratios = ours.costs.indices.map { round in
            let best = rivals.dropFirst().map { $0.findings.milliseconds(round) }.min() ?? 0
            return ours.milliseconds(round) / max(best, 0.001)
        }
        report.note(
            "CPU of kinebox to the better peer in each round: "
                + ratios.map { decimal($0, places: 3) }.joined(separator: ", "))
        let leastBest = rivals.dropFirst().map(\.findings.leastMilliseconds).min() ?? 0
        report.note(
            "of the least disturbed spans: \(decimal(ours.leastMilliseconds / max(leastBest, 0.001), places: 3))")
        report.figure("frames", Int64(ours.pictures), "frames")
        report.figure("raw_bytes_touched_per_frame", Int64(ours.calls?.touchedBytesPerPicture ?? -1), "bytes")
        report.figure("syscalls_per_frame", ours.calls?.callsPerPicture ?? -1, "calls")
        report.figure("allocations_per_frame", ours.allocations, "allocations")
        report.figure("cpu_ratio_best_peer", median(ratios) ?? -1, "ratio")
        report.figure("memory_mb", ours.dirtyMegabytes, "MB")
        return report
    }
}
