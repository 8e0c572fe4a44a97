import Glibc
import Judges
import Media

/// `kinebox-bench copies --memory`, on the virtual board: what a recording of 1920x1080 at 30 by the encoder takes of
/// memory, and whether it stays so.
enum HardwareMemoryBench {
    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["frames"])
        let frames = options.number("frames", quick: 900, full: 10_000)
        let input = BoardDevices.Input.single
        let recorder = BoardRecorder(
            name: "kinebox", program: Kinebox.path,
            arguments: [
                "record", "--video", input.rawValue, "--audio", "none", "--encoder", "hardware", "--pixel-format",
                "NV12",
            ], source: .input(input))
        try BoardDevices.set(input, "1920x1080@30", fourcc: "NV12")
        let folder = try TemporaryFolder()
        let cost = try BoardDevices.withOnly(recorder.encoder) {
            try recorder.measure(seconds: (frames + 29) / 30, in: folder)
        }
        let memory = cost.dirtyKilobytes
        var report = Report(
            "1920x1080 at 30 from the board's HDMI input through its H.264 encoder into MP4: \(cost.fileFrames) pictures",
            columns: ["after", "own memory kB"])
        for second in stride(from: 0, to: memory.count, by: max(memory.count / 10, 1)) {
            report.row(["\(second + 2) s", "\(memory[second])"])
        }
        report.note("\(recorder.command)")
        report.note(
            "Own memory: Private_Dirty without what is mapped of devices. Peak RSS: \(cost.residentKilobytes) kB.")
        let tenth = max(memory.count / 10, 1)
        // Pages come one by one as they are first used: the tables' growth shows between the first tenth and the last.
        let growth = (memory.suffix(tenth).max() ?? 0) - (memory.prefix(tenth).max() ?? 0)
        report.figure("frames", Int64(cost.fileFrames), "frames")
        report.figure("memory_mb", Double(memory.max() ?? 0) * 1024 / 1e6, "MB")
        report.figure("memory_growth_kb", growth, "kB")
        report.figure("resident_mb", Double(cost.residentKilobytes) * 1024 / 1e6, "MB")
        report.figure("allocations_per_frame", cost.allocationRate / BoardRecorder.rate, "allocations")
        print(report.text(json: options.isJSON))
    }
}
