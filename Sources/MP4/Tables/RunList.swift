/// A list in which the same value often stands several times in a row: each row once, with its length (`stts`), or with
/// the place of its first element (`stsc`).
struct RunList: ~Copyable {
    private var runs = BlockList<Run>()
    /// The number of values.
    private(set) var count = 0

    /// The same value, a number of times.
    struct Run: BitwiseCopyable {
        var length: UInt32
        var value: UInt32
    }

    /// The number of rows.
    var runCount: Int { runs.count }

    /// Bytes of memory in use.
    var memoryByteCount: Int { runs.memoryByteCount }

    /// The last value, nil when there is none.
    var last: UInt32? { runs.last?.value }

    /// Puts a value at the end.
    mutating func append(_ value: UInt32) {
        count += 1
        if let last = runs.last, last.value == value, last.length < UInt32.max {
            runs[runs.count - 1].length += 1
        } else {
            runs.append(Run(length: 1, value: value))
        }
    }

    /// Takes the last value away.
    /// - Returns: the value, nil when there is none.
    mutating func removeLast() -> UInt32? {
        guard let last = runs.last else { return nil }
        count -= 1
        if last.length == 1 {
            runs.shorten(to: runs.count - 1)
        } else {
            runs[runs.count - 1].length -= 1
        }
        return last.value
    }

    /// The number of rows after one more value.
    func runCount(appending value: UInt32) -> Int { last == value ? runCount : runCount + 1 }

    /// Hands out the rows in turn.
    func forEach<Fault: Error>(_ body: (Run) throws(Fault) -> Void) throws(Fault) {
        try runs.forEachRun { block throws(Fault) in
            for run in block { try body(run) }
        }
    }
}
