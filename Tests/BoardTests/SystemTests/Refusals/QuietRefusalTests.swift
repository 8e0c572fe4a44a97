import Judges
import Testing

extension SystemTests {
    /// Refusals after which the light goes on telling the state, and starts that wait instead of being refused.
    @Suite("Refusals without blinks, and waiting", .serialized) struct QuietRefusalTests {
        init() throws { try RefusingRecorder.begin() }

        @Test("who starts twice, or stops what does not run, is told so; a recording is never disturbed by it")
        func states() throws {
            try RefusingRecorder.refuses(["stop"], "NotRecording", exitCode: 1)
            for word in ["pause", "resume", "split", "mark"] {
                let ending = try Board.run("kinebox", word, "--json")
                #expect(ending.exitCode == 1 && BoxHands.answer(ending) == "NotRecording", "\(ending)")
            }
            try RefusingRecorder.light(is: "off")
            try Board.shell("kinebox start first")
            _ = try RefusingRecorder.entries()
            try RefusingRecorder.refuses(["start", "second"], "AlreadyRecording", exitCode: 1)
            try RefusingRecorder.refuses(["eject"], "Busy", exitCode: 1)
            try RefusingRecorder.light(is: "on")
            try Board.shell("kinebox stop")
            _ = try RefusingRecorder.entries()
            try RefusingRecorder.refuses(["start", "first"], "FileExists", exitCode: 1)
            try RefusingRecorder.light(is: "off")
            try RefusingRecorder.areWhole(1)
        }

        @Test("a start while the last recording is being finished is told that it is")
        func finalising() throws {
            try Board.shell("kinebox start slow; sleep 1")
            _ = try RefusingRecorder.entries()
            try Board.control("stick", "slow", "1000")
            let stop = try Board.start("kinebox stop")
            try Board.until("kinebox status | grep -q '^finishing'")
            try RefusingRecorder.refuses(["start"], "Busy", exitCode: 1)
            #expect(stop.wait(atMost: 90).exitCode == 0)
            try Board.control("stick", "good")
            try Board.shell("kinebox check /media/kinebox/*/slow.mp4")
        }

        @Test("names and values that cannot be, and people who may not")
        func wrong() throws {
            for name in ["a/b", ".hidden", "con"] {
                try RefusingRecorder.refuses(["start", name], "InvalidName", exitCode: 2)
            }
            let value = try Board.run("kinebox", "start", "--duration", "soon")
            #expect(value.exitCode == 2 && value.errors.contains("--duration"), "\(value)")
            let option = try Board.run("kinebox", "start", "--durations", "5")
            #expect(option.exitCode == 2 && option.errors.contains("--durations"), "\(option)")
            _ = try RefusingRecorder.entries()
            let stranger = try Board.run(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "kinebox", "start", "--json")
            #expect(stranger.exitCode == 1 && BoxHands.answer(stranger) == "NotAuthorised", "\(stranger)")
            #expect(stranger.errors.contains("Join the group kinebox"), "\(stranger)")
            try RefusingRecorder.light(is: "off")
        }

        @Test("who reaches the socket and may not use it is told by it, and the journal knows who it was")
        func stranger() throws {
            try Board.shell("chmod 666 \(ServedRecorder.socket)")
            _ = try RefusingRecorder.entries()
            let ending = try Board.run(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "kinebox", "start", "--json")
            #expect(ending.exitCode == 1 && BoxHands.answer(ending) == "NotAuthorised", "\(ending)")
            let entries = try RefusingRecorder.entries()
            let refusals = entries.filter { $0.error == "NotAuthorised" }
            #expect(refusals.map(\.identifier) == [RefusingRecorder.Event.clientRefused], "\(entries)")
            #expect(refusals.first?.text.contains("65534") == true)
            try Board.shell("chmod 660 \(ServedRecorder.socket)")
        }

        @Test("where it is wished a start waits for a medium: a double flash, and it begins by itself")
        func waitsForMedium() throws {
            try RefusingRecorder.configure("[Behaviour]\nWaitForMedium=yes")
            try Board.control("stick", "out")
            try Board.until("kinebox media | grep -q 'no medium'")
            let waiting = try Board.run("kinebox", "start", "--json")
            #expect(waiting.exitCode == 0 && waiting.text.contains("\"pending\""), "\(waiting)")
            try doubleFlashes()
            // Who has waited long enough cancels it.
            try Board.shell("kinebox stop")
            try RefusingRecorder.light(is: "off")
            try Board.control("press", "record")
            try InstalledRecorder.isNow("waiting")
            try Board.control("stick", "in")
            try InstalledRecorder.isNow("recording safely")
            try RefusingRecorder.light(is: "on")
            try Board.shell("kinebox stop; kinebox check /media/kinebox/*/*.mp4")
        }

        @Test("and for a signal")
        func waitsForSignal() throws {
            try Board.control("hdmi", "no-signal")
            try RefusingRecorder.configure(
                "[Recording]\nVideo=/dev/board/hdmi\nSize=\n[Behaviour]\nWaitForSignal=yes")
            try Board.until("kinebox status | grep -qi 'no signal\\|cable'")
            try Board.control("press", "record")
            try InstalledRecorder.isNow("waiting")
            try doubleFlashes()
            try Board.control("press", "record")
            try InstalledRecorder.isNow("idle")
            try Board.shell("kinebox start signal")
            try Board.control("hdmi", "on", "640x480@59")
            try InstalledRecorder.isNow("recording safely")
            try Board.shell("kinebox stop; kinebox check /media/kinebox/*/signal.mp4")
            try RefusingRecorder.configure("")
        }

        private func doubleFlashes(location: SourceLocation = #_sourceLocation) throws {
            let record = try WatchedLight.begun("red", seconds: "6").record()
            let isRight = !record.flashes.isEmpty && record.flashes.allSatisfy { $0 == 2 }
            #expect(isRight, "\(record)", sourceLocation: location)
        }
    }
}
