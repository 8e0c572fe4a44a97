import CKernel
import Glibc

/// A program that runs beside this one, with standard input and output of its own choice and our standard error. Who
/// lets go of it without waiting ends it.
public struct Subprocess: ~Copyable, Sendable {
    /// Its number.
    public let identifier: pid_t

    /// Starts a program.
    /// - Parameters:
    ///   - program: its path, or a name to look for on the PATH.
    ///   - arguments: all but the program's name.
    ///   - input: becomes its standard input.
    ///   - output: becomes its standard output.
    /// - Throws: `Errno`, ENOENT where there is no such program.
    public init(_ program: String, _ arguments: [String], input: Int32, output: Int32) throws(Errno) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // It starts with the signals as a shell would give them, whatever this program ignores or takes by descriptor.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        sigaddset(&signals, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var words = ([program] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        var child = pid_t()
        let result = posix_spawnp(&child, program, &actions, &attributes, words, environ)
        guard result == 0 else { throw Errno(result) }
        identifier = child
    }

    deinit {
        kill(identifier, SIGTERM)
        _ = Self.reap(identifier)
    }

    /// Waits for its end.
    /// - Returns: its exit code; 128 and the signal's number when a signal ended it.
    public consuming func wait() -> Int32 {
        let number = identifier
        discard self
        return Self.reap(number)
    }

    /// Waits for its end, and kills it when that does not come in time.
    /// - Parameter nanoseconds: how long it may take.
    /// - Returns: as `wait`; nil when it took too long.
    /// - Throws: `Errno` when no descriptor is left; the program is killed then.
    public consuming func wait(within nanoseconds: Int64) throws(Errno) -> Int32? {
        let number = identifier
        discard self
        do throws(Errno) {
            let process = FileDescriptor(owning: try Errno.check(ckernel_open_process(number)))
            let deadline = MonotonicTime.now + nanoseconds
            var entry = pollfd(fd: process.raw, events: Int16(POLLIN), revents: 0)
            while entry.revents == 0 {
                let left = deadline - .now
                guard left > 0 else { break }
                // Rounded up, so that the last turn is no idle one.
                if poll(&entry, 1, Int32(clamping: (left + 999_999) / 1_000_000)) < 0 && errno != EINTR {
                    throw Errno.last
                }
            }
            if entry.revents != 0 { return Self.reap(number) }
        } catch {
            kill(number, SIGKILL)
            _ = Self.reap(number)
            throw error
        }
        kill(number, SIGKILL)
        _ = Self.reap(number)
        return nil
    }

    private static func reap(_ identifier: pid_t) -> Int32 {
        var status: Int32 = 0
        guard retrying({ waitpid(identifier, &status, 0) }) == identifier else { return 0 }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}
