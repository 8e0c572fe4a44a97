import Glibc
import KMS
import Linux
import Media
import Testing
import V4L2

@testable import Capture

extension BoardTests {
    @Suite("The board's screen, through its card")
    struct CardScreenTests {
        /// A screen that is recorded from, as an encoder that reads framebuffers would.
        private func running(
            _ size: String, rate: FrameRate? = nil, _ memory: FrameMemory = .device
        ) throws -> InputRun<Screen> {
            try Board.control("screen", "show", size)
            let screen = try Screen(
                reader: { () throws(Failure) -> any ScreenReader in try CardReader(connector: nil) }, rate: rate)
            try setUp(screen, memory)
            return try InputRun(screen)
        }

        private func setUp(_ screen: Screen, _ memory: FrameMemory = .device) throws {
            _ = try screen.choose(try screen.offers()[0])
            try screen.prepare(memory)
            try screen.start()
        }

        /// What the program that shows the pictures has noted of each flip: the picture's number, and its time.
        private func flips() throws -> [(number: Int, time: Int64)] {
            try Board.control("screen", "flips").map { line in
                let words = line.split(separator: " ").compactMap { Int64($0) }
                try #require(words.count == 3, "\(line)")
                return (Int(words[0]), words[2])
            }
        }

        /// Whether the screen stays as it is, behind pictures that came faster.
        private func hasEnded(_ times: [Int64]) -> Bool {
            times.count > 60 && times[times.count - 1] - times[times.count - 2] > 900_000_000
        }

        /// The drawing that a frame shows, 0 to 15: red of its first pixel.
        private func drawing(_ frame: VideoFrame) throws -> Int {
            let map = try SharedMap(try #require(frame.buffers.first), for: .reading)
            try map.begin(.reading)
            defer { try? map.end(.reading) }
            return Int(map.bytes[2]) / 16
        }

        @Test("each flip comes as it lies in its framebuffer, with the time of its blank")
        func flipping() throws {
            let run = try running("640x480")
            #expect(try run.take(1))
            try Board.control("screen", "begin", "180")
            var seen: [(time: Int64, drawing: Int)] = []
            var strange = 0
            let isDone = try run.go(
                each: { frame in
                    if frame.index >= ScreenFrames.sharedCount || frame.isSlate { strange += 1 }
                    seen.append((frame.time.nanoseconds, try drawing(frame)))
                }, until: { hasEnded(seen.map(\.time)) })
            #expect(isDone && strange == 0)
            try Board.control("screen", "wait")
            let flips = try flips()
            // An event has microseconds.
            var places: [Int64: Int] = [:]
            for flip in flips { places[flip.time / 1000] = flip.number }
            let matched = seen.compactMap { entry in places[entry.time / 1000].map { (entry, $0) } }
            // What is left over was shown before or after the run, or at a blank that a busy machine had not told of.
            #expect(matched.count * 10 > seen.count * 9 && matched.count > 60, "\(matched.count) of \(seen.count)")
            // A reader that is kept from its work for some blanks cannot know what was shown at each of them.
            let wrong = matched.filter { $0.0.drawing != $0.1 % 16 }
            #expect(wrong.count * 10 < matched.count, "\(wrong)")
            #expect(run.disorder.isEmpty && run.changes.isEmpty)
            run.input.stop()
            try Board.control("screen", "stop")
        }

        @Test("fewer pictures than blanks are those of blanks as well", arguments: [30, 25])
        func slower(rate: Int64) throws {
            let run = try running("320x240", rate: FrameRate(rate))
            #expect(try run.take(1))
            try Board.control("screen", "begin", "240")
            let count = run.taken.count
            #expect(try run.take(Int(rate) * 3))
            try Board.control("screen", "wait")
            let blank = 1e9 / 59.94
            let steps = zip(run.taken[count...], run.taken[(count + 1)...]).map { ($1.time - $0.time) }
            let strange = steps.map { Double($0) / blank }.filter { abs($0 - $0.rounded()) > 0.05 || $0 < 0.9 }
            // A blank that does not come on a busy machine is reckoned.
            #expect(strange.count * 10 < steps.count, "\(strange)")
            #expect(run.disorder.isEmpty)
            run.input.stop()
            try Board.control("screen", "stop")
        }

        @Test("dark, bare and unplugged are losses of their own; each is over when the screen is back")
        func life() throws {
            let run = try running("640x480")
            #expect(try run.take(1))
            for (verb, back, state) in [
                ("dark", "lit", SignalState.off), ("bare", "lit", .off), ("off", "on", .noScreen),
            ] {
                let (losses, returns) = (run.losses.count, run.returns)
                let slates = run.slates.count
                try Board.control("screen", verb)
                #expect(try run.go(until: { run.losses.count > losses && run.slates.count > slates + 2 }), "\(verb)")
                #expect(run.losses.last == state, "\(verb)")
                try Board.control("screen", back)
                if verb == "off" { try Board.control("screen", "lit") }
                let pictures = run.pictures.count
                #expect(try run.go(until: { run.returns > returns && run.pictures.count > pictures }), "\(back)")
            }
            #expect(run.reshapes == 0 && run.disorder.isEmpty)
            run.input.stop()
            try Board.control("screen", "stop")
        }

        @Test("another mode, a turn, and another program's screen are taken over, and descriptors do not grow")
        func shapes() throws {
            let run = try running("640x480")
            #expect(try run.take(1))
            var before: Int?
            for round in 0..<3 {
                for (words, width, height) in [
                    (["mode", "800x600"], 800, 600), (["rotate", "90"], 600, 800), (["rotate", "0"], 800, 600),
                    (["mode", "640x480"], 640, 480),
                ] {
                    let reshapes = run.reshapes
                    try Board.shell("boardctl screen \(words.joined(separator: " "))")
                    #expect(try run.go(until: { run.reshapes > reshapes }), "\(words)")
                    try run.input.adopt()
                    #expect((run.input.format.width, run.input.format.height) == (width, height), "\(words)")
                    try setUp(run.input)
                    #expect(try run.take(1), "\(words)")
                }
                let count = try Board.shell("ls /proc/$PPID/fd").split(separator: "\n").count
                if round > 0 { #expect(count <= (before ?? count)) }
                before = count
            }
            #expect(run.losses.isEmpty)
            run.input.stop()
            try Board.control("screen", "stop")
        }

        @Test("what is drawn into the framebuffer that is shown comes without a flip")
        func redraw() throws {
            let run = try running("640x480", .process)
            // One of a screen that stays comes once it has been looked at.
            #expect(try run.take(2))
            try Board.control("screen", "redraw")
            // Beside the one a second of a screen that stays, each blank brings one for a while.
            let start = run.taken.count
            #expect(try run.take(30))
            let last = run.taken[start + 25].time - run.taken[start + 5].time
            #expect(last < 2_000_000_000)
            run.input.stop()
            try Board.control("screen", "stop")
        }

        @Test("without a screen that shows something there is a sentence that says so")
        func nothing() throws {
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "bare")
            let failure = #expect(throws: Failure.self) {
                _ = try Screen(reader: { () throws(Failure) -> any ScreenReader in try CardReader(connector: nil) })
            }
            #expect(failure?.kind == .noSignal && failure?.mend.isEmpty == false)
            let absent = #expect(throws: Failure.self) {
                _ = try Screen(
                    reading: "DP-7",
                    reader: { () throws(Failure) -> any ScreenReader in try CardReader(connector: "DP-7") })
            }
            #expect(absent?.kind == .noSource && absent?.thing == "cannot record from screen DP-7")
            try Board.control("screen", "stop")
        }
    }
}
