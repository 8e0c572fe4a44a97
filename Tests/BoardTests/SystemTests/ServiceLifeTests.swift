import Glibc
import Judges
import Linux
import Testing

extension SystemTests {
    /// The service's own life: it is killed, stopped, read anew, replaced and removed, also while it records.
    @Suite("The service's life", .serialized) struct ServiceLifeTests {
        init() throws {
            try InstalledRecorder.begin()
        }

        private func clips() throws -> [Substring] {
            try Board.shell("ls /media/kinebox/*/*.mp4").split(separator: "\n")
        }

        /// Begins a recording on a new stick that is safe when this returns; gives its path.
        private func record(_ fileSystem: String) throws -> String {
            try InstalledRecorder.plugIn(fileSystem)
            let start = try ClientAnswer(try InstalledRecorder.client(["start", "--json"]))
            try InstalledRecorder.isNow("recording safely")
            return start.path
        }

        private func check(_ path: some StringProtocol) throws {
            let checked = try InstalledRecorder.client(["check", String(path)])
            #expect(checked.exitCode == 0, "\(checked)")
        }

        @Test(
            "killed while it records: the light leaves steady, the service is back, the file is finished, and it records again",
            arguments: ["vfat", "ext4"])
        func killed(fileSystem: String) throws {
            let path = try record(fileSystem)
            let before = try InstalledRecorder.process
            let watch = try WatchedLight.begun("red", seconds: "10")
            let death = MonotonicTime.now
            try Board.shell("systemctl kill --kill-who=main --signal=KILL kinebox.service")
            try InstalledRecorder.isNow("idle")
            try Board.until(
                "journalctl -b -q --no-pager MESSAGE_ID=2d8cc5460f2e4b2c9c6ab4d5751e8667 | grep -q '\(path)'")
            #expect(try InstalledRecorder.process != before)
            let record = try watch.record()
            let first = try #require(record.edges.first)
            #expect(!first.isLit && first.time > death, "\(record)")
            try check(path)
            try Board.control("press", "record")
            try InstalledRecorder.isNow("recording safely")
            try Board.control("press", "record")
            try InstalledRecorder.isNow("idle")
            #expect(try clips().count == 2)
            for clip in try clips() { try check(clip) }
            try Board.control("stick", "out")
        }

        @Test("killed with all its processes and kept away: the light blinks six times")
        func keptAway() throws {
            _ = try record("vfat")
            try Board.shell(
                """
                mkdir -p /run/systemd/system/kinebox.service.d
                printf '[Service]\\nRestart=no\\n' >/run/systemd/system/kinebox.service.d/away.conf
                systemctl daemon-reload
                systemctl kill --kill-who=all --signal=KILL kinebox.service
                """)
            try Board.until("systemctl is-failed -q kinebox.service")
            let record = try WatchedLight.begun("red", seconds: "12").record()
            #expect(record.flashes.first == 6, "\(record)")
            try Board.shell("rm /run/systemd/system/kinebox.service.d/away.conf; systemctl daemon-reload")
            // Who asks for it starts it again.
            try InstalledRecorder.isNow("idle")
            try Board.control("stick", "out")
        }

        @Test("stopped while it records: the file is finished first, and the light is dark")
        func stopped() throws {
            let path = try record("exfat")
            try Board.shell("systemctl stop kinebox.service")
            #expect(try WatchedLight.begun("red", seconds: "1").record().pattern == "off")
            try check(path)
            #expect(try Board.shell("systemctl show -P Result kinebox.service") == "success\n")
            try InstalledRecorder.isNow("idle")
            try Board.control("stick", "out")
        }

        @Test("reading the configuration again disturbs no recording, and one with an error changes nothing")
        func reloaded() throws {
            let path = try record("vfat")
            let process = try InstalledRecorder.process
            try Board.shell("systemctl reload kinebox.service")
            try Board.shell("echo 'Sice=1' >>/etc/kinebox/kinebox.conf.d/test.conf; systemctl reload kinebox.service")
            try InstalledRecorder.isNow("recording safely")
            let said = try Board.shell(
                "journalctl --sync; journalctl -b --no-pager -o cat MESSAGE_ID=d26f9b478bc54cf5860b0316d69b62f2")
            #expect(said.contains("test.conf") && said.contains("Size"), "\(said)")
            try Board.shell("sed -i /Sice/d /etc/kinebox/kinebox.conf.d/test.conf")
            let stop = try ClientAnswer(try InstalledRecorder.client(["stop", "--json"]))
            #expect(stop.path == path && stop.files == [path])
            #expect(try InstalledRecorder.process == process)
            try check(path)
            try Board.control("stick", "out")
        }

        @Test("who connects while it is away starts it")
        func activated() throws {
            try Board.shell("systemctl stop kinebox.service")
            #expect(try InstalledRecorder.client(["status"]).exitCode == 0)
            #expect(try Board.run("systemctl", "is-active", "kinebox.service").text == "active\n")
        }

        @Test("installing again while it records disturbs nothing; the new program takes over when it is idle")
        func replaced() throws {
            let path = try record("exfat")
            let process = try InstalledRecorder.process
            let said = try InstalledRecorder.install()
            #expect(said.contains("as soon as nothing is recorded"))
            try InstalledRecorder.isNow("recording safely")
            #expect(try InstalledRecorder.process == process)
            let stop = try ClientAnswer(try InstalledRecorder.client(["stop", "--json"]))
            #expect(stop.path == path && stop.files == [path])
            try check(path)
            try Board.until("[ $(systemctl show -P MainPID kinebox.service) != \(process) ]")
            try InstalledRecorder.isNow("idle")
            try Board.control("stick", "out")
        }

        @Test("it tells the service manager in words what it does, and feeds the watchdog")
        func told() throws {
            _ = try record("ext4")
            #expect(try Board.shell("systemctl show -P StatusText kinebox.service").hasPrefix("recording"))
            #expect(try Board.shell("systemctl show -P WatchdogTimestampMonotonic kinebox.service") != "0\n")
            #expect(try InstalledRecorder.client(["stop"]).exitCode == 0)
            #expect(try Board.shell("systemctl show -P StatusText kinebox.service").hasPrefix("idle"))
            try Board.control("stick", "out")
        }

        @Test("removed while it records: the file is finished and stays, and nothing else does but the configuration")
        func removed() throws {
            let path = try record("vfat")
            try Board.shell(
                "mkdir -p /tmp/kept; cp /usr/share/kinebox/installed /tmp/kept/; cp \(Kinebox.path) /tmp/kept/kinebox")
            try InstalledRecorder.uninstall()
            try Board.shell(
                """
                while read -r path; do [ ! -e $path ] || { echo $path; exit 1; }; done </tmp/kept/installed
                [ ! -e /run/kinebox ] && [ ! -e /var/lib/kinebox ] && [ -e /etc/kinebox/kinebox.conf ]
                left=$(grep ' /media/kinebox' /proc/mounts || true; ps -C kinebox,kineboxd,kinebox-light -o pid=,comm= || true
                    systemctl list-units -q 'kinebox*')
                [ -z "$left" ] || { echo "$left"; exit 1; }
                mount /dev/board/stick /mnt
                /tmp/kept/kinebox check "/mnt/$(basename '\(path)')"
                umount /mnt
                """)
            try InstalledRecorder.uninstall("--purge")
            try Board.shell("[ ! -e /etc/kinebox ] && [ -z \"$(getent passwd kinebox)\" ]")
            try Board.control("stick", "out")
        }
    }
}
