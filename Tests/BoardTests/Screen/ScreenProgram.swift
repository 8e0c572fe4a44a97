import Glibc
import Judges
import KMS
import Linux
import Media
import Testing

/// The privileged program, run by hand, and those who look through it.
final class ScreenProgram {
    /// Where it listens.
    let path = "/run/board/kms"
    private let process: ChildProcess

    /// Starts it for a user, and waits until it listens.
    init(for user: String) throws {
        process = try ChildProcess(Kinebox.screensPath, ["--socket", path, "--user", user])
        try Board.until("[ -S \(path) ]")
    }

    var identifier: pid_t { process.identifier }

    /// Ends it, as systemd would.
    func end() -> Ending {
        process.send(SIGTERM)
        return process.wait()
    }

    /// What it holds open now.
    var descriptors: [String] {
        SystemDirectory.entries("/proc/\(identifier)/fd").map { number in
            var target = [CChar](repeating: 0, count: 256)
            let size = readlink("/proc/\(identifier)/fd/\(number)", &target, 255)
            return String(decoding: target.prefix(max(0, size)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Kilobytes that are its alone.
    func kilobytes() throws -> Int {
        let script = "sed -n 's/^Pss_Dirty:\\s*\\([0-9]*\\) kB/\\1/p' /proc/\(identifier)/smaps_rollup"
        return try #require(Int(try Board.shell(script).filter(\.isNumber)))
    }

    /// dma-bufs in the whole system.
    static func sharedBuffers() throws -> Int {
        let total = try Board.shell(
            #"sed -n 's/^Total \([0-9]*\) objects.*/\1/p' /sys/kernel/debug/dma_buf/bufinfo"#)
        return try #require(Int(total.filter(\.isNumber)))
    }

    /// Kilobytes of memory that is shared, framebuffers among it.
    static func sharedKilobytes() throws -> Int {
        try #require(Int(try Board.shell("grep ^Shmem: /proc/meminfo").filter(\.isNumber)))
    }

    /// Lines of Python that look at the screen once, through the socket at argument 1, and print what came: the kind of the
    /// last message, how many descriptors, and the text of a refusal.
    static let look = """
        import socket, struct, sys
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            s.connect(sys.argv[1])
        except OSError as error:
            sys.exit(print(error.strerror))
        try:
            s.send(struct.pack("<HHI32s", 1, 1, 40, b""))
            s.send(struct.pack("<HHIIIQQ", 1, 2, 32, 1, 0, 0, 0))
        except OSError:
            pass
        kind = 3
        while kind == 3:
            try:
                data, control, flags, address = s.recvmsg(8192, 1024)
            except ConnectionResetError:
                continue
            kind = struct.unpack_from("<H", data, 2)[0] if data else 0
        count = sum(len(bytes) // 4 for _, _, bytes in control)
        print(kind, count, *([data[16:].decode("utf-8", "replace")] if kind == 5 else []))
        """

    /// Runs the lines as a user, and gives what they print.
    static func look(as user: String, at path: String) throws -> String {
        try Board.shell(
            """
            cat >/run/board/look.py <<'LINES'
            \(look)
            LINES
            setpriv --reuid=\(user) --regid=nogroup --clear-groups /usr/bin/python3 /run/board/look.py \(path)
            """)
    }
}
