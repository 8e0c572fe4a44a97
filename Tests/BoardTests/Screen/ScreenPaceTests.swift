import Testing

extension BoardTests {
    @Suite("Pace of the board's own screen")
    struct ScreenPaceTests {
        /// Three readers beside the program that flips, until each has seen so many of its pictures, but for the first two
        /// or three that may be shown before all are there.
        private func run(_ count: Int, _ rates: [Int]) throws -> (runs: [NumberedRun], flips: ShownFlips) {
            try Board.control("screen", "show", "320x240")
            let runs = try rates.map { try NumberedRun($0) }
            try Board.control("screen", "begin", "\(count + 10)")
            let isWhole = try NumberedRun.go(runs, atMost: count / 20 + 30) {
                runs.allSatisfy { ($0.numbers.last ?? 0) >= count }
            }
            try Board.control("screen", "wait")
            let flips = try ShownFlips()
            try Board.control("screen", "stop")
            #expect(isWhole, "\(runs.map { $0.numbers.last ?? 0 }) of \(count)")
            return (runs, flips)
        }

        @Test("at 60, 30 and 25 a second, pictures have the display's own times; of 3600 none is lost and none doubled")
        func pace() throws {
            let rates = [60, 30, 25]
            // How many blanks after the one before it a picture may be shown, where no wanted one is left out.
            let wanted: [Set<Int>] = [[1], [2], [2, 3]]
            var best = false
            // The board's one processor is a thread of a machine that has other things to do: while it stands still, who
            // flips misses a blank as well. Then there is another try, in which a picture beside such a blank may have another
            // one's time.
            for attempt in 1...3 where !best {
                let (runs, flips) = try run(3605, rates)
                for (run, rate) in zip(runs, rates) {
                    #expect(run.doubled.isEmpty, "at \(rate): none comes twice: \(run.doubled)")
                    #expect(run.taken.allSatisfy { $0.isShown }, "at \(rate): none is copied")
                }
                let steps = runs.map { flips.steps(of: $0) }
                let wrong = runs.flatMap { flips.wrongTimes(of: $0) }
                #expect(wrong.count <= flips.missedBlanks, "\(wrong)")
                best =
                    flips.missedBlanks == 0 && wrong.isEmpty && zip(steps, wanted).allSatisfy { $1.isSuperset(of: $0) }
                    && runs[0].numbers.count >= 3600
                print(
                    "pace, attempt \(attempt): blanks missed by who flips: \(flips.missedBlanks); wrong times:", wrong,
                    zip(rates, steps).map { "at \($0): \($1.count + 1) pictures, steps \(Self.counts($1))" })
            }
            #expect(best, "a run in which each display frame was seen, at its own time")
        }

        private static func counts(_ steps: [Int]) -> [Int: Int] {
            steps.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }
}
