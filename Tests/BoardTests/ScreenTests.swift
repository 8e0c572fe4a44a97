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
    }
}
