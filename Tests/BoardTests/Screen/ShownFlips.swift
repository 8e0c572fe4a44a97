import Media
import Testing

/// What the program that shows the pictures noted of its flips: from which blank on each picture was seen.
struct ShownFlips {
    /// The blank's number and its time, in microseconds as a flip's event has it, for each picture's number.
    private(set) var all: [Int: (blank: Int, microseconds: Int64)] = [:]

    /// Reads what was noted until now.
    init() throws {
        for line in try Board.control("screen", "flips") {
            let words = line.split(separator: " ").compactMap { Int($0) }
            try #require(words.count == 3, "\(line)")
            all[words[0]] = (words[1], Int64(words[2] / 1000))
        }
    }

    /// Blanks at which no new picture was shown.
    var missedBlanks: Int {
        let blanks = all.values.map(\.blank).sorted()
        return zip(blanks, blanks.dropFirst()).map { $1 - $0 - 1 }.reduce(0, +)
    }

    /// What of a source's pictures has another time than the display's, told for a person.
    func wrongTimes(of run: NumberedRun) -> [String] {
        run.changed.compactMap { picture in
            guard let number = picture.number, let flip = all[Int(number)] else { return nil }
            return flip.microseconds == picture.time.nanoseconds / 1000
                ? nil : "\(number): \(picture.time.nanoseconds / 1000) for \(flip.microseconds)"
        }
    }

    /// How many blanks later than the one before it each picture of a source was shown.
    func steps(of run: NumberedRun) -> [Int] {
        let blanks = run.numbers.compactMap { all[$0]?.blank }
        return zip(blanks, blanks.dropFirst()).map { $1 - $0 }
    }
}
