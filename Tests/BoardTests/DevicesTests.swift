import Judges
import Testing

extension BoardTests {
    /// What `kinebox devices` says is held against what the board was set to, and against what a recording then does.
    @Suite("What kinebox devices says")
    struct DevicesTests {
        private static let inputs: [[String]] = [[], ["--planes"]]

        private func device(_ input: [String]) -> String {
            input.isEmpty ? "/dev/board/hdmi" : "/dev/board/hdmi-planes"
        }

        /// What the command says of an input.
        private func told(of input: [String], _ options: String...) throws -> DevicesAnswer.Input {
            let node = try Board.shell("realpath \(device(input))").split(separator: "\n").first.map(String.init)
            return try #require(try DevicesAnswer.read(options).video.first { $0.device == node })
        }

        @Test(
            "each state of the cable is told apart, for programs and for people",
            arguments: [
                ("no-signal", "no cable"), ("no-lock", "no lock"), ("out-of-range", "out of range"),
            ], inputs)
        func states(state: (verb: String, words: String), input: [String]) throws {
            try Board.hdmi(device(input), state.verb)
            let lost = try told(of: input)
            #expect(lost.signal?.state == state.words)
            #expect(lost.state == "no signal" && lost.path == nil)
            let text = try Board.run(Kinebox.path, "devices").text
            #expect(text.contains("  \(lost.location)  vivid, \(lost.location): \(state.words)\n"), "\(text)")
            try Board.hdmi(device(input), "on")
            let found = try told(of: input)
            #expect(found.signal?.state == "locked" && found.state == "ready")
        }

        @Test(
            "what comes in is told with size, rate and colour, whatever the input was set to before", arguments: inputs)
        func shape(input: [String]) throws {
            for (mode, words) in [
                ("1920x1080@30", "1920x1080 at 30 pictures a second, progressive; BT.709, limited range"),
                ("1280x720@60", "1280x720 at 60 pictures a second, progressive; BT.709, limited range"),
            ] {
                try Board.hdmi(device(input), "on", mode)
                let seen = try told(of: input)
                let size = "\(seen.signal?.width ?? 0)x\(seen.signal?.height ?? 0)"
                #expect("\(size)@\(seen.signal?.rate ?? "")" == "\(mode)/1")
                #expect(seen.path?.reason.contains("\(size) as it comes") ?? false)
                let text = try Board.run(Kinebox.path, "devices").text
                #expect(text.contains("      gives \(words)\n"), "\(text)")
            }
        }

        @Test("encoders are told with what they take")
        func encoders() throws {
            let text = try Board.run(Kinebox.path, "devices").text
            for interface in ["single-planar", "multi-planar"] {
                let line = text.split(separator: "\n").first { $0.contains(interface) }
                #expect(line?.contains("NV12") ?? false && line?.contains("16x16 to 4096x4096") ?? false, "\(text)")
            }
            #expect(text.contains("  hardware  Virtual H.264 encoder, platform:vh264enc: ready\n"))
            #expect(text.contains("  software  x264: ready\n"))
        }

        @Test(
            "a recording takes the way that was told, and says so",
            arguments: [
                ("PixelFormat=NV12", "shared"), ("PixelFormat=YUYV", "shared"), ("PixelFormat=NV16", "processor"),
                ("PixelFormat=NV24", "processor"),
                ("PixelFormat=BGR3", "converter"), ("Encoder=software", "process"), ("Encoder=hardware", "shared"),
            ], inputs)
        func way(way: (setting: String, transfer: String), input: [String]) throws {
            try Board.hdmi(device(input), "on", "640x480@59")
            let file = "/tmp/kinebox-way.conf"
            try Board.shell("printf '[Recording]\\n\(way.setting)\\nAudio=none\\n' >\(file)")
            let path = try #require(try told(of: input, "--config", file).path)
            #expect(path.transfer == way.transfer)
            let recording = "/tmp/kinebox-way.mp4"
            try Board.shell("rm -f \(recording)")
            let ending = try Board.run(
                Kinebox.path, "record", "--config", file, "--video", device(input), "--duration", "0.5", recording)
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(ending.errors.contains("(\(path.reason))\n"), "told: \(path.reason); taken: \(ending)")
            try Board.hdmi(device(input), "on")
        }

        @Test("a recording that runs is not disturbed by looking, and its input is busy", arguments: inputs)
        func undisturbed(input: [String]) throws {
            try Board.hdmi(device(input), "on", "640x480@59")
            let recording = "/tmp/kinebox-looked-at.mp4"
            try Board.shell("rm -f \(recording)")
            let before = try told(of: input).path?.reason
            let running = try Kinebox.start(["record", "--video", device(input), "--audio", "none", recording])
            try Board.shell("until test -s \(recording); do sleep 0.1; done")
            for _ in 0..<3 {
                let looked = try told(of: input)
                #expect(looked.state == "busy" && looked.path?.reason == before)
            }
            running.send(2)
            let ending = running.wait(atMost: 60)
            #expect(ending.exitCode == 0, "\(ending)")
            // What is told of a signal or an encoder beyond the way would be a disturbance.
            #expect(!ending.errors.contains("failed") && !ending.errors.contains("no signal"), "\(ending)")
            #expect(try Board.run(Kinebox.path, "check", recording).exitCode == 0)
            try Board.hdmi(device(input), "on")
        }

        @Test("an EDID that was asked for is shown to the source before its signal is waited for")
        func edid() throws {
            let original = "/tmp/kinebox-edid-before"
            try Board.shell("v4l2-ctl -d /dev/board/hdmi --get-edid pad=0,format=raw,file=\(original) >/dev/null")
            for input in Self.inputs { try Board.hdmi(device(input), "no-signal") }
            let ending = try Board.run(
                Kinebox.path, "record", "--edid", "720p60", "--audio", "none", "/tmp/kinebox-never.mp4")
            #expect(ending.exitCode == 3 && ending.errors.contains("no cable is plugged in"), "\(ending)")
            let shown = try Board.shell("v4l2-ctl -d /dev/board/hdmi --get-edid pad=0,format=raw | edid-decode")
            #expect(shown.contains("Display Product Name: 'Kinebox'"), "\(shown)")
            #expect(shown.contains("DTD 1:  1280x720"), "\(shown)")
            try Board.shell("v4l2-ctl -d /dev/board/hdmi --set-edid pad=0,format=raw,file=\(original) >/dev/null")
            for input in Self.inputs { try Board.hdmi(device(input), "on") }
        }

        @Test(
            "a layout that the input does not give is refused, and those that it gives are named",
            arguments: ["MJPG", "NM12"])
        func layout(code: String) throws {
            let ending = try Board.run(
                Kinebox.path, "record", "--video", "/dev/board/hdmi", "--pixel-format", code, "--audio", "none",
                "/tmp/kinebox-never.mp4")
            #expect(ending.exitCode == 2 && ending.errors.contains("NV12"), "\(ending)")
            #expect(ending.errors.split(separator: "\n").count == 1, "\(ending)")
        }
    }
}
