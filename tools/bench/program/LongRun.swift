import Glibc
import Linux
import MP4
import Media

/// `kinebox-bench long-run HOURS SECONDS`: hours of packets through the real writer into parts of so many seconds. It has a
/// process of its own, since memory that a run before it took would hide what it takes.
struct LongRun {
    /// After each hour: memory of the process, memory of the tables of the part that is open, bytes of the file.
    private(set) var hours: [(dirtyKilobytes: Int64, tableKilobytes: Int64, bytes: Int64)] = []
    private(set) var parts: Int64 = 0
    /// The longest time that finishing a part took, in microseconds.
    private(set) var finishMicroseconds: Int64 = 0
    /// Bytes of all samples, and of all files.
    private(set) var mediaBytes: Int64 = 0
    private(set) var fileBytes: Int64 = 0

    /// How many bytes are no samples, in percent of those that are.
    var overheadPercent: Double { Double(fileBytes - mediaBytes) / Double(mediaBytes) * 100 }

    /// The growth of memory from the end of the first hour on.
    var kilobytesPerHour: Double {
        guard let first = hours.first, let last = hours.last, hours.count > 1 else { return 0 }
        return Double(last.dirtyKilobytes - first.dirtyKilobytes) / Double(hours.count - 1)
    }

    /// Runs the command: a line of numbers for each hour, and one for all.
    /// - Returns: false when the arguments make no sense.
    static func run(_ arguments: [String]) throws -> Bool {
        let numbers = arguments.compactMap { Int64($0) }.filter { $0 > 0 }
        guard arguments.count == 2, numbers.count == 2 else { return false }
        var run = LongRun()
        try run.record(seconds: numbers[0] * 3600, partSeconds: numbers[1])
        for hour in run.hours { print(hour.dirtyKilobytes, hour.tableKilobytes, hour.bytes) }
        print(run.parts, run.finishMicroseconds, run.mediaBytes, run.fileBytes)
        return true
    }

    private init() {}

    /// Reads what the command printed.
    init?(_ text: String) {
        for line in text.split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            switch numbers.count {
            case 3: hours.append((numbers[0], numbers[1], numbers[2]))
            case 4:
                (parts, finishMicroseconds, mediaBytes, fileBytes) = (numbers[0], numbers[1], numbers[2], numbers[3])
            default: return nil
            }
        }
        if mediaBytes == 0 { return nil }
    }

    private mutating func record(seconds: Int64, partSeconds: Int64) throws {
        let folder = try ScratchFolder()
        let session = Session()
        var source = PacketSource()
        var second: Int64 = 0
        while second < seconds {
            parts += 1
            let path = "\(folder.path)/part\(parts).mp4"
            let output = HoleOutput(try FileOutput.create(at: path))
            let part = try PartFile(output: output, path: path, session: session, part: Int(parts))
            let assembler = FragmentAssembler(tracks: PacketSource.tracks)
            try part.begin(tracks: PacketSource.tracks)
            for inPart in 0..<min(partSeconds, seconds - second) {
                guard let fragment = source.fragment(second: inPart, assembler) else { break }
                try part.append([fragment])
                try part.flush()
                assembler.recycle(fragment)
                second += 1
                if second % 3600 == 0 {
                    hours.append((Self.dirtyKilobytes, Int64(part.tableMemoryByteCount) >> 10, part.byteCount))
                }
            }
            try finish(part, output)
            unlink(path)
        }
    }

    private mutating func finish(_ part: PartFile, _ output: HoleOutput) throws {
        output.isFlushing = true
        // In earnest each second was flushed; what is left for the end is the tables.
        try output.synchronise()
        let start = MonotonicTime.now
        let summary = try part.finalise()
        finishMicroseconds = max(finishMicroseconds, (MonotonicTime.now - start) / 1000)
        mediaBytes += output.mediaByteCount
        fileBytes += summary.byteCount
    }

    /// The process's own changed memory, also what the kernel has put away.
    private static var dirtyKilobytes: Int64 {
        ["Private_Dirty:", "Swap:"].reduce(0) { $0 + ProcessMemory.kilobytes($1, in: "/proc/self/smaps_rollup") }
    }
}
