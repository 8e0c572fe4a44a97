/// What a person may have meant by a word that is none.
enum Suggestion {
    /// The known word that is nearest to a wrong one, when it is near enough to have been meant.
    static func nearest(_ word: String, among known: [String]) -> String? {
        let wrong = word.lowercased()
        let pairs = known.map { (word: $0, distance: distance($0.lowercased(), wrong)) }
        guard let nearest = pairs.min(by: { $0.distance < $1.distance }) else { return nil }
        // Up to half of the letters: "vidoe" may be "video", and "x" is nothing.
        return nearest.distance <= max(1, min(3, nearest.word.count / 2)) ? nearest.word : nil
    }

    /// "Did you mean hardware? Use one of auto, hardware, software."
    static func mend(_ word: String, among known: [String]) -> String {
        let list = "Use one of \(known.joined(separator: ", "))."
        return nearest(word, among: known).map { "Did you mean \($0)? \(list)" } ?? list
    }
}

/// The number of letters to put in, take out, change or swap with the next to make one word of another (optimal string
/// alignment): "lde" is as near to "led" as "les".
func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var before: [Int] = []
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
        var next = [index + 1]
        for (column, other) in second.enumerated() {
            var least = min(row[column + 1] + 1, next[column] + 1, row[column] + (letter == other ? 0 : 1))
            if index > 0, column > 0, letter == second[column - 1], first[index - 1] == other {
                least = min(least, before[column - 1] + 1)
            }
            next.append(least)
        }
        (before, row) = (row, next)
    }
    return row[second.count]
}
