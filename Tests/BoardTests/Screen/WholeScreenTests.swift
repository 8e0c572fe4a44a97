import Glibc
import Judges
import Media
import Testing

extension BoardTests {
    /// Whole recordings of a screen, held against what the program that shows the pictures says of them.
    @Suite("Whole recordings of the board's own screen")
    struct WholeScreenTests {
        /// When each picture of a file is shown, in its track's ticks, and how many of them are a second.
        private func samples(_ file: String) throws -> (ticks: [Int64], timescale: Int64) {
            let probed = try ChildProcess(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts:stream=time_base", "-of",
                    "default=nw=1:nk=1", file,
                ]
            ).wait(atMost: 60).text.split(separator: "\n")
            let base = try #require(probed.last { $0.hasPrefix("1/") })
            return (probed.compactMap { Int64($0) }.sorted(), try #require(Int64(base.dropFirst(2))))
        }

        /// The pictures of a file that are not shown at the time of their own flip, counted from the first one.
        private func wrongTimes(
            _ numbers: [Int], _ ticks: [Int64], _ timescale: Int64, _ shown: ShownFlips
        ) throws -> [(picture: Int, words: String)] {
            let first = try #require(shown.all[numbers[0]])
            var wrong: [(picture: Int, words: String)] = []
            for (number, tick) in zip(numbers, ticks) {
                // A flip's event tells whole microseconds, so that the two times between them lie one to either side.
                let flip = try #require(shown.all[number], "picture \(number) was shown")
                let span = (flip.microseconds - first.microseconds) * 1000
                let right =
                    Media.ticks(
                        at: span - 999, timescale: timescale)...Media.ticks(at: span + 999, timescale: timescale)
                if !right.contains(tick - ticks[0]) { wrong.append((number, "\(tick - ticks[0]) for \(right)")) }
            }
            return wrong
        }

        /// Records four seconds of a program that flips at each blank.
        /// - Parameter options: besides the usual ones.
        /// - Returns: the numbers of the file's pictures, when each is shown in the track's ticks, how many of them are a
        ///   second, and all that was flipped to.
        private func recordFlips(
            _ options: [String]
        ) throws -> (numbers: [Int], ticks: [Int64], timescale: Int64, shown: ShownFlips) {
            let file = "/tmp/flips.mp4"
            defer { unlink(file) }
            let (width, height) = (ScreenScene.width, ScreenScene.height)
            try Board.control("screen", "show", "\(width)x\(height)")
            try Board.control("screen", "begin", "700")
            let usual = ["record", "--video", "screen", "--audio", "none", "--encoder", "hardware", "--duration", "4"]
            let ending = try Kinebox.start(usual + options + [file]).wait()
            #expect(ending.exitCode == 0, "\(ending)")
            // All flips are written down when the run has ended.
            try Board.control("screen", "wait")
            let shown = try ShownFlips()
            try Board.control("screen", "stop")
            let numbers = try DecodedPictures(of: file, width: width, height: height).numbers.map {
                Int(try #require($0, "each picture carries a number"))
            }
            let (ticks, timescale) = try samples(file)
            try #require(ticks.count == numbers.count, "\(ticks.count) times, \(numbers)")
            return (numbers, ticks, timescale, shown)
        }

        @Test(
            "of thirty or twenty-five a second each is that of every second blank, or of the second and third in turn, at the time of its own flip",
            arguments: [30, 25])
        func thinned(rate: Int) throws {
            let (numbers, ticks, timescale, shown) = try recordFlips(["--rate", "\(rate)"])
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "none twice: \(numbers)")
            try #require(ticks.count > 2 * rate, "\(numbers)")
            // A machine that stands still for more than a blank may let a picture come late, or not at all.
            let wrong = try wrongTimes(numbers, ticks, timescale, shown)
            #expect(wrong.count * 20 <= ticks.count, "\(wrong)")
            let blanks = numbers.compactMap { shown.all[$0]?.blank }
            let steps = zip(blanks, blanks.dropFirst()).map { $1 - $0 }
            let wanted: Set = rate == 30 ? [2] : [2, 3]
            let right = steps.filter(wanted.contains)
            #expect(Set(right) == wanted && right.count * 4 >= steps.count * 3, "\(steps)")
            // Twenty-five of sixty are two and three blanks apart as often as not: 2.4 in the mean.
            if rate == 25 { #expect(Double(right.reduce(0, +)) < 2.6 * Double(right.count), "\(steps)") }
            print(
                "whole recording at \(rate): \(right.count) of \(steps.count) steps are right, \(wrong.count) times wrong"
            )
        }

        @Test("of sixty pictures a second each is in the file once, in its order, at the time of its own flip")
        func flips() throws {
            let (numbers, ticks, timescale, shown) = try recordFlips([])
            // A machine that has other things to do may keep a picture from being seen, but none is seen twice.
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
            try #require(ticks.count > 60, "\(numbers)")
            let wrong = try wrongTimes(numbers, ticks, timescale, shown)
            // Where the machine stood still for more than a blank, the picture beside it may be a blank late.
            let alone = wrong.filter { number in
                numbers.contains(number.picture - 1) && numbers.contains(number.picture + 1)
            }
            #expect(alone.isEmpty && wrong.count * 20 <= ticks.count, "\(wrong)")
            let span = numbers[numbers.count - 1] - numbers[0] + 1
            #expect(numbers.count * 4 >= span * 3, "\(numbers.count) of \(span) pictures")
            print("whole recording: \(numbers.count) of \(span) pictures, \(timescale) ticks a second")
        }

        @Test(
            "where a driver tells of no blanks the pictures are right as well, their times rise, and the file is as long"
        )
        func withoutBlanks() throws {
            let path = "/tmp/blankless.mp4"
            defer { unlink(path) }
            try ScreenScene.plain.begin()
            let ending = try Board.run(
                "board-without-blanks", Kinebox.path, "record", "--video", "screen", "--audio", "none", "--encoder",
                "hardware", "--duration", "2", path)
            #expect(ending.exitCode == 0, "\(ending)")
            try Board.control("screen", "stop")
            let file = try RecordedFile(path)
            #expect(abs(file.picture - 2) < 0.25, "\(file.picture) s of 2")
            let recorded = try RecordedScreen(of: path, ScreenScene.plain.reference)
            #expect(recorded.wrong == 0 && recorded.numbers.count == file.pictures, "\(recorded)")
            // Without blanks the moment of reading is no flip's: the same picture may be seen twice, but none goes back.
            #expect(zip(recorded.numbers, recorded.numbers.dropFirst()).allSatisfy { $0 <= $1 }, "\(recorded)")
            #expect(Set(recorded.numbers).count > 30, "\(recorded)")
            let (ticks, _) = try samples(path)
            #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 }, "\(ticks)")
        }

        @Test("a screen that is turned while it is recorded goes on upright in a new part, right to the pixel in both")
        func turned() throws {
            try Board.control("sound", "play", "1000")
            try ScreenScene.plain.begin()
            let journey = try RecordingJourney(video: "screen:Virtual-1")
            try journey.goOn()
            for words in ScreenScene.quarter.commands { try Board.control(["screen"] + words) }
            try journey.waitFor("in a new part")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            try Board.control("screen", "stop")
            try #require(journey.files.count == 2, "\(ending)")
            let (width, height) = (ScreenScene.width, ScreenScene.height)
            let sizes = ["\(width)x\(height)", "\(height)x\(width)"]
            var last = -1
            for (path, (size, scene)) in zip(journey.files, zip(sizes, [ScreenScene.plain, .quarter])) {
                let file = try RecordedFile(path)
                #expect(file.size == size && abs(file.picture - file.sound) < 0.05, "\(file.picture), \(file.sound) s")
                let recorded = try RecordedScreen(of: path, scene.reference)
                let numbers = recorded.numbers
                #expect(recorded.wrong == 0 && numbers.count > 4, "\(recorded)")
                // Where the program that flips misses a blank, the same picture may be recorded again.
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }, "\(recorded)")
                #expect(numbers.first.map { $0 > last } == true, "\(recorded)")
                last = numbers.last ?? last
            }
        }

        @Test("while its plug is out the last picture is held, in the same file; then come those that are shown")
        func held() throws {
            try Board.control("sound", "play", "1000")
            try Board.control("screen", "show", "\(ScreenScene.width)x\(ScreenScene.height)")
            try Board.control("screen", "run", "10")
            let journey = try RecordingJourney(["--signal-loss", "hold"], video: "screen:Virtual-1")
            try Board.control("screen", "off")
            try journey.waitFor("goes on with the last picture")
            try journey.goOn(fragments: 3)
            try Board.control("screen", "on")
            try journey.waitFor("pictures come in again")
            // Each stays for longer than a fifteenth of a second.
            try Board.control("screen", "run", "10", "10")
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            try Board.control("screen", "stop")
            #expect(journey.files.count == 1)
            let file = try RecordedFile(journey.files[0])
            #expect(abs(file.picture - file.sound) < 0.05, "\(file.picture) s of pictures for \(file.sound) s of sound")
            let recorded = try RecordedScreen(of: journey.files[0], ScreenScene.plain.reference)
            #expect(recorded.wrong == 0, "no slate, no damage: \(recorded)")
            let numbers = recorded.numbers
            // One each second: the held picture is there for as long as the plug was out.
            #expect(numbers.filter { $0 == 10 }.count > 3, "\(recorded)")
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }, "\(recorded)")
            #expect(Set(numbers).isSuperset(of: [10, 19, 20]), "\(recorded)")
        }
    }
}
