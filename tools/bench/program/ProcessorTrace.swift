import Glibc
import Linux
import Media

/// When processes have the processor, from the kernel's own events (`sched_switch`) with their times: the board books time
/// by its ticks, and who works between two of them is not seen. Needs root and tracefs.
struct ProcessorTrace: ~Copyable {
    /// What was seen in a span of time.
    struct Account {
        /// User and system time of all threads, in seconds.
        var seconds = 0.0
        /// How often one of them was given the processor.
        var switches = 0
        /// Buffers that it took out of the device whose pictures are counted.
        var pictures = 0

        /// Processor time a picture, in milliseconds.
        var millisecondsPerPicture: Double { seconds * 1000 / Double(max(pictures, 1)) }
    }

    /// Seconds of a span: the distance of two key frames, so that each holds the same work.
    private static let span = 2.0

    private static let folder = "/sys/kernel/tracing/instances/kinebox-bench"
    private let processes: [pid_t]

    /// - Parameter processes: which may have threads already; those that they start later are followed too.
    /// - Throws: `Failure` of kind internalFault where events cannot be had.
    init(of processes: [pid_t]) throws(Failure) {
        self.processes = processes
        rmdir(Self.folder)
        guard mkdir(Self.folder, 0o700) == 0 else {
            throw Failure(
                .internalFault, "cannot follow processes \(processes)", because: "\(Self.folder): \(Errno.last)",
                mend: "Run this as root on the virtual board.")
        }
        for (file, value) in [
            ("tracing_on", "0"), ("buffer_size_kb", "24576"), ("trace_clock", "mono"), ("options/event-fork", "1"),
            ("events/sched/sched_switch/enable", "1"), ("events/v4l2/v4l2_dqbuf/enable", "1"),
        ] {
            try Self.write(value, to: file)
        }
    }

    deinit {
        rmdir(Self.folder)
    }

    /// The threads that the processes have now.
    private var threads: [String] {
        processes.flatMap { SystemDirectory.entries("/proc/\($0)/task") }
    }

    func begin() throws(Failure) {
        try Self.write(threads.joined(separator: " "), to: "set_event_pid")
        try Self.write("1", to: "tracing_on")
    }

    /// - Parameter counted: the number of the node whose CAPTURE queue's buffers are counted, 0 for /dev/video0.
    /// - Returns: spans of two seconds, one behind the other; what is left over at the end is in none.
    func end(counted: Int) throws(Failure) -> [Account] {
        try Self.write("0", to: "tracing_on")
        let numbers = threads.compactMap { Int($0) }
        var spans: [Account] = [Account()]
        var account: Account {
            get { spans[spans.count - 1] }
            set { spans[spans.count - 1] = newValue }
        }
        var end: Double?
        var since: [Int: Double] = [:]
        var lost = false
        do {
            try TextLines.each(of: "\(Self.folder)/trace") { line in
                if line.starts(with: "# entries-in-buffer") { lost = Self.hasLost(line) }
                if let time = line.seconds(before: ": sched_switch:") {
                    while time >= end ?? time + Self.span {
                        spans.append(Account())
                        end = end.map { $0 + Self.span }
                    }
                    end = end ?? time + Self.span
                    if let left = line.number(after: " prev_pid="), let start = since.removeValue(forKey: left) {
                        account.seconds += time - start
                    }
                    if let taken = line.number(after: " next_pid="), numbers.contains(taken) {
                        since[taken] = time
                        account.switches += 1
                    }
                } else if line.number(after: ": v4l2_dqbuf: minor = ") == counted, line.has("VIDEO_CAPTURE") {
                    account.pictures += 1
                }
            }
        } catch {
            throw Failure(.internalFault, "cannot read the kernel's events", because: "\(error)")
        }
        guard !lost else {
            throw Failure(.internalFault, "cannot follow processes \(processes)", because: "its events were too many")
        }
        return spans.dropLast()
    }

    /// The head of the list: "# entries-in-buffer/entries-written: 1200/1300   #P:1".
    private static func hasLost(_ line: TextLine) -> Bool {
        guard let kept = line.number(after: "written: "), let written = line.number(after: "\(kept)/") else {
            return false
        }
        return kept != written
    }

    private static func write(_ text: String, to file: String) throws(Failure) {
        do {
            let target = try FileDescriptor.open("\(folder)/\(file)", O_WRONLY | O_TRUNC)
            var copy = text + "\n"
            _ = try copy.withUTF8 { bytes throws(Errno) in try target.write(UnsafeRawBufferPointer(bytes)) }
        } catch {
            throw Failure(.internalFault, "cannot follow a process", because: "\(folder)/\(file): \(error)")
        }
    }
}
