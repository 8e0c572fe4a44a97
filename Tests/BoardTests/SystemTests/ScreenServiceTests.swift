import Judges
import KMS
import Testing

extension SystemTests {
    /// The privileged program as `tools/install` puts it there: the recorder sees the screen, and has no privilege itself.
    @Suite("The screens' service", .serialized) struct ScreenServiceTests {
        @Test("the recorder's service gets what the screen shows, without a right of its own; it is started for that")
        func seen() throws {
            try Board.control("screen", "show", "640x480")
            try Board.shell("cat >/run/board/look.py <<'LINES'\n\(ScreenProgram.look)\nLINES")
            try InstalledRecorder.install("--no-start")
            try Board.shell("systemctl start kinebox-kms.socket")
            #expect(try Board.run("systemctl", "-q", "is-active", "kinebox-kms.service").exitCode != 0)
            let seen = try InstalledRecorder.standIn(
                """
                id -un
                grep -E '^Cap(Prm|Bnd)' /proc/self/status
                /usr/bin/python3 /run/board/look.py /run/kinebox/kms
                """)
            #expect(seen.contains("kinebox\n") && seen.contains("\n4 1\n"), "\(seen)")
            #expect(seen.contains("CapPrm:\t0000000000000000") && seen.contains("CapBnd:\t0000000000000000"))
            #expect(try ScreenProgram.look(as: "nobody", at: "/run/kinebox/kms").hasPrefix("Permission denied"))
            #expect(try ScreenProgram.look(as: "root", at: "/run/kinebox/kms").hasPrefix("4 1\n"))
            let denied = try Board.run(
                "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "kinebox", "record", "--video",
                "screen", "/tmp/none.mp4")
            #expect(
                denied.exitCode != 0 && denied.errors.contains("for the recorder's user alone (usually kinebox)"),
                "\(denied)")
            #expect(denied.errors.contains("as root (sudo)") && !denied.errors.contains("systemctl"), "\(denied)")
            let status = try Board.shell(
                "cat /proc/$(systemctl show -P MainPID kinebox-kms.service)/status")
            #expect(status.contains("CapEff:\t0000000000200000") && status.contains("CapBnd:\t0000000000200000"))
            #expect(
                status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2") && !status.contains("Uid:\t0\t"))
            try Board.control("screen", "stop")
            try InstalledRecorder.uninstall("--purge")
            #expect(try Board.run("systemctl", "-q", "is-active", "kinebox-kms.service").exitCode != 0)
            try Board.shell("[ ! -e /run/kinebox/kms ] && [ ! -e /usr/libexec/kinebox ]")
        }

        /// Lines of Python that keep a connection for longer than the program waits for one, then print its unit's state.
        private static let stay = """
            import socket, struct, subprocess, time
            s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            s.connect("/run/kinebox/kms")
            s.send(struct.pack("<HHI32s", 1, 1, 40, b""))
            s.recv(100)
            time.sleep(3)
            print(subprocess.run(["systemctl", "is-active", "kinebox-kms"], capture_output=True, text=True).stdout, end="")
            """

        @Test("it ends by itself when nobody looks any more, and not before; whoever comes next has it started again")
        func idle() throws {
            try InstalledRecorder.install("--no-start")
            let folder = "/run/systemd/system/kinebox-kms.service.d"
            try Board.shell(
                """
                mkdir -p \(folder)
                printf '[Service]\\nExecStart=\\nExecStart=/usr/libexec/kinebox/kinebox-kms --idle 1\\n' >\(folder)/idle.conf
                systemctl daemon-reload
                systemctl start kinebox-kms.socket
                """)
            try Board.control("screen", "show", "640x480")
            var lives: Set<String> = []
            for _ in 0..<2 {
                #expect(try ScreenProgram.look(as: "root", at: "/run/kinebox/kms").hasPrefix("4 1\n"))
                lives.insert(try Board.shell("systemctl show -P InvocationID kinebox-kms.service"))
                let stayed = try Board.run("/usr/bin/python3", "-c", Self.stay)
                #expect(stayed.text == "active\n", "\(stayed)")
                try Board.until("[ $(systemctl show -P ActiveState kinebox-kms.service) = inactive ]")
                #expect(try Board.shell("systemctl show -P Result kinebox-kms.service") == "success\n")
                #expect(try Board.shell("systemctl is-active kinebox-kms.socket") == "active\n")
            }
            #expect(lives.count == 2, "it is another program each time")
            try Board.control("screen", "stop")
            try Board.shell("rm \(folder)/idle.conf; systemctl daemon-reload")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("a program that started before the compositor is not in its way, and has seen nothing until then")
        func earlier() throws {
            try InstalledRecorder.install("--no-start")
            try Board.shell("systemctl start kinebox-kms.socket kinebox-kms.service")
            // Somebody looks all the time, at the console or at nothing.
            let watcher = ScreenWatcher(try ScreenClient(connector: "", at: "/run/kinebox/kms"))
            try watcher.read()
            try Board.control("screen", "show", "640x480")
            try watcher.read { _ in watcher.mode?.width == 640 }
            #expect(watcher.view.buffers.count == 1)
            try Board.control("screen", "mode", "800x600")
            try watcher.read { _ in watcher.mode?.width == 800 }
            try Board.control("screen", "stop")
            try InstalledRecorder.uninstall("--purge")
        }
    }
}
