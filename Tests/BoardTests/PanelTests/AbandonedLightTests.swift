import Glibc
import Judges
import Linux
import Testing

extension BoardTests {
    @Suite("Lights of a program that has died")
    struct AbandonedLightTests {
        private static let programs = Kinebox.path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }

        /// A program that shows a signal; it does when this returns.
        /// - Parameter program: what starts it, the probe's path being its last word.
        private func show(_ light: String, _ signal: String, by program: [String] = []) throws -> ChildProcess {
            let words = program + ["\(Self.programs)/panel-probe", light, signal]
            let probe = try ChildProcess(words[0], Array(words.dropFirst()))
            while probe.isRunning, probe.outputSoFar.isEmpty { usleep(10_000) }
            #expect(probe.isRunning, "\(probe.errorsSoFar)")
            return probe
        }

        /// The process that stands for a program's lights.
        private func keeper(of probe: ChildProcess) -> pid_t? {
            SystemDirectory.entries("/proc").compactMap { pid_t($0) }.first { process in
                SystemDirectory.text("/proc/\(process)/status")?.contains("PPid:\t\(probe.identifier)\n") ?? false
            }
        }

        @Test(
            "killed while recording: the light leaves steady red by going dark, and then blinks six times",
            arguments: 1...3)
        func killed(run: Int) throws {
            let probe = try show("led:red:record", "safe")
            let watched = try WatchedLight.begun("red", seconds: "15")
            let death = MonotonicTime.now
            probe.send(SIGKILL)
            let record = try watched.record()
            #expect(probe.wait(atMost: 10).signal == SIGKILL)
            let first = try #require(record.edges.first)
            #expect(!first.isLit && first.time > death)
            let groups = record.flashes
            #expect(groups.count >= 2 && groups.allSatisfy { $0 == 6 }, "\(groups)")
            try Board.shell("echo none >/sys/class/leds/red:record/trigger")
        }

        @Test("the same for an ordinary user, to whom the trigger's files are given late, as udev does")
        func ordinaryUser() throws {
            let udev = try Board.start(
                """
                cd /sys/class/leds/red:record; chmod 666 brightness trigger
                until [ -e pattern ]; do sleep 0.02; done; sleep 0.2; chmod 666 pattern repeat
                """)
            let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            let probe = try show("led:red:record", "safe", by: nobody)
            #expect(udev.wait(atMost: 30).exitCode == 0)
            let watched = try WatchedLight.begun("red", seconds: "12")
            probe.send(SIGKILL)
            let record = try watched.record()
            #expect(probe.wait(atMost: 10).signal == SIGKILL)
            #expect(record.edges.first?.isLit == false)
            #expect(record.flashes.first == 6, "\(record)")
            try Board.shell("cd /sys/class/leds/red:record; echo none >trigger; chmod 644 brightness trigger")
        }

        @Test("killed together with the process that stands beside it: who cleans up lets the light tell of it")
        func cleanedUp() throws {
            let probe = try show("led:red:record", "safe")
            let guardian = try #require(keeper(of: probe))
            kill(guardian, SIGSTOP)
            probe.send(SIGKILL)
            #expect(probe.wait(atMost: 10).signal == SIGKILL)
            kill(guardian, SIGKILL)
            #expect(try WatchedLight.begun("red", seconds: "1").record().pattern == "on")
            let watched = try WatchedLight.begun("red", seconds: "12")
            #expect(try Board.run("\(Self.programs)/panel-probe", "led:red:record", "abandoned").exitCode == 0)
            let record = try watched.record()
            #expect(record.edges.first?.isLit == false && record.flashes.first == 6, "\(record)")
            try Board.shell("echo none >/sys/class/leds/red:record/trigger")
        }

        @Test("killed with a light on a line: it is dark, and free for the next program")
        func killedLine() throws {
            let probe = try show("line:bare-light", "safe")
            let watched = try WatchedLight.begun("bare-light", seconds: "5")
            probe.send(SIGKILL)
            let record = try watched.record()
            #expect(probe.wait(atMost: 10).signal == SIGKILL)
            #expect(record.edges.map(\.isLit) == [false])
            #expect(record.pattern == "off" || record.edges.count == 1)
            let next = try show("line:bare-light", "safe")
            #expect(try WatchedLight.begun("bare-light", seconds: "1").record().pattern == "on")
            next.send(SIGTERM)
            #expect(next.wait(atMost: 10).exitCode == 0)
        }

        @Test("ended as it should be, it leaves its lights dark", arguments: ["led:red:record", "line:bare-light"])
        func ended(light: String) throws {
            let probe = try show(light, "safe")
            probe.send(SIGTERM)
            #expect(probe.wait(atMost: 10).exitCode == 0)
            let name = light.hasPrefix("led") ? "red" : "bare-light"
            let record = try WatchedLight.begun(name, seconds: "2").record()
            #expect(record.pattern == "off" && record.edges.isEmpty)
        }

        @Test(
            "the program that follows at once has the light to itself",
            arguments: ["led:red:record", "line:bare-light"])
        func replaced(light: String) throws {
            for _ in 0..<5 {
                let probe = try show(light, "safe")
                probe.send(SIGKILL)
                let next = try show(light, "safe")
                let name = light.hasPrefix("led") ? "red" : "bare-light"
                let record = try WatchedLight.begun(name, seconds: "1").record()
                #expect(record.pattern == "on" && record.edges.isEmpty)
                next.send(SIGTERM)
                #expect(next.wait(atMost: 10).exitCode == 0)
                #expect(probe.wait(atMost: 10).signal == SIGKILL)
            }
        }

        @Test("who stands for the lights is replaced when it is killed itself")
        func keeperKilled() throws {
            let probe = try show("led:red:record", "safe")
            let first = try #require(keeper(of: probe))
            kill(first, SIGKILL)
            #expect(waited { keeper(of: probe) ?? first != first })
            let second = try #require(keeper(of: probe))
            #expect(SystemDirectory.line("/sys/class/leds/red:record/brightness") == "1")
            // It says by its name that it is ready: what the program was called before it took its own.
            #expect(waited { SystemDirectory.line("/proc/\(second)/comm") == "kinebox-light" })
            let watched = try WatchedLight.begun("red", seconds: "15")
            probe.send(SIGKILL)
            let groups = try watched.record().flashes
            #expect(groups.count >= 2 && groups.allSatisfy { $0 == 6 }, "\(groups)")
            #expect(probe.wait(atMost: 10).signal == SIGKILL)
            try Board.shell("echo none >/sys/class/leds/red:record/trigger")
        }

        @Test("it never wakes up while the program lives, and signals of a terminal do not end it")
        func quiet() throws {
            let probe = try show("led:red:record", "arming")
            let own = try #require(keeper(of: probe))
            for signal in [SIGHUP, SIGINT, SIGTERM, SIGQUIT] { kill(own, signal) }
            // It shows the signal, and then goes to sleep.
            usleep(500_000)
            let before = switches(own) + switches(probe.identifier)
            usleep(2_000_000)
            #expect(switches(own) + switches(probe.identifier) == before)
            probe.send(SIGTERM)
            #expect(probe.wait(atMost: 10).exitCode == 0)
        }

        /// Waits until it is so.
        /// - Returns: false when it was not so within 20 s.
        private func waited(until isSo: () -> Bool) -> Bool {
            for _ in 0..<2000 {
                if isSo() { return true }
                usleep(10_000)
            }
            return false
        }

        /// How often a process has gone to sleep.
        private func switches(_ process: pid_t) -> Int {
            let lines = SystemDirectory.text("/proc/\(process)/status")?.split(separator: "\n") ?? []
            let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches") }
            return line.flatMap { $0.split(separator: "\t").last }.flatMap { Int($0) } ?? -1
        }
    }
}
