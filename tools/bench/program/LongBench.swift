import Glibc
import Linux
import MP4
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
        let folder = try ScratchFolder()
        // The parts come first: what the tables of a whole day took stays with the allocator of the C library.
        let parts = try record(hours: options.isQuick ? min(hours, 6) : hours, partSeconds: 1800, in: folder)
        let whole = try record(hours: hours, partSeconds: Int64(hours) * 3600, in: folder)
        print(report(whole, parts, hours: hours).text(json: options.isJSON))
    }

    /// What a recording cost.
    private struct Cost {
        /// After each hour: memory of the process, memory of the tables of the part that is open, bytes of the file.
        var hours: [(dirtyKilobytes: Int64, tableKilobytes: Int64, bytes: Int64)] = []
        var parts = 0
        /// The longest time that finishing a part took, in milliseconds.
        var finishMilliseconds = 0.0
        var mediaBytes: Int64 = 0
        var fileBytes: Int64 = 0

        var overheadPercent: Double { Double(fileBytes - mediaBytes) / Double(mediaBytes) * 100 }

        /// The growth from the end of the first hour on.
        var kilobytesPerHour: Double {
            guard let first = hours.first, let last = hours.last, hours.count > 1 else { return 0 }
            return Double(last.dirtyKilobytes - first.dirtyKilobytes) / Double(hours.count - 1)
        }
    }

    private static func record(hours: Int, partSeconds: Int64, in folder: ScratchFolder) throws -> Cost {
        let session = Session()
        var source = PacketSource()
        var cost = Cost()
        var second: Int64 = 0
        while second < Int64(hours) * 3600 {
            cost.parts += 1
            let path = "\(folder.path)/part\(cost.parts).mp4"
            let output = HoleOutput(try FileOutput.create(at: path))
            let part = try PartFile(output: output, path: path, session: session, part: cost.parts)
            let assembler = FragmentAssembler(tracks: PacketSource.tracks)
            try part.begin(tracks: PacketSource.tracks)
            for inPart in 0..<partSeconds {
                guard let fragment = source.fragment(second: inPart, assembler) else { break }
                try part.append([fragment])
                try part.flush()
                assembler.recycle(fragment)
                second += 1
                if second % 3600 == 0 {
                    cost.hours.append(
                        (dirtyKilobytes(), Int64(part.tableMemoryByteCount) >> 10, part.byteCount))
                }
            }
            try finish(part, output, &cost)
            unlink(path)
        }
        return cost
    }

    private static func finish(_ part: PartFile, _ output: HoleOutput, _ cost: inout Cost) throws {
        output.isFlushing = true
        // In earnest each second was flushed; what is left for the end is the tables.
        try output.synchronise()
        let start = MonotonicTime.now
        let summary = try part.finalise()
        cost.finishMilliseconds = max(cost.finishMilliseconds, Double(MonotonicTime.now - start) / 1_000_000)
        cost.mediaBytes += output.mediaByteCount
        cost.fileBytes += summary.byteCount
    }

    private static func report(_ whole: Cost, _ parts: Cost, hours: Int) -> Report {
        var report = Report(
            "\(hours) hours of 30 pictures a second (6 Mb/s) and AAC (160 kb/s) into one part",
            columns: ["after", "memory of the process", "of that tables", "file"])
        for (index, hour) in whole.hours.enumerated() where (index + 1) % 4 == 0 || index < 2 {
            report.row([
                "\(index + 1) h", "\(hour.dirtyKilobytes) KB", "\(hour.tableKilobytes) KB",
                "\(decimal(Double(hour.bytes) / 1e9, places: 2)) GB",
            ])
        }
        report.note(
            "Finishing it took \(decimal(whole.finishMilliseconds, places: 0)) ms, "
                + "\(decimal(whole.overheadPercent, places: 3)) % of its samples' bytes are not samples.")
        let most = parts.hours.map(\.dirtyKilobytes).max() ?? 0
        report.note(
            "\(parts.hours.count) hours into \(parts.parts) parts of 30 minutes: at most \(most) KB of memory, "
                + "finishing a part took at most \(decimal(parts.finishMilliseconds, places: 0)) ms, "
                + "overhead \(decimal(parts.overheadPercent, places: 3)) %.")
        report.figure("memory_kb_per_hour", whole.kilobytesPerHour, "KB")
        report.figure("finalise_ms", whole.finishMilliseconds, "ms")
        report.figure("overhead_percent", whole.overheadPercent, "%")
        return report
    }

    /// The process's own changed memory, also what the kernel has put away.
    private static func dirtyKilobytes() -> Int64 {
        ["Private_Dirty:", "Swap:"].reduce(0) { $0 + ProcessMemory.kilobytes($1, in: "/proc/self/smaps_rollup") }
    }
}
