import Glibc
import Judges
import Linux
import Panel
import Testing

/// A light of the board whose line is watched by the kernel's own record of it.
struct WatchedLight {
    /// What `boardctl light` printed.
    struct Record {
        /// "blink 1.0 Hz", "on".
        var pattern: String
        /// When the line was set, and how.
        var edges: [(time: MonotonicTime, isLit: Bool)]

        /// How long the light was on, and off, in the middle of all times that are whole; nil where there is none.
        var usualOn: Int64? { usual(true) }
        var usualOff: Int64? { usual(false) }

        /// How many flashes there are from each pause to the next: a pause is dark for more than three flashes.
        var flashes: [Int] {
            var groups: [Int] = []
            var count: Int?
            for (start, end) in zip(edges, edges.dropFirst()) {
                if start.isLit {
                    count = count.map { $0 + 1 }
                } else if end.time - start.time > 3 * (usualOn ?? .max / 3) {
                    if let count { groups.append(count) }
                    count = 0
                }
            }
            return groups
        }

        private func usual(_ isLit: Bool) -> Int64? {
            let lengths = zip(edges, edges.dropFirst()).filter { $0.0.isLit == isLit }.map { $1.time - $0.time }
                .sorted()
            return lengths.isEmpty ? nil : lengths[lengths.count / 2]
        }
    }

    private let watching: ChildProcess

    /// Begins to watch; it does once `begin` has returned.
    /// - Parameters:
    ///   - light: "red", "green", "blue" or "bare-light".
    ///   - seconds: for so long.
    init(_ light: String, seconds: String) throws {
        watching = try ChildProcess("boardctl", ["light", light, seconds])
    }

    /// Waits until the watch has begun.
    func begin() {
        // The verb runs in the place of boardctl, and names its record after its process.
        let switched = "/sys/kernel/tracing/instances/light-\(watching.identifier)/events/gpio/gpio_value/enable"
        while watching.isRunning, SystemDirectory.line(switched) != "1" { usleep(10_000) }
        // The level from which it begins is read right after that.
        usleep(200_000)
    }

    /// A watch that has begun.
    static func begun(_ light: String, seconds: String) throws -> WatchedLight {
        let watch = try WatchedLight(light, seconds: seconds)
        watch.begin()
        return watch
    }

    /// Watches to the end.
    /// - Parameter process: is called again and again meanwhile.
    func record(_ process: () throws -> Void = {}) throws -> Record {
        while watching.isRunning {
            try process()
            usleep(5_000)
        }
        let ending = watching.wait(atMost: 60)
        #expect(ending.exitCode == 0, "\(ending)")
        let lines = ending.text.split(separator: "\n")
        let edges = lines.filter { $0.hasPrefix("edge ") }.map { $0.split(separator: " ") }
        return Record(
            pattern: String(lines.last?.dropFirst("pattern ".count) ?? ""),
            edges: edges.map { words in
                (MonotonicTime(nanoseconds: Int64((Double(words[1]) ?? 0) * 1e9)), words[2] == "on")
            })
    }
}
