/// What counts as a press of a button, and what as a hold. A value: `PressRecogniser` reads contacts by it.
public struct PressGrammar: Hashable, Sendable {
    /// The holds that are told, in nanoseconds, the shortest first, each more than 0.
    public var holds: [Int64]
    /// A press within so many nanoseconds of letting go is the trembling of a hand, and nothing is told of it; 0 for none.
    public var rest: Int64
    /// A contact that is closed for so many nanoseconds, and longer than each hold, is stuck, or its wire is.
    public var stuck: Int64

    public init(holds: [Int64] = usualHolds, rest: Int64 = usualRest, stuck: Int64 = usualStuck) {
        self.holds = holds.filter { $0 > 0 }.sorted()
        self.rest = rest
        self.stuck = max(stuck, self.holds.last ?? 0)
    }

    /// 1 s, which stops where a press marks, and 5 s, which ejects.
    public static let usualHolds: [Int64] = [1_000_000_000, 5_000_000_000]
    /// 0.2 s.
    public static let usualRest: Int64 = 200_000_000
    /// 30 s.
    public static let usualStuck: Int64 = 30_000_000_000
}
