import Testing

extension BoardTests {
    @Suite("Screen")
    struct ScreenTests {
        /// How many pixels of what the screen shows differ from picture `number`.
        private func wrongPixels(from number: Int, width: Int, height: Int) throws -> Int {
            let output = try Board.run("boardctl", "screen", "look").output
            let head = Array("\(width) \(height) XR24\n".utf8)
            #expect(output.starts(with: head))
            #expect(output.count == head.count + width * height * 4)
            guard output.count == head.count + width * height * 4 else { return .max }
            var wrong = 0
            var at = head.count
            for y in 0..<height {
                for x in 0..<width {
                    let blue = UInt8(truncatingIfNeeded: x >> 3 ^ y >> 3 ^ number)
                    let red = UInt8(truncatingIfNeeded: x + 16 * number)
                    if output[at] != blue || output[at + 1] != UInt8(truncatingIfNeeded: y) || output[at + 2] != red {
                        wrong += 1
                    }
                    at += 4
                }
            }
            return wrong
        }

        @Test("what GETFB2 and PRIME give is what was shown", arguments: [(640, 480), (1280, 720), (1920, 1080)])
        func look(width: Int, height: Int) throws {
            try Board.control("screen", "show", "\(width)x\(height)")
            #expect(try wrongPixels(from: 0, width: width, height: height) == 0)
            let line = try Board.control("screen", "flip", "5")
            #expect(line.first?.hasPrefix("shown 5 ") == true)
            #expect(try wrongPixels(from: 5, width: width, height: height) == 0)
            // The check can fail: another picture differs nearly everywhere.
            #expect(try wrongPixels(from: 6, width: width, height: height) > width * height / 2)
            try Board.control("screen", "stop")
        }

        @Test("a flip comes with a vertical blank: its times lie whole sixtieths apart")
        func blank() throws {
            try Board.control("screen", "show")
            let times = try (0..<10).map { _ in
                try Int64(Board.control("screen", "flip").first?.split(separator: " ").last ?? "") ?? 0
            }
            for (before, after) in zip(times, times.dropFirst()) {
                let blanks = Double(after - before) * 60 / 1e9
                #expect(blanks > 0.9 && abs(blanks - blanks.rounded()) < 0.05, "\(blanks)")
            }
            try Board.control("screen", "stop")
        }

        @Test("the screen's plug is out and in again")
        func plug() throws {
            let status = "cat /sys/class/drm/card*-Virtual-1/status"
            try Board.control("screen", "off")
            #expect(try Board.shell(status) == "disconnected\n")
            try Board.control("screen", "on")
            #expect(try Board.shell(status) == "connected\n")
        }

        @Test("a cursor lies over the picture and is not part of it")
        func cursor() throws {
            try Board.control("screen", "show", "640x480")
            #expect(try Board.control("screen", "cursor", "100", "100") == ["cursor"])
            #expect(try wrongPixels(from: 0, width: 640, height: 480) == 0)
            #expect(try Board.shell("cat /sys/kernel/debug/dri/*/state").contains("crtc-pos=64x64+100+100"))
            try Board.control("screen", "stop")
        }

        @Test("the screen has a primary plane, one to lay over it, and a cursor")
        func planes() throws {
            let state = try Board.shell("cat /sys/kernel/debug/dri/*/state")
            #expect(state.split(separator: "\n").count { $0.hasPrefix("plane[") } >= 3)
        }

        @Test("a mode that the screen has not is refused with its size")
        func noMode() throws {
            let ending = try Board.run("boardctl", "screen", "show", "17x2")
            #expect(ending.exitCode == 1)
            #expect(ending.errors.contains("no mode of 17x2"))
        }

        /// What the program that shows the pictures has noted of each flip.
        private func flips() throws -> [(number: Int, blank: Int, time: Int)] {
            try Board.control("screen", "flips").map { line in
                let words = line.split(separator: " ").compactMap { Int($0) }
                try #require(words.count == 3, "\(line)")
                return (words[0], words[1], words[2])
            }
        }

        @Test(
            "a run keeps sixty flips a second, with a cursor that moves and an overlay; each blank has a number and a time"
        )
        func run() throws {
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "overlay", "0", "100", "50", "200", "100", "ARGB8888", "90")
            try Board.control("screen", "cursor", "roams")
            #expect(try Board.control("screen", "run", "120").last?.hasPrefix("shown 120 ") == true)
            let flips = try flips()
            #expect(flips.map(\.number) == Array(1...120))
            for (before, after) in zip(flips, flips.dropFirst()) {
                #expect(after.blank > before.blank)
                // Equally many sixtieths as blanks, to the microseconds that an event has.
                let lines = Double(after.time - before.time) / Double(after.blank - before.blank)
                #expect(abs(lines - 1e9 / 59.94) < 10_000, "\(lines)")
            }
            try Board.control("screen", "stop")
        }

        @Test("every second blank is every second blank")
        func everySecond() throws {
            try Board.control("screen", "show", "320x240")
            try Board.control("screen", "run", "30", "2")
            let blanks = try flips().map(\.blank)
            #expect(zip(blanks, blanks.dropFirst()).allSatisfy { $1 - $0 >= 2 })
            try Board.control("screen", "stop")
        }

        @Test("turned, in another mode or format, drawn in place or in fresh memory, it goes on with what it shows")
        func changes() throws {
            try Board.control("screen", "show", "640x480")
            let state = "cat /sys/kernel/debug/dri/*/state"
            try Board.control("screen", "rotate", "90")
            #expect(try Board.shell(state).contains("size=480x640"))
            try Board.control("screen", "rotate", "0")
            try Board.control("screen", "mode", "358x222")
            #expect(try Board.control("screen", "fresh", "3").first?.hasPrefix("shown 3 ") == true)
            #expect(try wrongPixels(from: 3, width: 358, height: 222) == 0)
            #expect(try Board.control("screen", "redraw") == ["drawn 4"])
            #expect(try wrongPixels(from: 4, width: 358, height: 222) == 0)
            try Board.control("screen", "format", "RGB565")
            #expect(try Board.shell(state).contains("format=RG16"))
            try Board.control("screen", "stop")
        }

        @Test("a screen that is dark keeps its mode and its plug; one that is bare keeps its plug")
        func dark() throws {
            try Board.control("screen", "show", "640x480")
            let status = "cat /sys/class/drm/card*-Virtual-1/status /sys/class/drm/card*-Virtual-1/enabled"
            try Board.control("screen", "dark")
            #expect(try Board.shell("cat /sys/kernel/debug/dri/*/state").contains("active=0"))
            try Board.control("screen", "lit")
            #expect(try Board.shell(status) == "connected\nenabled\n")
            try Board.control("screen", "bare")
            #expect(try Board.shell(status) == "connected\ndisabled\n")
            try Board.control("screen", "lit")
            #expect(try wrongPixels(from: 0, width: 640, height: 480) == 0)
            try Board.control("screen", "stop")
        }

        @Test("who leaves the screen to another program finds it again")
        func leave() throws {
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "leave")
            try Board.shell("board-screen /dev/board/screen 800x600 <<<'flip 3'")
            try Board.control("screen", "enter")
            #expect(try wrongPixels(from: 0, width: 640, height: 480) == 0)
            try Board.control("screen", "stop")
        }

        @Test("a program can be made to find no vertical blanks")
        func withoutBlanks() throws {
            let ending = try Board.run("board-without-blanks", "board-screen", "/dev/board/screen", "640x480")
            // Standard input is at its end, so that it ends by itself; its own flips need no blank's number.
            #expect(ending.exitCode == 0, "\(ending)")
            let ask = "import fcntl; fcntl.ioctl(open('/dev/board/screen'), 0xC018643C, bytearray(24))"
            let refused = try Board.run("board-without-blanks", "python3", "-c", ask)
            #expect(refused.errors.contains("Errno 95"), "\(refused)")
            #expect(try !Board.run("python3", "-c", ask).errors.contains("Errno 95"))
        }
    }
}
