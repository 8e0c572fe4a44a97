import Judges
import Testing

extension SystemTests {
    /// What reaches the recorder while it records: an attack on its socket, another configuration.
    @Suite("The recorder while it records", .serialized) struct SocketServiceTests {
        /// So little to encode that nothing has to be left out on this board, whatever else it does.
        private static let small = """
            [Recording]
            Video=test
            Audio=tone
            Size=160x120
            Rate=2
            Encoder=software
            Preset=ultrafast
            """

        private func process() throws -> String { try Board.shell("systemctl show -P MainPID kinebox.service") }

        @Test("an attack on the socket costs no picture, no memory and nobody's answer")
        func attacked() throws {
            try ServedRecorder.begin(Self.small)
            let before = try process()
            try Board.shell("kinebox start attacked")
            try Board.until("[ \"$(kinebox status --json | grep -m1 '\"encoded\" : ' | tr -cd 0-9)\" -gt 2 ]")
            let attack = SocketAttack(ServedRecorder.socket, seed: 0xBEEF, isHarmless: true)
            attack.run(steps: 2000)
            let memory =
                "sed -n 's/^Pss_Dirty:\\s*\\([0-9]*\\) kB/\\1/p' /proc/\(before.filter(\.isNumber))/smaps_rollup"
            let kilobytes = try #require(Int(try Board.shell(memory).filter(\.isNumber)))
            for _ in 1...5 {
                attack.run(steps: 2000)
                attack.leave()
                try Board.until("kinebox status | grep -q '^recording safely'")
            }
            #expect(attack.clients > 200 && attack.bytes > 500_000 && attack.answered > 10_000)
            #expect(try ServedRecorder.figure("dropped") == 0)
            let grown = try #require(Int(try Board.shell(memory).filter(\.isNumber))) - kilobytes
            #expect(grown < 4096, "the attack left \(grown) kB")
            #expect(try process() == before, "it is the same process")
            let stopped = try Board.shell("kinebox stop")
            #expect(stopped.contains("/attacked.mp4: "))
            try Board.shell("kinebox check /media/kinebox/*/attacked.mp4")
            try ServedRecorder.end()
        }

        @Test("a reload takes over what it can, refuses what is wrong, and leaves the recording as it is")
        func reloaded() throws {
            try ServedRecorder.begin(Self.small)
            let before = try process()
            try Board.shell("kinebox start kept")
            let file = "/etc/kinebox/kinebox.conf.d/60.conf"
            try Board.shell(
                "printf '[Recording]\\nSize=320x240\\nNamePrefix=next_\\n' >\(file); systemctl reload kinebox")
            try Board.until("journalctl -u kinebox -o cat --no-pager | grep -q 'as soon as nothing is recorded'")
            try Board.shell("printf '[Recording]\\nSise=1\\n' >\(file); systemctl reload kinebox || true")
            try Board.until("journalctl -u kinebox -o cat --no-pager | grep -q 'Sise= in \(file), line 2'")
            #expect(try Board.shell("kinebox status").hasPrefix("recording safely to /media/kinebox/"))
            #expect(try ServedRecorder.figure("dropped") == 0)
            try Board.shell("kinebox stop; kinebox check /media/kinebox/*/kept.mp4 | grep 160x120")
            try Board.shell("kinebox start; kinebox stop; kinebox check /media/kinebox/*/next_*.mp4 | grep 320x240")
            #expect(try process() == before, "it is the same process")
            try Board.shell("rm \(file)")
            try ServedRecorder.end()
        }

        @Test("the daemon and the command look at a configuration with the same eyes")
        func checked() throws {
            let file = "/run/board/k.conf"
            try Board.shell("printf '[Panel]\\nBrightness=0\\n' >\(file)")
            try InstalledRecorder.install("--no-start")
            for program in ["kinebox config --check \(file)", "kineboxd --check-config --config \(file)"] {
                let ending = try Board.run("bash", "-c", program)
                #expect(ending.exitCode == 2 && ending.errors.contains("Brightness=0 in \(file), line 2"), "\(ending)")
            }
            try InstalledRecorder.uninstall("--purge")
        }
    }
}
