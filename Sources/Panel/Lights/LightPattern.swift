/// What a light does: on and off for so long, again and again. A value.
public struct LightPattern: Hashable, Sendable {
    /// On or off for a time.
    public struct Step: Hashable, Sendable {
        public var isLit: Bool
        /// 50 or more, since the kernel's own patterns take no less.
        public var milliseconds: Int
    }

    /// One step for a light that stays as it is; else several, whose last one is dark if the pattern ends.
    public let steps: [Step]
    /// How often it is shown, the light being dark afterwards; nil for ever.
    public let repeats: Int?

    private init(_ steps: [Step], repeats: Int?) {
        self.steps = steps
        self.repeats = repeats
    }

    /// On and off by turns, beginning with on, and ending with off.
    /// - Parameters:
    ///   - milliseconds: 50 or more each.
    ///   - repeats: how often; nil for ever.
    init(byTurns milliseconds: [Int], repeats: Int?) {
        steps = milliseconds.enumerated().map { Step(isLit: $0.offset % 2 == 0, milliseconds: $0.element) }
        self.repeats = repeats
    }

    /// How long it is shown, in nanoseconds; nil for ever.
    var length: Int64? {
        repeats.map { Int64($0) * steps.reduce(0) { $0 + Int64($1.milliseconds) } * 1_000_000 }
    }

    public static let dark = LightPattern([Step(isLit: false, milliseconds: 1000)], repeats: nil)
    public static let steady = LightPattern([Step(isLit: true, milliseconds: 1000)], repeats: nil)

    /// On and off, for ever.
    /// - Parameters: milliseconds, 50 or more.
    public static func blinking(on: Int, off: Int) -> LightPattern {
        LightPattern([Step(isLit: true, milliseconds: on), Step(isLit: false, milliseconds: off)], repeats: nil)
    }

    /// Flashes, then a pause.
    /// - Parameters:
    ///   - count: flashes, 1 or more.
    ///   - on: milliseconds of each, 50 or more.
    ///   - off: milliseconds between two.
    ///   - pause: milliseconds after the last.
    ///   - repeats: how often; nil for ever.
    public static func flashes(_ count: Int, on: Int, off: Int, pause: Int, repeats: Int? = nil) -> LightPattern {
        var steps: [Step] = []
        for flash in 1...max(count, 1) {
            steps.append(Step(isLit: true, milliseconds: on))
            steps.append(Step(isLit: false, milliseconds: flash < count ? off : pause))
        }
        return LightPattern(steps, repeats: repeats)
    }

    /// The level of a light that stays as it is; nil for one that changes.
    public var level: Bool? { steps.count == 1 ? steps[0].isLit : nil }

    /// The same pattern, beginning with its last step.
    var beginningDark: LightPattern { LightPattern(steps.suffix(1) + steps.dropLast(), repeats: repeats) }

    /// The same pattern, shown so often and then dark.
    func repeated(_ times: Int?) -> LightPattern { LightPattern(steps, repeats: times) }
}
