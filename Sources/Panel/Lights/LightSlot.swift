import Glibc
import Linux
import Media

/// One place for a light, whether the light is there or not, and what it shows.
struct LightSlot {
    /// Which of the panel's lights it is.
    enum Role: Equatable {
        /// The recording light's part with these colours; a light of one colour stands for all of them.
        case recording(LightColor)
        case medium
    }

    let role: Role
    private let wiring: LightWiring
    private let percent: Int
    private var output: (any LightOutput)?
    private var shown: LightPattern?
    private var player: PatternPlayer?
    private var isLit = false
    /// Why the light cannot be set; nil while it can.
    private(set) var absence: Failure?

    /// Dark places for all lights of a panel.
    static func all(of configuration: LightConfiguration) -> [LightSlot] {
        let recording: [(Role, LightWiring)] =
            switch configuration.recording {
            case .none: []
            case .single(let wiring): [(.recording(.all), wiring)]
            case .colors(let red, let green, let blue):
                [(.recording(.red), red), (.recording(.green), green), (.recording(.blue), blue)]
            }
        let medium = configuration.medium.map { [(Role.medium, $0)] } ?? []
        return (recording + medium).map {
            LightSlot(role: $0.0, wiring: $0.1, percent: configuration.brightness)
        }
    }

    private init(role: Role, wiring: LightWiring, percent: Int) {
        self.role = role
        self.wiring = wiring
        self.percent = percent
    }

    /// Whether it blinks by our timer.
    var isPlaying: Bool { player != nil }

    /// What has to be done when this program has died.
    var lastWill: LastWill { output?.lastWill ?? LastWill() }

    /// Takes the light if it is not taken yet.
    /// - Parameter attempts: 1 or more, 20 ms apart, where another program has it: the guard of one that has died just now
    ///   gives it back within milliseconds; and where udev has not given us its files.
    /// - Returns: whether it was taken now.
    mutating func open(within attempts: Int) -> Bool {
        guard output == nil else { return false }
        for attempt in 1...attempts {
            do throws(Failure) {
                output = try make(patience: attempts)
                absence = nil
                return true
            } catch {
                absence = error
                guard error.cause == PanelFailure.taken, attempt < attempts else { break }
                usleep(20_000)
            }
        }
        return false
    }

    /// Shows a pattern, if it shows another one.
    mutating func show(_ pattern: LightPattern) throws(Failure) {
        guard pattern != shown else { return }
        guard let output else {
            if let absence { throw absence }
            return
        }
        do throws(Errno) {
            player = try output.show(pattern) ? nil : PatternPlayer(pattern, from: .now)
            isLit = pattern.level ?? false
            shown = pattern
        } catch {
            throw lose(error)
        }
    }

    /// Sets a light that blinks by our timer to what it has to be at a time.
    /// - Returns: when it changes next; nil for a light that does not, or not by our timer.
    mutating func step(to time: MonotonicTime) throws(Failure) -> MonotonicTime? {
        guard let player, let output else { return nil }
        let state = player.state(at: time)
        if state.until == nil { self.player = nil }
        do throws(Errno) {
            if state.isLit != isLit { try output.set(state.isLit) }
            isLit = state.isLit
            return state.until
        } catch {
            throw lose(error)
        }
    }

    /// Makes it dark and gives it back.
    mutating func close() {
        output?.giveBack()
        output = nil
        player = nil
        shown = nil
    }

    private mutating func lose(_ reason: Errno) -> Failure {
        let failure = PanelFailure.opening("\(wiring)", reason, group: "gpio")
        output = nil
        player = nil
        shown = nil
        absence = failure
        return failure
    }

    private func make(patience: Int) throws(Failure) -> any LightOutput {
        switch wiring {
        case .led(let name):
            let isRed = if case .recording(let part) = role { part.contains(.red) } else { false }
            let afterDeath = isRed ? LightGrammar.abandoned : .dark
            return try LEDLight(name, percent: percent, afterDeath: afterDeath, patience: patience)
        case .line(let address, let isActiveLow):
            return try LineLight(address, isActiveLow: isActiveLow)
        }
    }
}
