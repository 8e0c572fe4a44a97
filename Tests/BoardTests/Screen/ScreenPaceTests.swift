import Testing

extension BoardTests {
    @Suite("Pace of the board's own screen")
    struct ScreenPaceTests {
        /// A busy machine below may keep the program that flips from a blank, or us from a look: then there is another
        /// try. What is seen has to be right in each.
        private func run(_ count: Int, _ rates: [Int]) throws -> (runs: [NumberedRun], flips: ShownFlips) {
            try Board.control("screen", "show", "320x240")
            let runs = try rates.map { try NumberedRun($0) }
            try Board.control("screen", "begin", "\(count)")
            let isWhole = try NumberedRun.go(runs, atMost: count / 20 + 30) {
                runs.allSatisfy { ($0.numbers.last ?? 0) + 60 / rates.min()! >= count }
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
            var best = false
            for _ in 0..<3 where !best {
                let (runs, flips) = try run(3600, rates)
                for (run, rate) in zip(runs, rates) {
                    let wrong = flips.wrongTimes(of: run)
                    #expect(wrong.isEmpty, "at \(rate): \(wrong.count) of \(run.taken.count): \(wrong.prefix(5))")
                    #expect(run.doubled.isEmpty, "at \(rate): none comes twice: \(run.doubled)")
                    #expect(run.taken.allSatisfy { $0.isShown }, "none is copied")
                }
                let steps = runs.map { flips.steps(of: $0) }
                print(
                    "missed by who flips: \(flips.missedBlanks);",
                    zip(rates, steps).map { "at \($0): \($1.count) pictures, steps \(Self.counts($1))" })
                best =
                    flips.missedBlanks == 0 && steps[0].allSatisfy { $0 == 1 } && steps[1].allSatisfy { $0 == 2 }
                    && steps[2].allSatisfy { $0 == 2 || $0 == 3 } && runs[0].numbers.count == 3600
            }
            #expect(best, "a run in which each display frame was seen")
        }

        private static func counts(_ steps: [Int]) -> [Int: Int] {
            steps.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }
}
