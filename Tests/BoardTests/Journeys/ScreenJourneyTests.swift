import Glibc
import Judges
import Testing

extension BoardTests {
    /// The board's own screen, recorded by the program as people use it.
    @Suite("A screen that is recorded")
    struct ScreenJourneyTests {
        private static let screen = "screen:Virtual-1"

        init() throws {
            try Board.control("screen", "on")
            try Board.control("screen", "show", "640x480")
            try Board.control("sound", "play", "1000")
        }

        /// What `kinebox devices` says of the screen: its line, and those that belong to it.
        private func told(_ options: String...) throws -> String {
            let lines = try Kinebox.start(["devices"] + options).wait().text.split(separator: "\n")
            let place = try #require(lines.firstIndex { $0.contains(Self.screen) })
            return lines[place...].prefix { $0 == lines[place] || $0.hasPrefix("      ") }.joined(separator: "\n")
        }

        @Test(
            "one that stands still has at most a picture a second and the right length",
            arguments: ["hardware", "software"])
        func still(encoder: String) throws {
            let path = "/tmp/still-screen.mp4"
            defer { unlink(path) }
            let ending = try Kinebox.run(
                "record", "--video", "screen", "--audio", "hw:Loopback,1,0", "--encoder", encoder, "--duration", "5",
                path)
            #expect(ending.exitCode == 0 && ending.errors.contains("no frame was lost"), "\(ending)")
            let file = try RecordedFile(path)
            #expect(file.size == "640x480" && abs(file.picture - 5) < 0.001 && abs(file.sound - 5) < 0.03)
            // The first one, and one soon behind it so that something is safe.
            #expect(file.pictures <= 6 && file.keyFrames.first == 0, "\(file.times)")
            let gaps = zip(file.keyFrames, file.keyFrames.dropFirst()).map { file.times[$1] - file.times[$0] }
            #expect(!gaps.isEmpty && gaps.allSatisfy { $0 < 3.5 }, "by the clock: \(file.keyFrames) of \(file.times)")
            #expect(zip(file.times, file.times.dropFirst()).allSatisfy { $1 - $0 < 2 }, "\(file.times)")
        }

        @Test("one that moves has the rate that is wanted, and stands still again")
        func moving() throws {
            let journey = try RecordingJourney(video: Self.screen)
            try Board.control("screen", "run", "120")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            let file = try RecordedFile(journey.files[0])
            // At most fifteen a second, though it changes sixty times; fewer on a busy machine.
            #expect(Double(file.pictures) > file.picture + 6, "\(file.pictures) in \(file.picture) s")
            #expect(Double(file.pictures) < 15 * file.picture, "\(file.times)")
            #expect(abs(file.picture - file.sound) < 0.05)
        }

        @Test("another mode goes on in a new part, and the sound is whole in both")
        func mode() throws {
            let journey = try RecordingJourney(video: Self.screen)
            try Board.control("screen", "mode", "800x600")
            try journey.waitFor("in a new part")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            let files = try journey.files.map { try RecordedFile($0) }
            #expect(files.map(\.size) == ["640x480", "800x600"])
            for file in files { #expect(abs(file.picture - file.sound) < 0.05) }
        }

        @Test(
            "what goes dark and comes back goes on in the same file, with slates or the last picture, and the sound",
            arguments: [
                ("slate", "dark", "lit", "off"), ("hold", "dark", "lit", "off"), ("slate", "off", "on", "no screen"),
                ("hold", "off", "on", "no screen"),
            ])
        func dark(case told: (policy: String, end: String, begin: String, words: String)) throws {
            let journey = try RecordingJourney(["--signal-loss", told.policy], video: Self.screen)
            try Board.control("screen", told.end)
            try journey.waitFor(": \(told.words);")
            try journey.goOn(fragments: 3)
            try Board.control("screen", told.begin)
            try journey.waitFor("pictures come in again")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(journey.files.count == 1)
            let file = try RecordedFile(journey.files[0])
            #expect(abs(file.picture - file.sound) < 0.05)
            #expect(zip(file.times, file.times.dropFirst()).allSatisfy { $1 - $0 < 2 }, "\(file.times)")
            #expect(try file.loudness() > -40, "the sound goes on meanwhile")
        }

        @Test("what goes dark ends the part, and pictures go on in the next one; or the recording ends, as is wished")
        func darkEnds() throws {
            let split = try RecordingJourney(["--signal-loss", "split"], video: Self.screen)
            try Board.control("screen", "off")
            try split.waitFor(": no screen; the recording goes on in a new part")
            usleep(2_000_000)
            try Board.control("screen", "on")
            try split.waitFor("pictures come in again")
            try split.goOn()
            let ending = split.end()
            #expect(ending.exitCode == 0 && split.files.count == 2, "\(ending)")
            for path in split.files {
                let file = try RecordedFile(path)
                #expect(
                    abs(file.picture - file.sound) < 0.05, "\(file.picture) s of pictures, \(file.sound) s of sound")
            }
            let stop = try RecordingJourney(["--signal-loss", "stop"], video: Self.screen)
            try Board.control("screen", "off")
            let stopped = stop.end(asking: false)
            #expect(stopped.errors.contains(": no screen; the recording ends here"), "\(stopped)")
            try Board.control("screen", "on")
            let file = try RecordedFile(stop.files[0])
            #expect(stop.files.count == 1 && abs(file.picture - file.sound) < 0.05)
        }

        @Test("a mode that the encoder does not take does not end it, and the old one goes on in a new part")
        func misfit() throws {
            let journey = try RecordingJourney(video: Self.screen)
            try Board.control("screen", "mode", "16x12")
            try journey.waitFor("what comes in now cannot be recorded")
            // Longer than a source may be silent that tells nothing of its signal.
            usleep(6_000_000)
            try Board.control("screen", "mode", "640x480")
            try journey.waitFor("in a new part")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            let files = try journey.files.map { try RecordedFile($0) }
            #expect(files.map(\.size) == ["640x480", "640x480"], "\(ending)")
        }

        @Test("a program that ends, and another that begins to show something, are no end of it")
        func restarted() throws {
            let journey = try RecordingJourney(["--signal-loss", "hold"], video: Self.screen)
            try Board.control("screen", "stop")
            try journey.goOn()
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "run", "300")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            // A screen that stands still gives one picture a second, and held ones are none.
            #expect(try RecordedFile(#require(journey.files.last)).pictures > 40)
            // Between the two the kernel may show its console, in a mode of its own.
            for path in journey.files {
                let file = try RecordedFile(path)
                #expect(abs(file.picture - file.sound) < 0.05)
            }
            #expect(try RecordedFile(#require(journey.files.last)).size == "640x480")
        }

        @Test(
            "behind a switch of terminals another program's pictures have a part of their own, then the first one's again"
        )
        func terminals() throws {
            let journey = try RecordingJourney(video: Self.screen)
            try Board.control("screen", "leave")
            let other = try Board.start("(echo flip 60; sleep 4) | board-screen /dev/board/screen 800x600")
            try journey.waitFor("800x600 at")
            _ = other.wait(atMost: 60)
            try Board.control("screen", "enter")
            try journey.waitFor("640x480 at")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            let files = try journey.files.map { try RecordedFile($0) }
            // Between the two the kernel may show its console, in a mode of its own.
            #expect(files.count >= 3 && files.contains { $0.size == "800x600" }, "\(files.map(\.size))")
            #expect(files.first?.size == "640x480" && files.last?.size == "640x480", "\(files.map(\.size))")
            for file in files { #expect(abs(file.picture - file.sound) < 0.05) }
        }

        @Test("each state is told, and one that cannot be recorded is refused with what helps")
        func states() throws {
            #expect(try told().contains(": ready\n      shows 640x480 at "))
            #expect(try told().contains("a recording: zero copy"))
            try Board.control("screen", "overlay", "0", "100", "50", "200", "100", "RGB565")
            #expect(try told().contains("a recording: the processor puts 2 planes together as "))
            let json = try Kinebox.run("devices", "--json").text.split(separator: "\n")
            let reason = try #require(json.firstIndex { $0.contains("the processor puts 2 planes together as ") })
            #expect(json[reason - 1].contains(#""zero_copy": false"#), "\(json)")
            let composed = try Kinebox.run(
                "record", "--video", "screen", "--audio", "none", "--encoder", "hardware", "--duration", "1",
                "/tmp/composed.mp4")
            unlink("/tmp/composed.mp4")
            #expect(
                composed.exitCode == 0 && composed.errors.contains("(the processor puts 2 planes together as "),
                "\(composed)")
            try Board.control("screen", "overlay", "0", "off")
            let other = try Kinebox.run("record", "--video", "screen:DSI-7", "/tmp/none.mp4")
            #expect(other.exitCode == 3 && other.errors.contains("Use \(Self.screen)."), "\(other)")
            try Board.control("screen", "dark")
            #expect(try told().hasSuffix(": off"))
            let dark = try Kinebox.run("record", "--video", "screen", "/tmp/none.mp4")
            #expect(dark.exitCode == 3 && dark.errors.contains("it is off"), "\(dark)")
            try Board.control("screen", "off")
            #expect(try told().hasSuffix(": unplugged"))
            let unplugged = try Kinebox.run("record", "--video", "screen", "/tmp/none.mp4")
            #expect(unplugged.exitCode == 3 && unplugged.errors.contains("plug"), "\(unplugged)")
            try Board.control("screen", "on")
        }

        @Test("one that the configuration turns is told as it would be recorded: turned, and not as zero copy")
        func turned() throws {
            let file = "/tmp/kinebox-turn.conf"
            defer { unlink(file) }
            try Board.shell("printf '[Recording]\\nScreenTurn=90\\n' >\(file)")
            let words = try told("--config", file)
            #expect(words.contains("480x640") && !words.contains("zero copy"), "\(words)")
            #expect(try told().contains("a recording: zero copy"))
        }

        @Test("who may not read it is refused in one sentence that says what helps")
        func denied() throws {
            let program = Kinebox.path
            func nobody(_ words: String) throws -> Ending {
                try Board.run("setpriv", "--reuid", "65534", "--clear-groups", "bash", "-c", "\(program) \(words)")
            }
            let list = try nobody("devices")
            #expect(list.text.contains("\(Self.screen)  /dev/dri/card0: denied: "), "\(list)")
            let ending = try nobody("record --video screen /tmp/none.mp4")
            #expect(ending.exitCode == 3, "\(ending)")
            #expect(ending.errors.contains("may not read what is shown") && ending.errors.contains("as root (sudo)"))
            // To start the socket would not help this user.
            #expect(!ending.errors.contains("systemctl") && !list.text.contains("systemctl"), "\(ending)")
            #expect(ending.errors.split(separator: "\n").count == 1)
        }

        @Test("a board without a connector is told so")
        func headless() throws {
            let lines = """
                mount -t tmpfs none /sys/class/drm; "\(Kinebox.path)" devices
                "\(Kinebox.path)" record --video screen /tmp/none.mp4
                """
            let ending = try Board.run("unshare", "--mount", "bash", "-c", lines)
            #expect(ending.exitCode == 3 && ending.text.contains("  this board has no connector for a display\n"))
            #expect(ending.errors.contains("this board has no connector for a display"), "\(ending)")
        }
    }
}
