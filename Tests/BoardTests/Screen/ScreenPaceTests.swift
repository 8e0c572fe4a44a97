import Testing

extension BoardTests {
    @Suite("Pace of the board's own screen")
    struct ScreenPaceTests {
        /// Three readers beside the program that flips, for so many pictures.
        private func run(_ count: Int, _ rates: [Int]) throws -> [NumberedRun] {
            try Board.control("screen", "show", "320x240")
            let runs = try rates.map { try NumberedRun($0) }
            try Board.control("screen", "begin", "\(count)")
            let isWhole = try NumberedRun.go(runs, atMost: count / 20 + 30) {
                runs.allSatisfy { ($0.numbers.last ?? 0) + 60 / rates.min()! >= count }
            }
            try Board.control("screen", "wait")
            try Board.control("screen", "stop")
            #expect(isWhole, "\(runs.map { $0.numbers.last ?? 0 }) of \(count)")
            return runs
        }

        @Test("at 60, 30 and 25 a second each picture is whole, is one that was shown, comes once and in its order")
        func pace() throws {
            let rates = [60, 30, 25]
            let runs = try run(600, rates)
            for (run, rate) in zip(runs, rates) {
                #expect(run.taken.count > 20, "at \(rate)")
                #expect(run.doubled.isEmpty, "at \(rate): none comes twice: \(run.doubled)")
                #expect(run.taken.allSatisfy { $0.isShown }, "at \(rate): none is copied")
                #expect(zip(run.numbers, run.numbers.dropFirst()).allSatisfy { $0 < $1 }, "at \(rate)")
            }
        }
    }
}
