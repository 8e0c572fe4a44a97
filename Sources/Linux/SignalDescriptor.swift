import CKernel
import Glibc

/// Signals that arrive as something to read in an event loop (`signalfd(2)`).
///
/// Make it on the main thread before any other thread starts: the signals are blocked for all threads from then on.
public struct SignalDescriptor: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// - Parameter signals: the signals to take, `SIGINT` and so on.
    /// - Throws: `Errno` when no descriptor is left.
    public init(_ signals: [Int32]) throws(Errno) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let result = pthread_sigmask(SIG_BLOCK, &set, nil)
        if result != 0 { throw Errno(result) }
        descriptor = FileDescriptor(
            owning: try Errno.check(signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))))
    }

    /// Whether whoever started this program wants a signal to be ignored, as `nohup` does of SIGHUP. A signal that is
    /// taken here comes in spite of it.
    public static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The descriptor to wait for: readable while a signal waits.
    public var raw: Int32 { descriptor.raw }

    /// The number of the next signal that waits, or nil.
    public func next() -> Int32? {
        var information = signalfd_siginfo()
        let size = withUnsafeMutableBytes(of: &information) { Glibc.read(descriptor.raw, $0.baseAddress, $0.count) }
        return size == MemoryLayout<signalfd_siginfo>.size ? Int32(information.ssi_signo) : nil
    }
}
