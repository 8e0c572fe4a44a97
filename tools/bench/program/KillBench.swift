import Glibc
import Judges
import Linux
import Media
import Synchronization

/// `kinebox-bench kill`: recordings in real time that are killed at a random moment after their first durable fragment,
/// played as they lie, and recovered.
enum KillBench {
    /// Recordings that run at the same time.
    private static let lanes = 4
    /// The kill comes this many milliseconds after the first fragment, at most.
    private static let latest = 4000

    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["runs"])
        let runs = options.number("runs", quick: 12, full: 200)
        let gathered = Gathered(runs: runs)
        var threads: [Joiner] = []
        for _ in 0..<min(lanes, runs) { threads.append(try Joiner { gathered.work() }) }
        threads.forEach { $0.join() }
        let trials = gathered.state.withLock { $0.trials }
        guard trials.count == runs else {
            throw Failure(
                .internalFault, "cannot measure kills", because: gathered.state.withLock { $0.reason },
                mend: "Build kinebox and install the judges with tools/test.")
        }
        print(report(on: trials).text(json: options.isJSON))
    }

    private static func report(on trials: [KillTrial]) -> Report {
        let lost = trials.map(\.lostMilliseconds)
        let unplayable = trials.filter { !$0.playsAsItLies || !$0.faults.isEmpty || $0.recovered == 0 }
        var report = Report(
            "Recordings (320x180, 30 pictures a second, with sound) killed by SIGKILL at a random moment",
            columns: ["", "least", "median", "most"])
        func row<Number: BinaryInteger>(_ name: String, _ values: [Number]) {
            let cells = [values.min(), median(values), values.max()].map { $0.map { "\($0)" } ?? "-" }
            report.row([name] + cells)
        }
        row("pictures captured", trials.map(\.captured))
        row("pictures recovered", trials.map(\.recovered))
        row("lost, ms", lost)
        for trial in unplayable.prefix(10) {
            report.note("not playable: \(trial.captured) captured, \(trial.recovered) recovered: \(trial.faults)")
        }
        report.figure("runs", Int64(trials.count), "recordings")
        report.figure("unplayable", Int64(unplayable.count), "recordings")
        report.figure("lost_ms_median", median(lost) ?? 0, "ms")
        report.figure("lost_ms_max", lost.max() ?? 0, "ms")
        return report
    }

    /// The trials that are done, and how many are begun.
    private final class Gathered: Sendable {
        struct State {
            var left: Int
            var trials: [KillTrial] = []
            var reason = ""
        }

        let state: Mutex<State>

        init(runs: Int) {
            state = Mutex(State(left: runs))
        }

        /// Runs trials until none is left to begin.
        func work() {
            while takesOne() {
                do {
                    let trial = try KillTrial(after: Int.random(in: 0...KillBench.latest))
                    state.withLock { $0.trials.append(trial) }
                } catch {
                    state.withLock {
                        $0.reason = "\(error)"
                        $0.left = 0
                    }
                }
            }
        }

        private func takesOne() -> Bool {
            state.withLock {
                guard $0.left > 0 else { return false }
                $0.left -= 1
                return true
            }
        }
    }

    /// A thread in a list.
    private final class Joiner {
        private var thread: Linux.Thread?

        init(_ body: @escaping @Sendable () -> Void) throws {
            thread = try Linux.Thread("trial", stackSize: 4 << 20, body)
        }

        func join() {
            thread.take()?.join()
        }
    }
}
