import Media

/// What the lights look like. `docs/panel.md` has the same as a label for a box.
public enum LightGrammar {
    /// The recording light.
    ///
    /// One rule stands above all others: it is steady only while what is seen is on the medium.
    public static func pattern(of signal: LightSignal) -> LightPattern {
        switch signal {
        case .idle: .dark
        case .arming: .blinking(on: 100, off: 100)
        case .safe: .steady
        case .safeWithWarning: .blinking(on: 2900, off: 100)
        case .unsaved: .blinking(on: 167, off: 167)
        case .paused: .blinking(on: 1000, off: 1000)
        case .pending: .flashes(2, on: 150, off: 150, pause: 1050)
        case .finalising: .blinking(on: 500, off: 500)
        case .failed(let blinks): .flashes(blinks, on: 250, off: 250, pause: 1500)
        }
    }

    /// The colour that a light with three colours has for the recording. Steady red is for what is safe, as with one colour.
    public static func color(of signal: LightSignal) -> LightColor {
        switch signal {
        case .idle, .arming, .safe, .safeWithWarning, .unsaved, .finalising, .failed: .red
        case .paused: .yellow
        case .pending: .blue
        }
    }

    /// The medium's light, where there is one.
    public static func pattern(ofMedium signal: MediumSignal) -> LightPattern {
        switch signal {
        case .absent: .dark
        case .checking: .blinking(on: 500, off: 500)
        case .ready: .steady
        case .inUse: .blinking(on: 1000, off: 1000)
        case .failed(let blinks): .flashes(blinks, on: 250, off: 250, pause: 1500)
        }
    }

    /// What the recording light shows, in all its colours, when somebody asks which box this is: long, short, short, for
    /// 10.8 s.
    static let identification = LightPattern(byTurns: [600, 150, 150, 150, 150, 600], repeats: 6)

    /// What the recording light shows when nobody is left to set it: 6 blinks, an internal failure. It begins with the pause,
    /// so that the light is dark at once.
    static let abandoned = LightPattern.flashes(
        FailureKind.internalFault.blinks ?? 6, on: 250, off: 250, pause: 1500
    ).beginningDark
}
