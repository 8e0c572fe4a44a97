import Glibc
import Judges
import Linux
import Testing

extension SystemTests {
    /// From the hand to the file, with all that there is on a real board but the board.
    @Suite("Journeys", .serialized) struct JourneyTests {
        init() throws {
            try InstalledRecorder.begin()
        }

        /// The longest time that the light was on without a break.
        private func longest(in record: WatchedLight.Record) -> (begin: MonotonicTime, end: MonotonicTime)? {
            zip(record.edges, record.edges.dropFirst()).filter { $0.0.isLit }
                .max { $0.1.time - $0.0.time < $1.1.time - $1.0.time }.map { ($0.0.time, $0.1.time) }
        }

        /// Holds a recording's file to what the recorder said of it.
        private func hold(_ answer: ClientAnswer) throws {
            let clip = try #require(answer.clip)
            #expect(clip.whole && clip.path == answer.path && answer.files == [answer.path])
            let size = try Board.shell("stat -c %s '\(answer.path)'")
            #expect(size == "\(clip.bytes)\n")
            let checked = try InstalledRecorder.client(["check", answer.path])
            #expect(checked.exitCode == 0, "\(checked)")
            #expect(checked.text.contains(" \(answer.frames?.encoded ?? -1) frames,"), "\(checked)")
        }

        @Test("press, steady light, press, dark light: the file is whole, and the light was never ahead of the medium")
        func button() throws {
            try InstalledRecorder.plugIn("exfat")
            let watch = try WatchedLight.begun("red", seconds: "20")
            let trace = try FlushTrace()
            let press = MonotonicTime.now
            try Board.control("press", "record")
            try InstalledRecorder.isNow("recording safely")
            usleep(1_500_000)
            try Board.control("press", "record")
            try InstalledRecorder.isNow("idle")
            let events = try trace.end()
            let record = try watch.record()

            let first = try #require(record.edges.first)
            #expect(first.isLit && first.time > press, "dark while idle; the press lights it")
            let steady = try #require(longest(in: record))
            #expect(steady.end - steady.begin > 1_000_000_000, "\(record)")
            #expect(record.edges.last?.isLit == false && record.edges.count > 2, "dark at the end, after a flicker")
            // The first picture was asked for by the press; the fragment with it has been written, and flushed, before.
            let entry = try Board.shell(
                "journalctl --sync; journalctl -b -u kinebox -o verbose --no-pager MESSAGE_ID=438f6a4be34e43ec9d1504dc554cc4b0 -n 1"
            )
            let picture = try #require(
                entry.split(separator: "\n").first { $0.contains("KINEBOX_FIRST_FRAME_NS=") }?.split(separator: "=")
                    .last
                    .flatMap { Int64($0) })
            let written = try #require(events.first { $0.isWrite && $0.time.nanoseconds > picture })
            let flushed = try #require(events.first { $0.isFlush && $0.time > written.time })
            #expect(flushed.time < steady.begin, "flushed \(flushed.time), steady \(steady.begin)")

            let path = try Board.shell("ls /media/kinebox/*/*.mp4").split(separator: "\n")
            #expect(path.count == 1)
            #expect(try InstalledRecorder.client(["check", String(path.first ?? "")]).exitCode == 0)
            try Board.control("stick", "out")
        }

        @Test(
            "the same by the command line, and through ssh by a key that may do nothing else", arguments: [false, true])
        func commands(isRemote: Bool) throws {
            try InstalledRecorder.plugIn("vfat")
            var host: [String] = []
            if isRemote {
                try Board.control("sshd", "remote", "kinebox bridge")
                try Board.shell("usermod -aG kinebox remote")
                host = ["--host", "remote@board"]
                let other = try Board.run("ssh", "remote@board", "touch", "/tmp/done-by-ssh")
                #expect(access("/tmp/done-by-ssh", F_OK) != 0, "\(other)")
            }
            let started = try InstalledRecorder.client(["start", "TALK", "--json"] + host)
            #expect(started.exitCode == 0, "\(started)")
            let start = try ClientAnswer(started)
            #expect(start.path.contains("TALK"))
            #expect((start.firstFrameNs ?? 0) >= (start.requestedNs ?? .max))
            let again = try InstalledRecorder.client(["start"] + host)
            #expect(again.exitCode == 1 && again.errors.contains("is being recorded"), "\(again)")
            usleep(1_000_000)
            let stopped = try InstalledRecorder.client(["stop", "--json"] + host)
            #expect(stopped.exitCode == 0, "\(stopped)")
            let stop = try ClientAnswer(stopped)
            #expect(stop.path == start.path && stop.end == "stopped" && stop.firstFrameNs == start.firstFrameNs)
            try hold(stop)
            let none = try InstalledRecorder.client(["stop"] + host)
            #expect(none.exitCode == 1, "\(none)")
            try Board.control("stick", "out")
        }

        @Test("HDMI and a sound card into the board's encoder, all within the sandbox: other players play the file")
        func devices() throws {
            try InstalledRecorder.configure(
                "[Recording]\nVideo=/dev/board/hdmi\nAudio=hw:CARD=Loopback,DEV=1\nEncoder=hardware")
            try Board.shell("boardctl hdmi on 640x480@59; systemctl restart kinebox.service")
            try Board.control("sound", "play", "440")
            try InstalledRecorder.plugIn("exfat")
            try Board.until("kinebox status | grep -q 640x480")
            #expect(try InstalledRecorder.client(["start", "HDMI"]).exitCode == 0)
            try InstalledRecorder.isNow("recording safely")
            usleep(2_000_000)
            let stop = try ClientAnswer(try InstalledRecorder.client(["stop", "--json"]))
            try Board.control("sound", "stop")
            try hold(stop)
            let probed = try Board.shell(
                "ffprobe -v error -show_entries stream=codec_name,width -of csv=p=0 '\(stop.path)'")
            #expect(probed == "h264,640\naac\n")
            #expect(try Board.shell("ffmpeg -v error -i '\(stop.path)' -f null - 2>&1") == "")
            try InstalledRecorder.configure("[Recording]\nVideo=test\nAudio=tone\nSize=320x240\nRate=10\n")
            try Board.shell("systemctl restart kinebox.service")
            try Board.control("stick", "out")
        }

        @Test("who is not in the group is turned away, by the socket and in words")
        func stranger() throws {
            let ending = try Board.run(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "kinebox", "status")
            #expect(ending.exitCode != 0 && ending.errors.contains("group"), "\(ending)")
        }

        @Test("button, command line and ssh at one moment: one recording, and each is told of it")
        func allAtOnce() throws {
            try InstalledRecorder.plugIn("ext4")
            try Board.control("sshd", "remote", "kinebox bridge")
            try Board.shell("usermod -aG kinebox remote")
            let local = try ChildProcess("kinebox", ["start"])
            let remote = try ChildProcess("kinebox", ["start", "--host", "remote@board"])
            let codes = [local.wait(atMost: 60), remote.wait(atMost: 60)].map(\.exitCode)
            #expect(codes.contains(0) && codes.contains(1), "\(codes)")
            try InstalledRecorder.isNow("recording safely")
            try Board.control("press", "record")
            try InstalledRecorder.isNow("idle")
            let files = try Board.shell("ls /media/kinebox/*/*.mp4").split(separator: "\n")
            #expect(files.count == 1)
            #expect(try InstalledRecorder.client(["check", String(files.first ?? "")]).exitCode == 0)
            try Board.control("stick", "out")
        }
    }
}
