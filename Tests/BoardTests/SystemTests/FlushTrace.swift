import Linux
import Testing

/// When a disk had done what it was asked to write and to flush, by the kernel's own record.
struct FlushTrace {
    struct Event {
        /// When it was done.
        var time: MonotonicTime
        var isFlush: Bool
        var isWrite: Bool
    }

    private static let folder = "/sys/kernel/tracing/instances/flushes"

    /// Begins to watch the first disk (8:0).
    init() throws {
        try Board.shell(
            """
            mkdir \(Self.folder); cd \(Self.folder); echo mono >trace_clock
            echo 'dev == 0x800000' >events/block/block_rq_complete/filter
            echo 1 >events/block/block_rq_complete/enable
            """)
    }

    /// Watches no longer, and gives what there was.
    func end() throws -> [Event] {
        let text = try Board.shell(
            """
            cd \(Self.folder); echo 0 >events/block/block_rq_complete/enable
            cat trace; cd /; rmdir \(Self.folder)
            """)
        return text.split(separator: "\n").compactMap { line in
            // "kworker/0:1-99  [000] .....  12.345678: block_rq_complete: 8,0 FF () 0 + 0 none,0,0 [0]"
            let words = line.split(separator: " ")
            guard let name = words.firstIndex(of: "block_rq_complete:"), name > 0, name + 2 < words.count,
                let seconds = Double(words[name - 1].dropLast())
            else { return nil }
            let kind = words[name + 2]
            return Event(
                time: MonotonicTime(nanoseconds: Int64(seconds * 1e9)),
                isFlush: kind.hasPrefix("F"), isWrite: kind.hasPrefix("W") || kind.hasPrefix("FW"))
        }
    }
}
