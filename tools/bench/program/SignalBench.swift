import Capture
import Glibc
import Judges
import Linux
import Media
import Recorder
import Storage
import Synchronization
import V4L2

/// `kinebox-bench signal`, on the virtual board: how long after an HDMI signal is there its first picture is captured that
/// the file has. Once for a recorder that is started while the signal is there, once for one that waits out a loss.
enum SignalBench {
    private static let input = "/dev/board/hdmi"

    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["runs"])
        let runs = options.number("runs", quick: 6, full: 100)
        try BoardDevices.set(.single, "1280x720@60", fourcc: "NV12")
        var (opened, returned): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            opened.append(try afterOpening())
            returned.append(try afterReturn())
        }
        var report = Report(
            "1280x720 at 60 by HDMI and hardware: from the signal to the capture time of the file's first picture, ms",
            columns: ["", "least", "median", "most", "runs"])
        for (name, times) in [("from opening the input", opened), ("from the signal's return", returned)] {
            let cells = [times.min(), median(times), times.max()].map { decimal($0 ?? 0, places: 1) }
            report.row([name] + cells + ["\(times.count)"])
        }
        report.note(
            "A signal's return is the moment that the kernel stamped the input's source-change event with; a picture's "
                + "moment is the kernel's stamp of its buffer. 200 ms of each are the wait for a signal that holds still."
        )
        report.figure("runs", Int64(runs), "recordings")
        report.figure("opened_ms_median", median(opened) ?? 0, "ms")
        report.figure("opened_ms_max", opened.max() ?? 0, "ms")
        report.figure("returned_ms_median", median(returned) ?? 0, "ms")
        report.figure("returned_ms_max", returned.max() ?? 0, "ms")
        print(report.text(json: options.isJSON))
    }

    /// Milliseconds from the moment that the input is opened, its signal being there.
    private static func afterOpening() throws -> Double {
        let folder = try TemporaryFolder()
        let start = Moment()
        let result = try recording(to: folder.file("opened.mp4"), start, duration: 300_000_000).wait()
        guard let first = result.firstFrameTime, let moment = start.value else { throw failure(result) }
        return Double(first - moment) / 1e6
    }

    /// Milliseconds from the moment that a signal came back.
    private static func afterReturn() throws -> Double {
        let folder = try TemporaryFolder()
        let file = folder.file("returned.mp4")
        let receiver = V4L2Receiver(try V4L2Device(opening: BoardDevices.node(input))) { [] }
        let recording = try recording(to: file, Moment(), duration: nil)
        try wait("the recording began") { recording.status.encodedFrames > 20 }
        try set(signal: false)
        try wait("the loss was seen") { recording.status.signal.map { !$0.isLocked } ?? false }
        usleep(300_000)
        while try receiver.nextChange() != nil {}
        try set(signal: true)
        try wait("the return was seen") { recording.status.signal?.isLocked ?? false }
        guard let change = try receiver.nextChange() else {
            throw Failure(.internalFault, "cannot measure a signal's return", because: "the input told of none")
        }
        usleep(500_000)
        recording.stop()
        let result = recording.wait()
        guard let first = result.firstFrameTime, let gap = result.gaps.first, result.gaps.count == 1 else {
            throw failure(result)
        }
        try find(gap.end, in: file)
        return Double(first + gap.end - change) / 1e6
    }

    private static func recording(to file: String, _ start: Moment, duration: Int64?) throws -> Recording {
        let input = Self.input
        return try Recording(
            RecordingPlan(
                openVideo: { () throws(Failure) in
                    start.set()
                    return try HDMIInput(opening: input, layout: .nv12)
                }, openAudio: [], encoding: EncodingPlan(preference: .hardware),
                name: RecordingName(for: file, at: WallClock.seconds, isSynchronised: true), duration: duration))
    }

    /// Makes sure that the file has a picture of a moment, in nanoseconds from its start.
    private static func find(_ moment: Int64, in file: String) throws {
        let ending = try ChildProcess(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", file]
        ).wait()
        let times = ending.text.split { $0 == "\n" || $0 == "," }.compactMap { Double($0) }
        guard times.contains(where: { abs($0 - Double(moment) / 1e9) < 0.001 }) else {
            throw Failure(
                .internalFault, "cannot measure a signal's return",
                because: "the file has no picture at \(decimal(Double(moment) / 1e6, places: 1)) ms")
        }
    }

    private static func set(signal: Bool) throws {
        try BoardDevices.run("v4l2-ctl", ["-d", input, "-c", "dv_timings_signal_mode=\(signal ? 4 : 1)"])
    }

    private static func wait(_ what: String, until isSo: () -> Bool) throws {
        let limit = MonotonicTime.now + 20_000_000_000
        while !isSo() {
            guard MonotonicTime.now < limit else {
                throw Failure(.internalFault, "cannot measure signals", because: "20 s passed before \(what)")
            }
            usleep(20_000)
        }
    }

    private static func failure(_ result: RecordingResult) -> Failure {
        if case .failed(let failure) = result.end { return failure }
        return Failure(
            .internalFault, "cannot measure signals", because: "the recording has \(result.gaps.count) gaps")
    }

    /// A moment that the pipeline thread takes.
    private final class Moment: Sendable {
        private let time = Mutex<MonotonicTime?>(nil)

        var value: MonotonicTime? { time.withLock { $0 } }

        func set() { time.withLock { $0 = .now } }
    }
}
