/// When between two vertical blanks the program that draws puts its pictures up, and so when they are best read.
///
/// The kernel tells which framebuffer was committed last. It is on the screen from the next blank on. So what is committed
/// right before a blank is what that blank shows, and a reader looks then. A program that answers each blank at once with
/// the next picture leaves the whole period for it, and a reader that is late is given a picture too many: there it looks in
/// the middle of the period. The two are told apart by what happens between the look and the blank.
struct FlipHabit: Equatable {
    /// Whether pictures are put up right behind a blank.
    private(set) var isPrompt = false
    /// Changes in a row that came between the middle of the period and the blank.
    private var lateChanges = 0
    private var hadFlipped = false

    /// How many late changes make a program that was prompt be looked at closely again.
    private static let patience = 4

    /// How long before a blank its picture is read, in nanoseconds.
    func lead(_ period: Int64) -> Int64 {
        isPrompt ? period / 2 : min(max(period / 16, 1_000_000), period / 2)
    }

    /// Takes over what was seen around a blank.
    /// - Parameters:
    ///   - hasFlipped: another picture was put up between the look and the blank, or right behind that.
    ///   - hasChanged: the look found another picture than the one before it.
    mutating func note(hasFlipped: Bool, hasChanged: Bool) {
        let wasEarly = hasChanged && !hadFlipped
        hadFlipped = hasFlipped
        if !isPrompt {
            isPrompt = hasFlipped
            lateChanges = 0
        } else if hasFlipped {
            lateChanges += 1
            if lateChanges == Self.patience { (isPrompt, lateChanges) = (false, 0) }
        } else if wasEarly {
            lateChanges = 0
        }
    }
}
