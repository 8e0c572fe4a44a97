import Judges
import Testing

extension BoardTests {
    @Suite("HDMI input")
    struct HDMITests {
        /// What the input says of its signal: size and rate, or the kernel's reason that there is none.
        private func signal(of device: String) throws -> String {
            let ending = try Board.run("v4l2-ctl", "-d", device, "--query-dv-timings")
            let words = (ending.text + ending.errors).split(whereSeparator: { $0 == "\n" }).map(String.init)
            func value(_ name: String) -> String {
                let line = words.first { $0.contains(name) } ?? ""
                return line.split(separator: ":").dropFirst().joined().split(separator: " ").first.map(String.init)
                    ?? ""
            }
            if let failure = words.first(where: { $0.contains("failed:") }) {
                return failure.split(separator: ":").last.map { String($0.drop(while: { $0 == " " })) } ?? ""
            }
            let rate = words.first { $0.contains("Pixelclock") }?.split(separator: "(").last?.split(separator: " ")
                .first
            return "\(value("Active width"))x\(value("Active height"))@\(rate ?? "")"
        }

        private static let both: [[String]] = [[], ["--planes"]]

        private func device(_ input: [String]) -> String {
            input.isEmpty ? "/dev/board/hdmi" : "/dev/board/hdmi-planes"
        }

        @Test("each state of the cable is the kernel's own error, and the signal comes back", arguments: both)
        func states(input: [String]) throws {
            for (state, reason) in [
                ("no-signal", "Link has been severed"), ("no-lock", "No locks available"),
                ("out-of-range", "Numerical result out of range"),
            ] {
                try Board.hdmi(device(input), state)
                #expect(try signal(of: device(input)) == reason)
            }
            try Board.hdmi(device(input), "on", "1920x1080@30")
            #expect(try signal(of: device(input)) == "1920x1080@30.00")
            try Board.hdmi(device(input), "on")
            #expect(try signal(of: device(input)) == "1280x720@60.00")
        }

        @Test("a change of the signal is told to who waits for it", arguments: both)
        func sourceChange(input: [String]) throws {
            let waiting = try ChildProcess("v4l2-ctl", ["-d", device(input), "--wait-for-event=source_change=0"])
            // The event is lost if nobody has asked for it yet; so the cable flaps until somebody has.
            var flaps = 0
            while waiting.isRunning, flaps < 20 {
                try Board.hdmi(device(input), "flap", "1", "0.1")
                flaps += 1
            }
            #expect(waiting.wait(atMost: 5).text.contains("source_change: pad/input=0 changes: 1"))
        }

        @Test("one API or the other, as drivers have them")
        func planes() throws {
            let one = try Board.run("v4l2-ctl", "-d", "/dev/board/hdmi", "--info").text
            let several = try Board.run("v4l2-ctl", "-d", "/dev/board/hdmi-planes", "--info").text
            #expect(one.contains("Video Capture\n") && !one.contains("Multiplanar"))
            #expect(several.contains("Video Capture Multiplanar"))
        }

        @Test("the input offers the formats of each API", arguments: both)
        func formats(input: [String]) throws {
            let offered = try Board.run("v4l2-ctl", "-d", device(input), "--list-formats").text
            for format in ["NV12", "YU12", "YUYV", "UYVY", "XR24"] { #expect(offered.contains("'\(format)'")) }
            // A buffer for each plane of a picture is what only the multi-planar API has.
            #expect(offered.contains("'NM12'") == !input.isEmpty)
        }

        @Test("the input takes an EDID and gives it back", arguments: both)
        func edid(input: [String]) throws {
            let file = "/tmp/edid"
            try Board.shell("v4l2-ctl -d \(device(input)) --set-edid pad=0,type=hdmi >/dev/null")
            try Board.shell("v4l2-ctl -d \(device(input)) --get-edid pad=0,format=raw,file=\(file) >/dev/null")
            let edid = try Board.run("cat", file).output
            #expect(edid.count == 256 && edid.starts(with: [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]))
            #expect(edid.prefix(128).reduce(0, &+) == 0, "the sum of a block is 0")
        }

        /// Sets the input to its signal and to `format`, so that it can be captured.
        private func prepare(_ device: String, _ format: String) throws {
            try Board.shell("v4l2-ctl -d \(device) --set-dv-bt-timings query >/dev/null")
            try Board.shell("v4l2-ctl -d \(device) -v pixelformat=\(format)")
        }

        /// How many of 600 frames the input had to leave out, by the numbers that it gives to its frames.
        private func missed(_ input: [String], at mode: String) throws -> Int {
            try Board.hdmi(device(input), "on", mode)
            try prepare(device(input), "NV12")
            let log = try Board.shell(
                """
                v4l2-ctl -d \(device(input)) --stream-mmap=8 --stream-count=600 --verbose >/tmp/frames 2>&1
                tr '\\r' '\\n' </tmp/frames
                """)
            let numbers = log.split(separator: "\n").compactMap { line -> Int? in
                guard line.contains("cap dqbuf") else { return nil }
                let words = line.split(separator: " ")
                return words.firstIndex(of: "seq:").flatMap { Int(words[$0 + 1]) }
            }
            try Board.hdmi(device(input), "on")
            #expect(numbers.count == 600 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
            let missed = (numbers.last ?? 0) - (numbers.first ?? 0) + 1 - numbers.count
            print("frames missed at \(mode) on \(device(input)): \(missed) of 600")
            return missed
        }

        /// The best of five: the machine under the board may have been busy with something else.
        private func fewestMissed(_ input: [String], at mode: String, enough: Int) throws -> Int {
            var fewest = Int.max
            for _ in 0..<5 where fewest > enough { fewest = min(fewest, try missed(input, at: mode)) }
            return fewest
        }

        @Test("1920x1080 at 30: 600 frames without a gap", arguments: both)
        func thirty(input: [String]) throws {
            #expect(try fewestMissed(input, at: "1920x1080@30", enough: 0) == 0)
        }

        @Test("1920x1080 at 60: at most one frame in a hundred is missed", arguments: both)
        func sixty(input: [String]) throws {
            #expect(try fewestMissed(input, at: "1920x1080@60", enough: 6) <= 6)
        }

        @Test(
            "fed pictures arrive as they were sent, each with its number", arguments: ["NV12", "YU12", "YUYV", "UYVY"])
        func feed(format: String) throws {
            let (width, height, step) = (640, 480, format.hasSuffix("12") ? 1 : 2)
            try Board.control("hdmi", "feed", format, "640x480@59")
            try prepare("/dev/board/hdmi", format)
            let bytes = try Board.run(
                "v4l2-ctl", "-d", "/dev/board/hdmi", "--stream-mmap=4", "--stream-count=60", "--stream-to=-"
            ).output
            try Board.control("hdmi", "unfeed")
            let size = format.hasSuffix("12") ? width * height * 3 / 2 : width * height * 2
            let first = format == "UYVY" ? 1 : 0
            #expect(bytes.count == 60 * size)
            var wrong = 0
            var numbers: [Int] = []
            let changing = 32..<96
            for start in stride(from: 0, to: bytes.count - size + 1, by: size) {
                func luma(_ x: Int, _ y: Int) -> UInt8 { bytes[start + (y * width + x) * step + first] }
                let number = (0..<32).reduce(0) { $0 | (luma($1 * 20 + 10, 16) > 128 ? 1 << $1 : 0) }
                numbers.append(number)
                for y in stride(from: 32, to: height, by: 31) {
                    let move = changing.contains(y) ? number : 0
                    for x in 0..<width where luma(x, y) != UInt8(16 + (x + y + move) % 220) { wrong += 1 }
                }
            }
            #expect(wrong == 0)
            // Output and input each have a clock: a number may come twice or be left out where they meet, never go back.
            #expect(numbers == numbers.sorted())
            #expect((numbers.last ?? 0) - (numbers.first ?? 0) >= 30)
        }
    }
}
