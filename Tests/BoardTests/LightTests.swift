import Testing

extension BoardTests {
    @Suite("Lights")
    struct LightTests {
        private let red = "/sys/class/leds/red:record"

        /// What `boardctl light` calls the pattern.
        private func pattern(_ light: String = "red", seconds: String) throws -> String {
            try Board.control("light", light, seconds).last.map(String.init) ?? ""
        }

        @Test("a light that blinks once a second is recorded as 1 Hz, each edge with its time")
        func oneHertz() throws {
            try Board.shell("cd \(red); echo timer >trigger; echo 500 >delay_on; echo 500 >delay_off")
            let lines = try Board.control("light", "red", "5")
            #expect(lines.last == "pattern blink 1.0 Hz")
            let edges = lines.dropLast().map { $0.split(separator: " ") }
            #expect(edges.count >= 9)
            #expect(edges.allSatisfy { $0.first == "edge" && $0.count == 3 })
            let times = edges.compactMap { Double($0[1]) }
            #expect(times == times.sorted() && Set(times).count == edges.count)
            for (before, after) in zip(edges, edges.dropFirst()) { #expect(before[2] != after[2]) }
        }

        /// The kernel's timers wake a little late, by up to an eighth, and a busy machine makes a single edge later still.
        @Test(
            "patterns are told apart by name",
            arguments: [
                (
                    "1 100 1 0 0 100 0 0", "5",
                    ["blink 5.1 Hz", "blink 5.0 Hz", "blink 4.9 Hz", "blink 4.8 Hz", "blink 4.7 Hz", "blink 4.6 Hz"]
                ),
                (
                    "1 2900 1 0 0 100 0 0", "13",
                    ["notch, dark 0.1 s every 2.9 s", "notch, dark 0.1 s every 3.0 s", "notch, dark 0.1 s every 3.1 s"]
                ),
                (
                    "1 200 1 0 0 200 0 0 1 200 1 0 0 1000 0 0", "7",
                    ["2 flashes, pause 0.9 s", "2 flashes, pause 1.0 s", "2 flashes, pause 1.1 s"]
                ),
                (
                    "1 200 1 0 0 200 0 0 1 200 1 0 0 200 0 0 1 200 1 0 0 1000 0 0", "8",
                    ["3 flashes, pause 0.9 s", "3 flashes, pause 1.0 s", "3 flashes, pause 1.1 s"]
                ),
            ])
        func patterns(steps: String, seconds: String, names: [String]) throws {
            try Board.shell("cd \(red); echo pattern >trigger; echo '\(steps)' >pattern")
            let seen = try pattern(seconds: seconds)
            #expect(names.map { "pattern \($0)" }.contains(seen), "\(seen)")
        }

        @Test("a steady light is on, a dark one off")
        func steady() throws {
            try Board.shell("cd \(red); echo none >trigger; echo 1 >brightness")
            #expect(try pattern(seconds: "0.5") == "pattern on")
            try Board.shell("echo 0 >\(red)/brightness")
            #expect(try pattern(seconds: "0.5") == "pattern off")
        }

        @Test("what really lights up is the line, also where no LED driver is", arguments: [1, 0])
        func bareLight(level: Int) throws {
            let setting = try Board.start("exec gpioset --mode=time --sec=3 $(gpiofind bare-light)=\(level)")
            try Board.shell("until gpioinfo | grep -q 'bare-light.*gpioset'; do sleep 0.1; done")
            #expect(try pattern("bare-light", seconds: "0.5") == (level == 1 ? "pattern on" : "pattern off"))
            #expect(setting.wait(atMost: 20).exitCode == 0)
        }
    }
}
