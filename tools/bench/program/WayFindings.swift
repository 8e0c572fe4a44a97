import Judges
import Media

/// What was found of one way of pictures into a file.
struct WayFindings {
    /// What a person calls it.
    let name: String
    let recorder: BoardRecorder
    var costs: [BoardRecorder.Cost] = []
    var calls: SystemCallTrace?
    var tracedAllocations = 0.0

    init(_ name: String, _ recorder: BoardRecorder) {
        self.name = name
        self.recorder = recorder
    }

    /// Traces the recorder for some seconds.
    mutating func trace(seconds: Int, in folder: TemporaryFolder) throws {
        // A machine that does much else may need longer to open a device than a recorder waits.
        let traced =
            try (try? recorder.trace(seconds: seconds, in: folder)) ?? recorder.trace(seconds: seconds, in: folder)
        (calls, tracedAllocations) = (traced.calls, traced.allocations)
    }

    /// Processor time a picture in milliseconds: the median of all spans, or of those of a round.
    var milliseconds: Double { median(costs.flatMap(\.spans).map(\.millisecondsPerPicture)) ?? 0 }

    /// The same of the span with the least; one in which half of the pictures were missed does not count.
    var leastMilliseconds: Double {
        let spans = costs.flatMap(\.spans)
        let most = spans.map(\.pictures).max() ?? 0
        return spans.filter { 2 * $0.pictures > most }.map(\.millisecondsPerPicture).min() ?? 0
    }

    func milliseconds(_ round: Int) -> Double {
        median(costs[round].spans.map(\.millisecondsPerPicture)) ?? 0
    }

    /// Pictures that were measured or else traced.
    var pictures: Int { costs.isEmpty ? calls?.pictures ?? 0 : costs.map(\.pictures).reduce(0, +) }

    /// Requests to the heap a picture: from the measured recording, where there was one.
    var allocations: Double {
        median(costs.map { $0.allocationRate / BoardRecorder.rate }) ?? tracedAllocations
    }

    /// The most that was the process's own, of 1 000 000 bytes.
    var dirtyMegabytes: Double {
        Double(costs.flatMap(\.dirtyKilobytes).max() ?? 0) * 1024 / 1e6
    }

    /// The heads of the columns that `cells` fills.
    static let columns = [
        "a picture:", "raw bytes touched", "system calls", "allocations", "switches", "CPU ms", "least", "mean",
        "ticks", "own memory MiB", "peak RSS MiB", "pictures",
    ]

    /// What the figures of CPU are.
    static let explanation =
        "CPU: user and system time of the process from the kernel's sched_switch events, the median of spans of two "
        + "seconds, since what else this machine does falls into some of them; least: of the one that it disturbed "
        + "least; mean: over all of them; ticks: as "
        + "/proc/PID/stat has it, which on the board misses what runs between two ticks."

    /// Its line of a table.
    var cells: [String] {
        func middle(_ value: (BoardRecorder.Cost) -> Double, places: Int) -> String {
            median(costs.map(value)).map { decimal($0, places: places) } ?? "-"
        }
        return [
            name, calls.map { "\($0.touchedBytesPerPicture)" } ?? "-",
            calls.map { decimal($0.callsPerPicture, places: 2) } ?? "-", decimal(allocations, places: 2),
            middle(\.switchesPerPicture, places: 2),
            costs.isEmpty ? "-" : decimal(milliseconds, places: 3),
            costs.isEmpty ? "-" : decimal(leastMilliseconds, places: 3),
            middle(\.meanMilliseconds, places: 3),
            middle({ $0.tickShare * 1000 / BoardRecorder.rate }, places: 3),
            costs.isEmpty ? "-" : decimal(dirtyMegabytes * 1e6 / 1048576, places: 1),
            middle({ Double($0.residentKilobytes) / 1024 }, places: 1), "\(pictures)",
        ]
    }

    /// Says how it was run and what it asked for.
    func note(in report: inout Report) {
        report.note("\(name): \(recorder.command)")
        guard let calls else { return }
        report.note("    mapped: \(calls.mappedList); buffers exported as dma-bufs: \(calls.exported)")
        report.note("    calls a picture: \(calls.callList)")
    }
}
