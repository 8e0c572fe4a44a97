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

    /// The same pattern, shown so often and then dark.
    func repeated(_ times: Int?) -> LightPattern { LightPattern(steps, repeats: times) }
}
