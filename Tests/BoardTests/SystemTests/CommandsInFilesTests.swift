import Glibc
import Judges
import Testing

extension SystemTests {
    /// What people ask for while something is recorded, as the files show it afterwards to programs that are not ours.
    @Suite("What was asked for is in the file", .serialized) struct CommandsInFilesTests {
        init() throws {
            try InstalledRecorder.begin()
            try InstalledRecorder.plugIn("ext4")
        }

        private func client(_ words: String..., location: SourceLocation = #_sourceLocation) throws -> String {
            let ending = try InstalledRecorder.client(words)
            #expect(ending.exitCode == 0, "\(ending)", sourceLocation: location)
            return ending.text
        }

        private func stop() throws -> ClientAnswer {
            try ClientAnswer(try InstalledRecorder.client(["stop", "--json"]))
        }

        /// What ffprobe says of a file, a line each.
        private func probe(_ entries: String, _ path: String) throws -> [Substring] {
            try Board.shell(
                "ffprobe -v error -show_chapters -show_entries \(entries) -of default=nw=1 '\(path)' 2>/dev/null"
            ).split(separator: "\n")
        }

        private func check(_ path: String, location: SourceLocation = #_sourceLocation) throws {
            let ending = try InstalledRecorder.client(["check", path])
            #expect(ending.exitCode == 0, "\(ending)", sourceLocation: location)
        }

        @Test("marks are chapters, and what was said of the recording is in it; the result has both")
        func chapters() throws {
            _ = try client("describe", "--title", "Anatomy", "--author", "N. N.")
            _ = try client("start", "lecture", "--comment", "hall 4")
            usleep(1_200_000)
            _ = try client("mark", "Questions")
            usleep(1_200_000)
            _ = try client("mark")
            usleep(600_000)
            let answer = try stop()
            try check(answer.path)
            let lines = try probe("chapter_tags=title:format_tags=title,artist,comment", answer.path)
            #expect(lines.contains("TAG:title=Questions"), "\(lines)")
            #expect(lines.contains("TAG:title=Anatomy") && lines.contains("TAG:artist=N. N."), "\(lines)")
            #expect(lines.contains("TAG:comment=hall 4"), "\(lines)")
            let starts = try probe("chapter=start_time", answer.path).compactMap { line in
                line.hasPrefix("start_time=") ? Double(line.dropFirst(11)) : nil
            }
            // The first chapter is what came before the first mark.
            #expect(starts.count == 3 && starts == starts.sorted(), "\(starts)")
            let times = answer.chapters?.map { Double($0.timeNs) / 1e9 } ?? []
            #expect(times.count == 2 && answer.chapters?.first?.label == "Questions")
            for (told, found) in zip(times, starts.dropFirst()) {
                #expect(abs(told - found) < 0.002, "\(told) s told, \(found) s found")
            }
            // What was said was for that recording alone.
            _ = try client("start", "next")
            let next = try stop()
            #expect(try !probe("format_tags=title", next.path).contains("TAG:title=Anatomy"))
        }

        @Test("a pause takes no time in the file, and the picture behind it can be begun with")
        func pause() throws {
            _ = try client("start", "rest")
            usleep(1_000_000)
            _ = try client("pause")
            #expect(try client("status").hasPrefix("paused"))
            usleep(3_000_000)
            _ = try client("resume")
            usleep(1_000_000)
            let answer = try stop()
            try check(answer.path)
            let packets = try Board.shell(
                "ffprobe -v error -select_streams v -show_entries packet=pts_time,flags -of csv=p=0 '\(answer.path)'"
            ).split(separator: "\n").map { $0.split(separator: ",") }
            let times = packets.compactMap { $0.first.flatMap { Double($0) } }
            let steps = zip(times.dropFirst(), times).map { $0 - $1 }
            let usual = steps.sorted()[steps.count / 2]
            #expect(
                steps.max() ?? 0 < 1.5, "no step is as long as the pause was: \(steps.max() ?? 0) s, usually \(usual) s"
            )
            let keys = packets.filter { $0.last?.contains("K") ?? false }.count
            #expect(keys >= 2, "the picture behind the pause is a key frame")
            let first = try #require(answer.firstFrameNs)
            let last = try #require(answer.lastFrameNs)
            let length = (times.last ?? 0) - (times.first ?? 0)
            #expect(Double(last - first) / 1e9 - length > 2.5, "the pause is between the first and the last picture")
        }

        @Test("a split goes on in a second file without losing a picture") func split() throws {
            _ = try client("start", "two")
            usleep(1_000_000)
            _ = try client("split")
            usleep(2_000_000)
            let answer = try stop()
            let files = try #require(answer.files)
            #expect(files.count == 2 && files.last?.hasSuffix("two_part02.mp4") == true, "\(files)")
            var pictures = 0
            for file in files {
                try check(file)
                let count = try Board.shell(
                    "ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 '\(file)'"
                )
                pictures += Int(count.prefix { $0.isNumber }) ?? 0
            }
            #expect(pictures == answer.frames?.encoded)
        }

        @Test("a limit ends the recording by itself, and can be moved") func limit() throws {
            _ = try client("start", "short", "--duration", "2")
            try InstalledRecorder.isNow("idle")
            _ = try client("start", "longer", "--duration", "3")
            _ = try client("extend", "2")
            try InstalledRecorder.isNow("idle")
            for (name, seconds) in [("short", 2.0), ("longer", 5.0)] {
                let path = try Board.shell("ls /media/kinebox/*/\(name).mp4").split(separator: "\n").first.map(
                    String.init)
                let file = try #require(path)
                try check(file)
                let length = try Board.shell("ffprobe -v error -show_entries format=duration -of csv=p=0 '\(file)'")
                let found = Double(length.prefix { $0 != "\n" }) ?? 0
                #expect(abs(found - seconds) < 0.3, "\(name): \(found) s")
            }
        }

        @Test("a still is a JPEG of the picture's size, while nothing is recorded and while something is") func still()
            throws
        {
            let idle = try client("snapshot")
            _ = try client("start", "filmed")
            let recording = try client("snapshot")
            _ = try stop()
            for path in [idle, recording].map({ $0.split(separator: "\n").first.map(String.init) ?? "" }) {
                let found = try Board.shell(
                    "ffprobe -v error -show_entries stream=codec_name,width,height -of csv=p=0 '\(path)'")
                #expect(found.hasPrefix("mjpeg,"), "\(path): \(found)")
            }
            #expect(idle != recording)
        }

        @Test("what a power cut or a kill ended goes on by itself where that is wanted, and not after a stop")
        func resumes() throws {
            try Board.shell(
                """
                printf '[Behaviour]\\nResumeAfterPowerCut=yes\\n' >/etc/kinebox/kinebox.conf.d/70-resume.conf
                systemctl reload kinebox
                """)
            _ = try client("start", "series")
            usleep(1_500_000)
            try Board.shell("systemctl kill --kill-who=main --signal=KILL kinebox.service")
            try Board.until("kinebox status 2>/dev/null | grep -q '^recording safely'")
            let answer = try stop()
            #expect(try Board.shell("ls /media/kinebox/*/series*.mp4 | wc -l") == "2\n")
            try check(answer.path)
            try Board.shell("systemctl kill --kill-who=main --signal=KILL kinebox.service")
            try InstalledRecorder.isNow("idle")
            usleep(2_000_000)
            #expect(try client("status").hasPrefix("idle"), "a recording that was stopped does not go on")
            try Board.shell("rm /etc/kinebox/kinebox.conf.d/70-resume.conf; systemctl reload kinebox")
        }
    }
}
