import Glibc
import Linux

/// What a service tells the manager that started it, and is told by it: systemd's protocol of `sd_notify(3)` and
/// `sd_watchdog_enabled(3)`, which is one datagram for each word. Without such a manager nothing is sent.
///
/// It belongs to one thread. What it tells is not needed for a recording, so a manager that does not listen is no error.
public struct Supervisor: ~Copyable, Sendable {
    private let socket: DatagramSocket?
    private var told: String?
    /// Nanoseconds within which `feedWatchdog()` is expected, again and again; nil where nobody watches. A service
    /// that is watched feeds it twice in that time.
    public let watchdogInterval: Int64?

    /// Takes over what the environment says of the manager; programs that are started later do not see it.
    public init() {
        let (address, watched) = (Self.text("NOTIFY_SOCKET"), Self.number("WATCHDOG_PID"))
        let interval = Self.number("WATCHDOG_USEC")
        for name in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"] { unsetenv(name) }
        let isMeant = watched == nil || watched == Int64(getpid())
        self.init(at: address, watchdogMicroseconds: isMeant ? interval : nil)
    }

    init(at address: String?, watchdogMicroseconds interval: Int64? = nil) {
        socket = address.flatMap { Self.connected(to: $0) }
        watchdogInterval = interval.flatMap { $0 > 0 && $0 < .max / 1000 ? $0 * 1000 : nil }
    }

    private static func connected(to address: String) -> DatagramSocket? {
        // Other kinds of addresses are those of a virtual machine's host.
        guard address.hasPrefix("/") || address.hasPrefix("@") else { return nil }
        do throws(Errno) { return try DatagramSocket(to: address) } catch { return nil }
    }

    private static func text(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static func number(_ name: String) -> Int64? {
        text(name).flatMap { Int64($0) }
    }

    /// True when a manager has started this program.
    public var isPresent: Bool { socket != nil }

    /// The service is up; or it works with its new configuration, after `reloading()`.
    /// - Parameter status: as for `show(status:)`.
    public mutating func ready(status: String) {
        told = status
        send("READY=1\nSTATUS=\(Self.line(status))", waits: true)
    }

    /// What `systemctl status` shows: one line for people. It is sent when it differs from what was shown last.
    public mutating func show(status: String) {
        guard status != told else { return }
        // What found no room is sent with the next call.
        told = send("STATUS=\(Self.line(status))", waits: false) ? status : nil
    }

    /// The configuration is being read again; `ready(status:)` ends that.
    public func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now.nanoseconds / 1000)", waits: true)
    }

    /// The service is ending.
    public func stopping() {
        send("STOPPING=1", waits: true)
    }

    /// All is well at this moment.
    public func feedWatchdog() {
        send("WATCHDOG=1", waits: false)
    }

    /// Something hangs that only another start can mend: the manager kills the service and starts it again.
    public func triggerWatchdog() {
        send("WATCHDOG=trigger", waits: true)
    }

    /// Starting, or ending, takes this much longer, counted from now.
    public func extendTimeout(nanoseconds: Int64) {
        send("EXTEND_TIMEOUT_USEC=\(max(0, nanoseconds) / 1000)", waits: true)
    }

    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
    }

    @discardableResult
    private func send(_ words: String, waits: Bool) -> Bool {
        do throws(Errno) {
            try socket?.send(Array(words.utf8), waits: waits)
            return true
        } catch {
            return false
        }
    }
}
