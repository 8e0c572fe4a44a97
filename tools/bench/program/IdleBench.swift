import Glibc
import Judges
import Linux
import Media

/// `kinebox-bench idle`, on the virtual board under systemd: what a recorder costs that records nothing. With its capture
/// kept warm, and without.
enum IdleBench {
    /// What was found.
    private struct Cost {
        var dirty: Int64
        var resident: Int64
        var wakeUps: Double
    }

    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["seconds"])
        let seconds = options.number("seconds", quick: 10, full: 60)
        try BoardDevices.set(.single, "1280x720@30", fourcc: "NV12")
        let lines = ["Video=\(BoardDevices.node("/dev/board/hdmi"))", "Audio=none"]
        let box = try ServedBox(lines)
        let warm = try cost(of: box, seconds)
        try box.end()
        try box.configure(lines + ["KeepWarm=no"])
        try box.beginCold()
        let cold = try cost(of: box, seconds)
        var report = Report(
            "A recorder that records nothing, over \(seconds) s",
            columns: ["", "own memory kB", "resident kB", "wake-ups a second"])
        for (name, cost) in [("KeepWarm=no", cold), ("capture kept warm, 1280x720 at 30", warm)] {
            report.row([name, "\(cost.dirty)", "\(cost.resident)", decimal(cost.wakeUps, places: 2)])
        }
        report.note(
            "Own memory is Private_Dirty without buffers of devices; wake-ups are the voluntary switches of all of the "
                + "process's threads.")
        report.figure("idle_memory_kb", cold.dirty, "kB")
        report.figure("idle_wakeups", cold.wakeUps, "1/s")
        report.figure("warm_memory_kb", warm.dirty, "kB")
        report.figure("warm_wakeups", warm.wakeUps, "1/s")
        print(report.text(json: options.isJSON))
    }

    private static func cost(of box: ServedBox, _ seconds: Int) throws -> Cost {
        let process = try box.process
        // What a start needs once is over by then.
        usleep(3_000_000)
        let (before, begun) = (switches(of: process), MonotonicTime.now)
        usleep(UInt32(seconds) * 1_000_000)
        let count = switches(of: process) - before
        let span = Double(MonotonicTime.now - begun) / 1e9
        return Cost(
            dirty: ProcessMemory.ownDirtyKilobytes(of: process),
            resident: ProcessMemory.kilobytes("VmRSS:", in: "/proc/\(process)/status"), wakeUps: Double(count) / span)
    }

    /// How often the threads of a process have gone to sleep.
    private static func switches(of process: pid_t) -> Int64 {
        guard let folder = opendir("/proc/\(process)/task") else { return 0 }
        defer { closedir(folder) }
        var sum: Int64 = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil else { continue }
            sum += ProcessMemory.kilobytes("voluntary_ctxt_switches:", in: "/proc/\(process)/task/\(name)/status")
        }
        return sum
    }
}
