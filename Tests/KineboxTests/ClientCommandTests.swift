import Glibc
import Judges
import Linux
import Testing

/// The commands to a running recorder say in sentences what it answers, here and through ssh.
@Suite struct ClientCommandTests {
    /// A recorder that records nothing, in a process of its own.
    private final class Box {
        let folder: TemporaryFolder
        private let process: ChildProcess
        var socket: String { folder.file("socket") }

        init(_ options: String...) throws {
            folder = try TemporaryFolder()
            let program = Kinebox.path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/FakeRecorder"
            process = try ChildProcess(program, [folder.file("socket")] + options)
            var rounds = 0
            while !String(decoding: process.outputSoFar, as: UTF8.self).contains("ready") {
                rounds += 1
                try #require(rounds < 60_000 && process.isRunning)
                usleep(1000)
            }
        }

        /// Runs a command to it.
        func run(_ arguments: String...) throws -> Ending {
            try Kinebox.start(arguments + ["--socket", socket]).wait()
        }
    }

    @Test func aRecordingInSentences() throws {
        let box = try Box()
        let started = try box.run("start", "talk", "--title", "Anatomy", "--duration", "5")
        #expect(started.exitCode == 0 && started.text == "recording to /media/kinebox/STICK/talk.mp4\n", "\(started)")
        let status = try box.run("status")
        #expect(status.text.hasPrefix("recording safely to /media/kinebox/STICK/talk.mp4\n"), "\(status)")
        #expect(try box.run("mark", "Question").text == "a chapter \"Question\" begins at 0:00:12\n")
        #expect(try box.run("pause").text == "paused; kinebox resume goes on\n")
        #expect(try box.run("resume").text == "the recording goes on\n")
        #expect(try box.run("split").text == "the recording goes on in a new file\n")
        #expect(try box.run("extend", "90min").text == "the recording ends by itself in 1:30:00\n")
        #expect(try box.run("describe", "--title", "Next").text == "it goes into the next recording\n")
        #expect(try box.run("identify").text == "look for the lights\n")
        #expect(try box.run("snapshot").text == "/media/kinebox/STICK/still.jpg\n")
        let again = try box.run("start")
        #expect(again.exitCode == 1 && again.text.isEmpty, "\(again)")
        expectOneSentence(again, naming: "a recording runs already")
        let stopped = try box.run("stop")
        #expect(stopped.exitCode == 0 && stopped.errors == "1 frame dropped\n", "\(stopped)")
        #expect(stopped.text == "/media/kinebox/STICK/talk.mp4: 1.0 s, 30 frames\n", "\(stopped)")
        let idle = try box.run("stop")
        #expect(idle.exitCode == 1)
        expectOneSentence(idle, naming: "nothing is being recorded")
        #expect(try box.run("media").text == "STICK: ready, chosen\n")
        #expect(try box.run("eject").text == "STICK can be pulled now\n")
    }

    @Test func theSameForPrograms() throws {
        let box = try Box()
        let started = try box.run("start", "--json", "talk")
        #expect(
            started.exitCode == 0 && started.text.contains("\"path\" : \"/media/kinebox/STICK/talk.mp4\""), "\(started)"
        )
        let refused = try box.run("start", "--json")
        #expect(
            refused.exitCode == 1 && refused.text.contains("\"io.kinebox.Recorder.AlreadyRecording\""), "\(refused)")
        for command in ["status", "media", "clips", "stop"] {
            let ending = try box.run(command, "--json")
            #expect(ending.exitCode == 0, "\(ending)")
            let file = box.folder.file("reply.json")
            let written = try FileDescriptor.open(file, O_WRONLY | O_CREAT | O_TRUNC)
            try ending.output.withUnsafeBytes { try written.write($0, at: 0) }
            let judged = try ChildProcess("python3", ["-m", "json.tool", file]).wait()
            #expect(judged.exitCode == 0, "\(judged)")
        }
    }

    @Test func whatFailedAtTheEndIsTheExitCode() throws {
        let box = try Box("--full")
        #expect(try box.run("start").exitCode == 0)
        let stopped = try box.run("stop")
        #expect(stopped.exitCode == 4, "\(stopped)")
        #expect(stopped.errors.contains("x_part02.mp4 plays as it is"))
        expectOneSentence(stopped, naming: "the medium is gone")
    }

    @Test func allClipsAreListedPageByPage() throws {
        let box = try Box()
        let all = try box.run("clips")
        let lines = all.text.split(separator: "\n")
        #expect(lines.count == 250 && Set(lines).count == 250, "\(all)")
        #expect(lines.first == "/media/kinebox/STICK/clip1.mp4: 12.0 s, 5.2 MB, \"Anatomy\"")
        #expect(try box.run("clips", "--limit", "120").text.split(separator: "\n").count == 120)
    }

    @Test func watchingTellsOfEachChangeOnce() throws {
        let box = try Box()
        let watch = try Kinebox.start(["watch", "--socket", box.socket])
        func lines() -> [Substring] { String(decoding: watch.outputSoFar, as: UTF8.self).split(separator: "\n") }
        func waitForLines(_ count: Int) throws {
            var rounds = 0
            while lines().count < count {
                rounds += 1
                try #require(rounds < 60_000 && watch.isRunning)
                usleep(1000)
            }
        }
        try waitForLines(3)
        #expect(lines() == ["idle", "picture: not known", "medium STICK: ready, chosen"])
        #expect(try box.run("start", "talk").exitCode == 0)
        try waitForLines(4)
        #expect(lines().dropFirst(3) == ["recording safely to /media/kinebox/STICK/talk.mp4"])
        watch.send(SIGINT)
        #expect(watch.wait().signal == SIGINT)
    }

    @Test func watchingForProgramsIsALineForEachReplyAndEndsWithItsReader() throws {
        let box = try Box()
        let script = "\"$0\" watch --json --socket \"$1\" | head -n 3"
        let ending = try ChildProcess("sh", ["-c", script, Kinebox.path, box.socket]).wait()
        let lines = ending.text.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("{\"media\"") && $0.hasSuffix("}") }, "\(ending)")
    }

    @Test func anotherMachineIsReachedThroughSSH() throws {
        let box = try Box()
        // It stands in ssh's place: it notes how it is called and runs the command on this machine, as a shell there
        // would.
        let folder = Kinebox.path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let text = """
            printf '%s|' "$@" >>'\(box.folder.file("called"))'
            for command; do :; done
            PATH='\(folder)':$PATH exec sh -c "$command"
            """
        let shell = try box.folder.script(text, name: "ssh")
        func run(_ arguments: [String]) throws -> Ending {
            try ChildProcess(Kinebox.path, arguments, environment: ["KINEBOX_SSH=\(shell)"]).wait()
        }
        let there = ["--host", "ben@studio", "--socket", box.socket]
        #expect(try run(["start", "talk"] + there).text == "recording to /media/kinebox/STICK/talk.mp4\n")
        #expect(try run(["status"] + there).text.hasPrefix("recording safely"))
        #expect(try run(["clips"] + there).text.split(separator: "\n").count == 250)
        let stopped = try run(["stop", "--json"] + there)
        #expect(stopped.exitCode == 0 && stopped.text.contains("\"captured\" : 31"), "\(stopped)")
        #expect(try run(["stop"] + there).exitCode == 1)
        let called = try ChildProcess("cat", [box.folder.file("called")]).wait().text
        #expect(called.contains("|--|ben@studio|kinebox bridge --socket '\(box.socket)'|"), "\(called)")
        let nobody = try run(["status", "--host", "studio", "--socket", "/nowhere"])
        #expect(nobody.exitCode == 1 && nobody.errors.contains("no kineboxd runs there"), "\(nobody)")
    }

    @Test func withoutARecorderOneSentenceSaysHowToStartIt() throws {
        let folder = try TemporaryFolder()
        for command in ["start", "stop", "status", "watch", "clips", "media", "eject", "snapshot", "bridge"] {
            let ending = try Kinebox.run(command, "--socket", folder.file("socket"))
            #expect(ending.exitCode == 1 && ending.text.isEmpty, "\(ending)")
            expectOneSentence(ending, naming: "systemctl start kinebox")
        }
    }

    @Test(arguments: [
        ["stop", "now"], ["start", "a", "b"], ["status", "--colour"], ["start", "--duration", "0"],
        ["clips", "--limit", "0"], ["status", "--host=-oProxyCommand=x"], ["bridge", "here"], ["status", "--host", ""],
        ["start", "--duration"], ["watch", "--json=yes"], ["extend"], ["extend", "soon"], ["describe", "words"],
    ])
    func aWrongWishIsRefusedBeforeAnythingIsConnected(_ arguments: [String]) throws {
        let ending = try Kinebox.start(arguments).wait()
        #expect(ending.exitCode == 2, "\(ending)")
        expectOneSentence(ending, naming: "cannot")
    }

    @Test(arguments: [
        "start", "stop", "pause", "resume", "split", "mark", "extend", "describe", "status", "watch", "snapshot",
        "clips", "media", "eject", "identify", "bridge", "config",
    ])
    func eachCommandExplainsItself(_ command: String) throws {
        let ending = try Kinebox.run(command, "--help")
        #expect(ending.exitCode == 0 && ending.text.hasPrefix("usage: kinebox \(command)"), "\(ending)")
        #expect(try Kinebox.run("--help").text.contains(command))
    }
}
