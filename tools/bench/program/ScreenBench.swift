import Glibc
import Judges
import Media

/// `kinebox-bench screen`, on the virtual board: what a picture of the board's own screen costs on its way through the encoder
/// into the file, and beside it the same work by FFmpeg's kmsgrab, on the same screen, in turn.
enum ScreenBench {
    /// What is on the screen.
    private enum Scene: CaseIterable {
        /// One plane, flipped sixty times a second.
        case plane
        /// The same under an overlay and a cursor that moves: to be put together, by who sees them at all.
        case pile

        var name: String { self == .plane ? "one plane" : "with an overlay and a cursor" }
    }

    /// What was found of a scene: of ours, then of the peer.
    private struct Found {
        let scene: Scene
        var ours: WayFindings
        /// Ours without the right to read the screen, so that kinebox-kms reads it.
        var served: WayFindings
        var peer: WayFindings

        init(_ scene: Scene) {
            self.scene = scene
            ours = WayFindings("kinebox, \(scene.name)", ScreenBench.kinebox)
            served = WayFindings("kinebox and kinebox-kms, \(scene.name)", ScreenBench.servedKinebox)
            peer = WayFindings("FFmpeg, \(scene.name)", ScreenBench.ffmpeg)
        }

        /// Processor time of one of ours to the peer's, in each round: those of a round ran one right after the other.
        func ratios(_ one: WayFindings) -> [Double] {
            one.costs.indices.map { one.milliseconds($0) / max(peer.milliseconds($0), 0.001) }
        }

        var leastRatio: Double { ours.leastMilliseconds / max(peer.leastMilliseconds, 0.001) }

        /// Has all record in turn, the first another one each time.
        mutating func measure(
            from round: Int, _ helper: ChildProcess, seconds: Int, _ folder: TemporaryFolder, isQuick: Bool
        ) throws {
            for turn in 0..<3 {
                try BoardDevices.withOnly(ours.recorder.encoder) {
                    switch (turn + round) % 3 {
                    case 0: ours.costs.append(try ours.recorder.measure(seconds: seconds, in: folder))
                    case 1 where !isQuick || scene == .plane:
                        peer.costs.append(try peer.recorder.measure(seconds: seconds, in: folder))
                    case 2 where !isQuick:
                        var recorder = served.recorder
                        recorder.helper = helper.identifier
                        served.costs.append(try recorder.measure(seconds: seconds, in: folder))
                    default: break
                    }
                }
            }
        }
    }

    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["rounds", "seconds"])
        let rounds = options.number("rounds", quick: 1, full: 4)
        let seconds = options.number("seconds", quick: 4, full: 18)
        let folder = try TemporaryFolder()
        var found = Scene.allCases.map(Found.init)
        let helper = try startHelper()
        defer { helper.send(SIGTERM) }
        for index in found.indices {
            try show(found[index].scene)
            for round in 0..<rounds {
                // Who comes first changes, so that a machine that grows busy or warm favours nobody.
                try found[index].measure(from: round, helper, seconds: seconds, folder, isQuick: options.isQuick)
            }
            // FFmpeg does the same whatever lies over the plane that it reads.
            if options.isQuick && index > 0 { found[index].peer.costs = found[0].peer.costs }
            try BoardDevices.withOnly(kinebox.encoder) {
                try found[index].ours.trace(seconds: options.isQuick ? 2 : 5, in: folder)
                if !options.isQuick { try found[index].peer.trace(seconds: 5, in: folder) }
            }
        }
        try BoardDevices.run("boardctl", ["screen", "stop"])
        let title =
            "The board's screen of \(size) at 60 Hz, 30 pictures a second through its H.264 encoder into MP4; "
            + "\(rounds) x \(seconds) s in turn"
        print(report(title, found).text(json: options.isJSON))
    }

    // MARK: who records

    private static let size = "1280x720"

    private static let words = [
        "record", "--video", "screen", "--audio", "none", "--encoder", "hardware", "--rate", "30",
    ]

    private static let kinebox = BoardRecorder(
        name: "kinebox", program: Kinebox.path, arguments: words, source: .screen)

    private static let servedKinebox = BoardRecorder(
        name: "kinebox and kinebox-kms", program: "setpriv",
        arguments: ["--bounding-set=-sys_admin", "--inh-caps=-sys_admin", Kinebox.path] + words, source: .screen)

    /// Starts the privileged program, and waits until it listens.
    private static func startHelper() throws -> ChildProcess {
        mkdir("/run/kinebox", 0o755)
        let helper = try ChildProcess("\(Kinebox.path)-kms", ["--user", "nobody"])
        for _ in 0..<100 where access("/run/kinebox/kms", F_OK) != 0 { usleep(50_000) }
        return helper
    }

    /// With the layout that the framebuffer has, which the encoder takes, so that it converts nothing; it maps the
    /// framebuffer anew for each picture, copies it, and copies that into the encoder's buffer.
    private static let ffmpeg = BoardRecorder(
        name: "FFmpeg", program: "ffmpeg",
        arguments: [
            "-nostdin", "-v", "error", "-device", "/dev/board/screen", "-f", "kmsgrab", "-framerate", "30", "-i", "-",
            "-vf", "hwdownload,format=bgr0", "-an", "-fps_mode", "passthrough", "-c:v", "h264_v4l2m2m", "-g", "60",
            "-y",
        ], source: .screen, isPeer: true)

    // MARK: measuring

    /// Has the screen flip, for longer than anything here lasts.
    private static func show(_ scene: Scene) throws {
        try BoardDevices.run("boardctl", ["screen", "show", size])
        // As most compositors: three framebuffers, in which little changes.
        try BoardDevices.run("boardctl", ["screen", "calm", "3"])
        if scene == .pile {
            try BoardDevices.run("boardctl", ["screen", "overlay", "0", "100", "100", "320", "180", "ARGB8888"])
            try BoardDevices.run("boardctl", ["screen", "cursor", "roams"])
        }
        try BoardDevices.run("boardctl", ["screen", "begin", "1000000"])
    }

    // MARK: telling

    private static func report(_ title: String, _ found: [Found]) -> Report {
        var report = Report(title, columns: WayFindings.columns)
        for one in found {
            report.row(one.ours.cells)
            if !one.served.costs.isEmpty { report.row(one.served.cells) }
            report.row(one.peer.cells)
        }
        for one in found {
            one.ours.note(in: &report)
            one.peer.note(in: &report)
            report.note(
                "CPU of kinebox to FFmpeg's in each round, \(one.scene.name): "
                    + one.ratios(one.ours).map { decimal($0, places: 3) }.joined(separator: ", ")
                    + "; of the least disturbed spans: \(decimal(one.leastRatio, places: 3))")
        }
        report.note(WayFindings.explanation)
        report.note("FFmpeg reads one plane: in its file there is neither the overlay nor the cursor.")
        report.note(
            "FFmpeg maps each picture anew and copies it twice. On the board a page that is looked at for the first time costs "
                + "a hundred times what it does outside: a chip's ratio is nearer to that of the bytes touched.")
        let (plane, pile) = (found[0], found[1])
        report.figure("frames", Int64(plane.ours.pictures), "frames")
        report.figure("cpu_ratio_ffmpeg", median(plane.ratios(plane.ours)) ?? -1, "ratio")
        report.figure("cpu_ratio_ffmpeg_composed", median(pile.ratios(pile.ours)) ?? -1, "ratio")
        if let ratio = median(plane.ratios(plane.served)) { report.figure("cpu_ratio_ffmpeg_helper", ratio, "ratio") }
        report.figure(
            "raw_bytes_touched_per_frame", Int64(plane.ours.calls?.touchedBytesPerPicture ?? -1), "bytes")
        report.figure(
            "raw_bytes_touched_per_frame_composed", Int64(pile.ours.calls?.touchedBytesPerPicture ?? -1), "bytes")
        report.figure("syscalls_per_frame", plane.ours.calls?.callsPerPicture ?? -1, "calls")
        report.figure("allocations_per_frame", plane.ours.allocations, "allocations")
        report.figure(
            "memory_ratio_ffmpeg", plane.ours.dirtyMegabytes / max(plane.peer.dirtyMegabytes, 0.001), "ratio")
        report.figure("memory_mb", plane.ours.dirtyMegabytes, "MB")
        return report
    }
}
