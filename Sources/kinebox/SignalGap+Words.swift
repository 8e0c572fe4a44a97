import Media
import Recorder

extension SignalGap {
    /// Lines for a person: each gap, or of very many the first ones and how many there were in all.
    static func words(_ gaps: [SignalGap]) -> [String] {
        var lines = gaps.prefix(most).map {
            "no picture from \(Wording.moment($0.start)) to \(Wording.moment($0.end)): \($0.state.words)"
        }
        if gaps.count > most {
            let sum = gaps.reduce(0) { $0 + $1.end - $1.start }
            lines.append("\(gaps.count) gaps in all, \(Wording.duration(nanoseconds: sum)) together")
        }
        return lines
    }

    private static let most = 20
}
