/// When between two vertical blanks the program that draws puts its pictures up, and so when they are best looked at.
///
/// The kernel tells which framebuffer was put up last. It is on the screen from the next blank on. So what is there right
/// before a blank is what that blank shows, and one look is taken then. But a program that answers each blank at once with
/// the next picture leaves a reader that is late none to see of the blank that has been: there the picture is read in the
/// middle of the period as well, and the look before the blank tells whether that still holds.
struct FlipHabit: Equatable {
    /// More of what prompt programs do, or more of what others do: changes are counted up and down to `most`.
    private var score = 0
    private var hasEvidence = false
    /// Blanks for which two looks are taken since one was late.
    private var care = 0

    private static let most = 8
    /// Blanks for which one that is late is remembered.
    private static let memory = 60

    /// Whether pictures are put up right behind a blank.
    var isPrompt: Bool { score > 0 }

    /// Whether pictures are put up in the second half of the period.
    var isLate: Bool { score < 0 }

    /// Whether a picture is read in the middle of the period already.
    var looksTwice: Bool { care > 0 || hasEvidence && score > -Self.most }

    /// How long before a blank the only look or the first one is taken, in nanoseconds.
    func firstLead(_ period: Int64) -> Int64 { looksTwice ? period / 2 : Self.lastLead(period) }

    /// How long before a blank the last look is taken, in nanoseconds.
    static func lastLead(_ period: Int64) -> Int64 { min(max(period / 16, 1_000_000), period / 2) }

    /// When another picture was put up, as far as looks tell.
    enum Change {
        /// Between the middle of the period and the last look.
        case between
        /// Between the last look and the moment at which the blank was told of.
        case behind
    }

    /// Takes over what was seen around a blank, if anything.
    mutating func note(_ change: Change?) {
        if care > 0 { care -= 1 }
        guard let change else { return }
        hasEvidence = true
        score = change == .between ? max(score - 1, -Self.most) : min(score + 1, Self.most)
    }

    /// A look came too late.
    mutating func noteLateness() { care = Self.memory }
}
