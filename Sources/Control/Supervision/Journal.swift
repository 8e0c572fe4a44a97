import Glibc
import Linux

/// The system's journal, by its own protocol (systemd's "Native Journal Protocol"). Where standard error does not lead
/// there, as in a terminal, the texts are lines on standard error.
///
/// It belongs to one thread, and never waits: what the journal has no room for is counted, and told with the next entry.
public struct Journal: ~Copyable, Sendable {
    private let program: String
    private let socket: DatagramSocket?
    /// Entries that found no room.
    private(set) var lost = 0

    /// - Parameter program: the name under which entries are found (`journalctl -t`).
    public init(for program: String) {
        self.init(for: program, at: Self.isWherePeopleLook ? "/run/systemd/journal/socket" : nil)
    }

    init(for program: String, at address: String?) {
        self.program = program
        socket = address.flatMap { Self.connected(to: $0) }
    }

    private static func connected(to address: String) -> DatagramSocket? {
        do throws(Errno) { return try DatagramSocket(to: address) } catch { return nil }
    }

    /// Whether standard error is a stream of the journal: JOURNAL_STREAM has its device and inode (`systemd.exec(5)`).
    private static var isWherePeopleLook: Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(2, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }

    /// Writes an entry.
    public mutating func write(_ entry: JournalEntry) {
        guard socket != nil else {
            Self.print(entry.text)
            return
        }
        if lost > 0 {
            let count = lost
            guard send(JournalEntry("Entries for which the journal had no room: \(count).", .warning)) else {
                lost += 1
                return
            }
            lost = 0
        }
        if !send(entry) { lost += 1 }
    }

    private func send(_ entry: JournalEntry) -> Bool {
        do throws(Errno) {
            try socket?.send(entry.serialised(for: program), waits: false)
            return true
        } catch {
            return false
        }
    }

    private static func print(_ text: String) {
        let line = Array("\(text)\n".utf8)
        // Nobody is left to be told of a standard error that takes nothing.
        _ = Glibc.write(2, line, line.count)
    }
}
