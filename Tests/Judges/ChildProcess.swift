import Glibc
import Linux

/// A program that runs beside us, its output kept in files that have no name. It is killed when its owner goes without
/// having waited for it.
public final class ChildProcess {
    /// The number of the process, as in `/proc`.
    public let identifier: pid_t
    private let command: String
    private let output: FileDescriptor
    private let errors: FileDescriptor
    private var isReaped = false

    /// Starts a program.
    /// - Parameters:
    ///   - program: its path, or a name to look for on the PATH.
    ///   - arguments: all but the name of the program.
    ///   - input: the descriptor that becomes its standard input; without one it reads an empty input.
    ///   - environment: "NAME=value" in addition to our own environment.
    /// - Throws: `Errno`, ENOENT where there is no such program.
    public init(
        _ program: String, _ arguments: [String], input: Int32? = nil, environment: [String] = []
    ) throws(Errno) {
        command = ([program] + arguments).joined(separator: " ")
        output = try Self.namelessFile()
        errors = try Self.namelessFile()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output.raw, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.raw, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Whoever feeds a pipe ignores SIGPIPE; the program starts with the signals as a shell would give them.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var child = pid_t()
        let result = Self.withList([program] + arguments) { list in
            Self.withList(environment + Self.ownEnvironment) { variables in
                posix_spawnp(&child, program, &actions, &attributes, list, variables)
            }
        }
        guard result == 0 else { throw Errno(result) }
        identifier = child
    }

    deinit {
        guard !isReaped else { return }
        kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
    }

    /// What the program has written to its standard output until now.
    public var outputSoFar: [UInt8] { Self.content(of: output) }

    /// What the program has written to its standard error until now, as text.
    public var errorsSoFar: String { String(decoding: Self.content(of: errors), as: UTF8.self) }

    /// True while the program has not ended; it does not wait.
    public var isRunning: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == 0
    }

    /// Sends a signal to the program.
    public func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// Waits for the end of the program; to be called once.
    /// - Parameter limit: seconds after which it is killed, so that nothing hangs for ever.
    public func wait(atMost limit: Int64 = 60) -> Ending {
        let end = MonotonicTime.now + limit * 1_000_000_000
        var status: Int32 = 0
        var usage = rusage()
        var pause: useconds_t = 1000
        while wait4(identifier, &status, WNOHANG, &usage) == 0 {
            if MonotonicTime.now > end {
                kill(identifier, SIGKILL)
                wait4(identifier, &status, 0, &usage)
                break
            }
            usleep(pause)
            pause = min(pause * 2, 16_000)
        }
        isReaped = true
        return Ending(command: command, status: status, usage: usage, output: outputSoFar, errors: errorsSoFar)
    }

    private static func namelessFile() throws(Errno) -> FileDescriptor {
        let path = "/tmp/kinebox-output-\(UInt64.random(in: 0 ... .max))"
        let file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        unlink(path)
        return file
    }

    private static func content(of file: borrowing FileDescriptor) -> [UInt8] {
        guard let size = try? file.status().st_size, size > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)) ?? 0
        }
    }

    private static var ownEnvironment: [String] {
        var list: [String] = []
        var next = environ
        while let entry = next.pointee {
            list.append(String(cString: entry))
            next += 1
        }
        return list
    }

    private static func withList<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
