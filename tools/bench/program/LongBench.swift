import Judges
import Linux
import Media

/// `kinebox-bench long`: a day of packets through the real writer, into one part and into parts of half an hour. How does
/// memory grow, how long does it take to finish, how many bytes are not samples?
enum LongBench {
    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["hours"])
        let hours = options.number("hours", quick: 24, full: 24)
        guard hours > 1 else {
            throw Failure(.invalidValue, "cannot use --hours 1", because: "growth needs two hours at least")
        }
        let whole = try record(hours: hours, partSeconds: hours * 3600)
        let parts = try record(hours: options.isQuick ? min(hours, 6) : hours, partSeconds: 1800)
        print(report(whole, parts).text(json: options.isJSON))
    }

    private static func record(hours: Int, partSeconds: Int) throws -> LongRun {
        let ending = try ChildProcess("/proc/self/exe", ["long-run", "\(hours)", "\(partSeconds)"]).wait(atMost: 3600)
        guard ending.exitCode == 0, let run = LongRun(ending.text) else {
            throw Failure(.internalFault, "cannot measure a long recording", because: "\(ending)")
        }
        return run
    }

    private static func report(_ whole: LongRun, _ parts: LongRun) -> Report {
        var report = Report(
            "\(whole.hours.count) hours of 30 pictures a second (6 Mb/s) and AAC (160 kb/s) into one part",
            columns: ["after", "memory of the process", "of that tables", "file"])
        for (index, hour) in whole.hours.enumerated() where (index + 1) % 4 == 0 || index < 2 {
            report.row([
                "\(index + 1) h", "\(hour.dirtyKilobytes) KB", "\(hour.tableKilobytes) KB",
                "\(decimal(Double(hour.bytes) / 1e9, places: 2)) GB",
            ])
        }
        report.note(
            "Finishing it took \(milliseconds(whole)) ms, "
                + "\(decimal(whole.overheadPercent, places: 3)) % of its samples' bytes are not samples.")
        let memory = parts.hours.map(\.dirtyKilobytes)
        report.note(
            "\(memory.count) hours into \(parts.parts) parts of 30 minutes: \(memory.first ?? 0) KB of memory after the "
                + "first hour, \(memory.last ?? 0) KB after the last, \(memory.max() ?? 0) KB at most; "
                + "finishing a part took at most \(milliseconds(parts)) ms; "
                + "overhead \(decimal(parts.overheadPercent, places: 3)) %.")
        report.figure("memory_kb_per_hour", whole.kilobytesPerHour, "KB")
        report.figure("finalise_ms", Double(whole.finishMicroseconds) / 1000, "ms")
        report.figure("overhead_percent", whole.overheadPercent, "%")
        return report
    }

    private static func milliseconds(_ run: LongRun) -> String {
        decimal(Double(run.finishMicroseconds) / 1000, places: 0)
    }
}
