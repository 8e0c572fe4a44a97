import Glibc
import Judges
import Testing

extension BoardTests {
    @Suite("Buttons")
    struct ButtonTests {
        /// The key events that the input device gives while `action` runs, such as "KEY_RECORD 1".
        private func events(during action: () throws -> Void) throws -> [String] {
            let watching = try ChildProcess("evtest", ["/dev/board/keys"])
            // It says so when it listens.
            while watching.isRunning, !String(decoding: watching.outputSoFar, as: UTF8.self).contains("Testing ...") {
                usleep(20_000)
            }
            try action()
            // What was pressed last is still on its way.
            usleep(200_000)
            watching.send(SIGTERM)
            let lines = watching.wait(atMost: 10).text.split(separator: "\n")
            return lines.compactMap { line in
                guard line.hasPrefix("Event:"), line.contains("(EV_KEY)"),
                    let name = line.split(separator: "(").last?.split(separator: ")").first
                else { return nil }
                return "\(name) \(line.last.map(String.init) ?? "")"
            }
        }

        @Test("a press is one edge down and one up")
        func press() throws {
            let seen = try events { try Board.control("press", "record") }
            #expect(seen == ["KEY_RECORD 1", "KEY_RECORD 0"])
        }

        @Test("a press whose contact bounces is one edge all the same")
        func bounce() throws {
            let seen = try events { try Board.control("press", "record", "--bounce", "3") }
            #expect(seen == Array(repeating: ["KEY_RECORD 1", "KEY_RECORD 0"], count: 3).flatMap { $0 })
        }

        @Test(
            "each button has a key of its own",
            arguments: [
                ("play", "KEY_PLAY"), ("stop", "KEY_STOP"), ("mark", "KEY_FAVORITES"),
            ])
        func keys(button: String, key: String) throws {
            let seen = try events { try Board.control("press", button) }
            #expect(seen == ["\(key) 1", "\(key) 0"])
        }

        @Test("a button is held as long as was asked")
        func hold() throws {
            let seen = try events {
                let holding = try ChildProcess("boardctl", ["hold", "play", "1"])
                #expect(holding.wait(atMost: 20).exitCode == 0)
            }
            #expect(seen.first == "KEY_PLAY 1")
            #expect(seen.last == "KEY_PLAY 0")
        }

        @Test("a button on a bare line gives its edges to who asks for the line")
        func bareLine() throws {
            let watching = try Board.start("exec gpiomon --num-events=2 --format=%e $(gpiofind bare-button)")
            try Board.shell("until gpioinfo | grep -q 'bare-button.*gpiomon'; do sleep 0.1; done")
            try Board.control("press", "bare-button")
            #expect(watching.wait(atMost: 20).text == "1\n0\n")
        }

        @Test("a button that is not there is refused by name")
        func unknown() throws {
            let ending = try Board.run("boardctl", "press", "doorbell")
            #expect(ending.exitCode == 2)
            #expect(ending.errors.contains("no line called doorbell"))
        }
    }
}
