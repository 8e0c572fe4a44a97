import Glibc
import Judges
import Testing

extension BoardTests {
    @Suite("A signal that is lost while it is recorded by hardware")
    struct SignalJourneyTests {
        private static let mode = "640x480@59"

        init() throws {
            try Board.control("hdmi", "on", Self.mode)
            try Board.control("sound", "play", "1000")
        }

        /// The times of the losses that a recording has told at its end, in seconds.
        private func gaps(_ ending: Ending) -> [(start: Double, end: Double, state: String)] {
            ending.errors.split(separator: "\n").filter { $0.hasPrefix("no picture from ") }.compactMap { line in
                let words = line.dropFirst("no picture from ".count).split(separator: " ", maxSplits: 3)
                guard words.count == 4 else { return nil }
                func seconds(_ text: Substring) -> Double {
                    text.split(separator: ":").reduce(0) { $0 * 60 + (Double($1) ?? 0) }
                }
                return (seconds(words[0]), seconds(words[2].dropLast()), String(words[3]))
            }
        }

        @Test(
            "slates, then pictures again: one file, decodable from either on, the sound whole",
            arguments: [("no-signal", "no cable"), ("no-lock", "no lock"), ("out-of-range", "out of range")])
        func slate(state: String, words: String) throws {
            let journey = try RecordingJourney()
            try Board.control("hdmi", state)
            try journey.waitFor(": \(words);")
            try journey.goOn()
            try Board.control("hdmi", "on", Self.mode)
            try journey.waitFor("pictures come in again")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(journey.files.count == 1)
            let gaps = gaps(ending)
            let gap = try #require(gaps.first)
            // The way to it may be told as another state first, but never as none.
            #expect(gaps.count == 1 && gap.state == words, "\(gaps)")
            let file = try RecordedFile(journey.files[0])
            #expect(file.canBegin(behind: gap.end), "an IDR picture where pictures come in again, \(file.keyFrames)")
            #expect(file.times.contains { $0 > gap.start + 0.1 && $0 < gap.end - 0.1 }, "slates in between")
            #expect(abs(file.picture - file.sound) < 0.05 && file.sound > gap.end)
            #expect(try file.loudness(from: gap.start, to: gap.end) > -40, "the sound goes on meanwhile")
            try RecordingJourney.recordAgain()
        }

        @Test("pictures of another size go on in a second part, and the sound is whole in both")
        func otherSize() throws {
            let journey = try RecordingJourney()
            try Board.control("hdmi", "no-signal")
            try journey.waitFor("no cable")
            try Board.control("hdmi", "on", "800x600@60")
            try journey.waitFor("in a new part")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(ending.errors.contains("800x600"))
            let files = try journey.files.map { try RecordedFile($0) }
            #expect(files.map(\.size) == ["640x480", "800x600"])
            for file in files {
                #expect(abs(file.picture - file.sound) < 0.05)
                #expect(try file.loudness() > -40)
            }
            #expect(gaps(ending).count == 1)
            try Board.control("hdmi", "on", Self.mode)
            try RecordingJourney.recordAgain()
        }

        @Test("with the policy split a part ends at the loss, and a new one begins with the next picture")
        func split() throws {
            let journey = try RecordingJourney(["--signal-loss", "split"])
            try Board.control("hdmi", "no-signal")
            try journey.waitFor("no cable")
            // The file is whole long before pictures come in again.
            while try Kinebox.run("check", journey.files[0]).exitCode != 0 { usleep(100_000) }
            try Board.control("hdmi", "on", Self.mode)
            try journey.waitFor("pictures come in again")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            let gap = try #require(gaps(ending).first)
            let files = try journey.files.map { try RecordedFile($0) }
            #expect(files.count == 2 && abs(files[0].picture - gap.start) < 0.2)
            for file in files {
                #expect(abs(file.picture - file.sound) < 0.05)
                #expect(file.keyFrames.first == 0)
                #expect(try file.loudness() > -40)
            }
            try RecordingJourney.recordAgain()
        }

        @Test("with the policy stop the recording ends at the loss")
        func stop() throws {
            let journey = try RecordingJourney(["--signal-loss", "stop"])
            try Board.control("hdmi", "no-signal")
            let ending = journey.end(asking: false)
            #expect(ending.exitCode == 0 && ending.errors.contains("the signal was lost"), "\(ending)")
            let file = try RecordedFile(journey.files[0])
            #expect(abs(file.picture - file.sound) < 0.05)
            try Board.control("hdmi", "on", Self.mode)
            try RecordingJourney.recordAgain()
        }

        @Test("a recording that is stopped while there is no signal is whole", arguments: ["slate", "split"])
        func stoppedMeanwhile(policy: String) throws {
            let journey = try RecordingJourney(["--signal-loss", policy])
            try Board.control("hdmi", "no-signal")
            try journey.waitFor("no cable")
            if policy == "slate" { try journey.goOn() }
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(journey.files.count == 1 && gaps(ending).count == 1)
            let file = try RecordedFile(journey.files[0])
            #expect(abs(file.picture - file.sound) < 0.05)
            try Board.control("hdmi", "on", Self.mode)
            try RecordingJourney.recordAgain()
        }

        @Test("an input that is pulled and plugged in again goes on in the same file")
        func unplugged() throws {
            // It comes back with the signal that it has by itself.
            try Board.control("hdmi", "on")
            let journey = try RecordingJourney()
            try Board.control("hdmi", "unplug")
            try journey.waitFor("unplugged")
            try journey.goOn()
            try Board.control("hdmi", "plug")
            try journey.waitFor("pictures come in again")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(gaps(ending).count == 1 && journey.files.count == 1, "\(ending)")
            let file = try RecordedFile(journey.files[0])
            #expect(abs(file.picture - file.sound) < 0.05)
            try RecordingJourney.recordAgain()
        }

        @Test("a hundred short losses leave one whole file")
        func hundred() throws {
            let journey = try RecordingJourney()
            // In four steps, each of which a busy machine has time for.
            for _ in 0..<4 { try Board.control("hdmi", "flap", "25", "0.1") }
            try Board.control("hdmi", "on", Self.mode)
            try journey.goOn(fragments: 3)
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(journey.files.count == 1)
            #expect(!gaps(ending).isEmpty)
            let file = try RecordedFile(journey.files[0])
            #expect(zip(file.times, file.times.dropFirst()).allSatisfy { $0 < $1 })
            #expect(abs(file.picture - file.sound) < 0.05)
            #expect(try file.loudness() > -40)
            try RecordingJourney.recordAgain()
        }

        @Test("without a signal there is no recording, and it is said why", arguments: ["no-signal", "no-lock"])
        func noSignal(state: String) throws {
            try Board.control("hdmi", state)
            let file = "/tmp/none.mp4"
            let ending = try Kinebox.run(
                "record", "--video", "/dev/board/hdmi", "--audio", "none", "--duration", "1", file)
            #expect(ending.exitCode == 3, "\(ending)")
            #expect(access(file, F_OK) != 0)
            try Board.control("hdmi", "on", Self.mode)
            try RecordingJourney.recordAgain()
        }
    }
}
