import Glibc
import Judges
import Linux
import Media

/// A program that records from a source of the virtual board until it is interrupted.
struct BoardRecorder {
    /// What a person calls it.
    let name: String
    let program: String
    /// Its arguments; the file comes behind them, joined to the last one where that ends with "=".
    let arguments: [String]
    let source: Source
    /// Whether it is somebody else's.
    var isPeer = false
    /// A process that does part of the work for it, and is measured with it.
    var helper: pid_t?
    /// The encoder that it is to find.
    var encoder: String { source.encoder }

    /// Where the pictures come from.
    enum Source {
        case input(BoardDevices.Input)
        /// The board's own screen.
        case screen

        var encoder: String {
            switch self {
            case .input(let input): input.encoder
            case .screen: "/dev/board/encoder"
            }
        }

        /// The node whose pictures are counted as they are taken out: raw ones of an input; those of a screen come
        /// through no queue, and are counted as the encoder has coded them.
        var counted: String {
            switch self {
            case .input(let input): input.rawValue
            case .screen: encoder
            }
        }

        /// The capture device; nil where there is none.
        var capture: String? {
            switch self {
            case .input(let input): input.rawValue
            case .screen: nil
            }
        }
    }

    /// What one recording cost.
    struct Cost {
        /// From the kernel's events, for spans of the time that was measured.
        var spans: [ProcessorTrace.Account] = []
        /// CPU time as the board's ticks have it, in seconds a second.
        var tickShare = 0.0
        /// Requests to the heap a second.
        var allocationRate = 0.0
        /// Memory that is the program's own and changed, device buffers left out, in kB: once a second.
        var dirtyKilobytes: [Int64] = []
        /// The most memory in use at all (VmHWM), in kB.
        var residentKilobytes: Int64 = 0
        /// Pictures in the file.
        var fileFrames = 0

        /// Pictures in the spans.
        var pictures: Int { spans.map(\.pictures).reduce(0, +) }

        /// Switches to a thread of the process, a picture.
        var switchesPerPicture: Double { Double(spans.map(\.switches).reduce(0, +)) / Double(max(pictures, 1)) }

        /// Processor time a picture over all of the spans, in milliseconds.
        var meanMilliseconds: Double { spans.map(\.seconds).reduce(0, +) * 1000 / Double(max(pictures, 1)) }
    }

    /// The command as a person would type it.
    var command: String { ([program] + argumentsWith("FILE.mp4")).joined(separator: " ") }

    /// Records, and measures the seconds that follow on the first one.
    /// - Throws: `Errno`, or `Failure` of kind internalFault where the program failed.
    func measure(seconds: Int, in folder: TemporaryFolder) throws -> Cost {
        let file = folder.file("measured.mp4")
        defer { unlink(file) }
        let counter = try AllocationCount(in: folder)
        let process = try ChildProcess(program, argumentsWith(file), environment: try counter.environment())
        let processes = [process.identifier] + (helper.map { [$0] } ?? [])
        let trace = try ProcessorTrace(of: processes)
        try settle(process, file)
        var cost = Cost()
        let (asked, ticks, begun) = (counter.value, Self.ticks(processes), MonotonicTime.now)
        try trace.begin()
        for _ in 0..<seconds {
            usleep(1_000_000)
            cost.dirtyKilobytes.append(processes.map(ProcessMemory.ownDirtyKilobytes).reduce(0, +))
        }
        let span = Double(MonotonicTime.now - begun) / 1e9
        cost.allocationRate = Double(counter.value - asked) / span
        cost.tickShare = (Self.ticks(processes) - ticks) / span
        cost.spans = try trace.end(counted: BoardDevices.number(source.counted))
        cost.residentKilobytes = ProcessMemory.kilobytes("VmHWM:", in: "/proc/\(process.identifier)/status")
        process.send(SIGINT)
        try finish(process)
        if !isPeer { cost.fileFrames = try Judge.ffprobe.verdict(on: file, audioTracks: 0).pictures ?? 0 }
        guard cost.pictures > 0 else {
            throw Failure(
                .internalFault, "cannot measure \(name)", because: "no picture came out of \(source.counted)")
        }
        return cost
    }

    /// Records for some seconds under strace.
    /// - Returns: the trace, and requests to the heap a picture.
    func trace(seconds: Int, in folder: TemporaryFolder) throws -> (calls: SystemCallTrace, allocations: Double) {
        let (file, log) = (folder.file("traced.mp4"), folder.file("trace"))
        defer {
            unlink(file)
            unlink(log)
        }
        let counter = try AllocationCount(in: folder)
        let preload = try counter.environment().flatMap { ["-E", $0] }
        let process = try ChildProcess(
            "strace", ["-f", "-y", "-s", "0", "-o", log] + preload + [program] + argumentsWith(file))
        try settle(process, file)
        let (asked, begun) = (counter.value, MonotonicTime.now)
        let start = try Self.size(of: log)
        usleep(useconds_t(seconds * 1_000_000))
        let (allocations, span) = (counter.value - asked, Double(MonotonicTime.now - begun) / 1e9)
        let end = try Self.size(of: log)
        // The tracer is deaf to signals; the program is the first that it wrote of.
        let first = try Self.text(of: log, atMost: 64).prefix { $0.isNumber }
        guard let traced = pid_t(first) else {
            throw Failure(.internalFault, "cannot trace \(name)", because: "strace wrote nothing")
        }
        kill(traced, SIGINT)
        try finish(process)
        let calls = SystemCallTrace(
            try Self.text(of: log, atMost: 256 << 20), capture: source.capture.map(BoardDevices.node),
            pictures: BoardDevices.node(source.counted), encoders: BoardDevices.processors, counted: start..<end)
        guard calls.pictures > 0 else {
            throw Failure(.internalFault, "cannot trace \(name)", because: "it took too few pictures")
        }
        return (calls, Double(allocations) / span / Self.rate)
    }

    /// Pictures a second that are recorded.
    static let rate = 30.0

    func argumentsWith(_ file: String) -> [String] {
        guard let last = arguments.last, last.hasSuffix("=") else { return arguments + [file] }
        return arguments.dropLast() + [last + file]
    }

    /// Waits until a program has written its first pictures, and a second more for the second after which everything
    /// should be as it will stay.
    private func settle(_ process: ChildProcess, _ file: String) throws {
        let limit = MonotonicTime.now + 30_000_000_000
        while ((try? Self.size(of: file)) ?? 0) < 50_000 {
            guard process.isRunning else {
                throw Failure(.internalFault, "cannot measure \(name)", because: "it failed: \(process.wait())")
            }
            guard MonotonicTime.now < limit else {
                throw Failure(.internalFault, "cannot measure \(name)", because: "it wrote nothing for 30 s")
            }
            usleep(50_000)
        }
        usleep(1_200_000)
    }

    /// Waits for the end of a program that was told to end. How a peer does so is its own matter: it has been measured.
    private func finish(_ process: ChildProcess) throws {
        let ending = process.wait(atMost: isPeer ? 10 : 60)
        guard isPeer || ending.exitCode == 0 else {
            throw Failure(.internalFault, "cannot measure \(name)", because: "it failed: \(ending)")
        }
    }

    private static func size(of path: String) throws -> Int {
        Int(try FileDescriptor.open(path, O_RDONLY).status().st_size)
    }

    private static func text(of path: String, atMost limit: Int) throws -> String {
        let file = try FileDescriptor.open(path, O_RDONLY)
        // Files of the kernel have no size.
        let known = Int(try file.status().st_size)
        let size = min(known == 0 ? 4096 : known, limit)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)) ?? 0
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func ticks(_ processes: [pid_t]) -> Double { processes.map(ticks).reduce(0, +) }

    /// User and system time of a process, in seconds (proc(5), fields 14 and 15 of `stat`).
    private static func ticks(_ process: pid_t) -> Double {
        // The second field is in parentheses and may hold blanks.
        let fields = (try? text(of: "/proc/\(process)/stat", atMost: 4096)) ?? ""
        let rest = fields.split(separator: ")").last?.split(separator: " ") ?? []
        guard rest.count > 12, let user = Double(rest[11]), let system = Double(rest[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
