import Linux
import Media
import Testing

@testable import Panel

@Suite("What lights look like")
struct LightPatternTests {
    private static let signals: [LightSignal] =
        [.idle, .arming, .safe, .safeWithWarning, .unsaved, .paused, .pending, .finalising]
        + (1...6).map { .failed(blinks: $0) }

    /// What a light does in some seconds of a pattern: milliseconds on and off by turns.
    private func played(_ pattern: LightPattern, seconds: Int64) -> [Int] {
        let player = PatternPlayer(pattern, from: MonotonicTime(nanoseconds: 0))
        var now = MonotonicTime(nanoseconds: 0)
        var lengths: [Int] = []
        while let end = player.state(at: now).until, end.nanoseconds <= seconds * 1_000_000_000 {
            lengths.append(Int(end - now) / 1_000_000 * (player.state(at: now).isLit ? 1 : -1))
            now = end
        }
        return lengths
    }

    @Test("each signal looks as the label says")
    func label() {
        #expect(LightGrammar.pattern(of: .idle).level == false)
        #expect(LightGrammar.pattern(of: .safe).level == true)
        #expect(
            played(LightGrammar.pattern(of: .arming), seconds: 1) == [
                100, -100, 100, -100, 100, -100, 100, -100, 100, -100,
            ])
        #expect(played(LightGrammar.pattern(of: .safeWithWarning), seconds: 6) == [2900, -100, 2900, -100])
        #expect(played(LightGrammar.pattern(of: .unsaved), seconds: 1).count == 5)
        #expect(played(LightGrammar.pattern(of: .paused), seconds: 4) == [1000, -1000, 1000, -1000])
        #expect(
            played(LightGrammar.pattern(of: .pending), seconds: 3) == [150, -150, 150, -1050, 150, -150, 150, -1050])
        #expect(played(LightGrammar.pattern(of: .finalising), seconds: 2) == [500, -500, 500, -500])
        #expect(played(LightGrammar.pattern(of: .failed(blinks: 1)), seconds: 2) == [250, -1500, 250])
        #expect(
            played(LightGrammar.pattern(of: .failed(blinks: 3)), seconds: 3) == [250, -250, 250, -250, 250, -1500, 250])
    }

    @Test("only what is safe is steady, and no two signals look alike")
    func distinct() {
        let patterns = Self.signals.map { LightGrammar.pattern(of: $0) }
        #expect(Set(patterns).count == patterns.count)
        #expect(Self.signals.filter { LightGrammar.pattern(of: $0).level == true } == [.safe])
        // With three colours as well, red is steady for nothing else.
        #expect(Self.signals.allSatisfy { !LightGrammar.color(of: $0).isEmpty })
        #expect(LightGrammar.color(of: .safe) == .red)
    }

    @Test("what the kernel's patterns take: no step is shorter than 50 ms, and those that end leave the light dark")
    func kernel() {
        let media: [MediumSignal] = [.absent, .checking, .ready, .inUse, .failed(blinks: 5)]
        let patterns =
            Self.signals.map { LightGrammar.pattern(of: $0) } + media.map { LightGrammar.pattern(ofMedium: $0) }
        for pattern in patterns where pattern.level == nil {
            #expect(pattern.steps.allSatisfy { $0.milliseconds >= 50 })
            #expect(pattern.steps.last?.isLit == false)
        }
    }

    @Test("a pattern that is shown some times is dark afterwards, and needs no timer any more")
    func repeats() {
        let pattern = LightPattern.flashes(2, on: 250, off: 250, pause: 1500, repeats: 2)
        #expect(played(pattern, seconds: 60) == [250, -250, 250, -1500, 250, -250, 250, -1500])
        let player = PatternPlayer(pattern, from: MonotonicTime(nanoseconds: 0))
        let after = player.state(at: MonotonicTime(nanoseconds: 4_500_000_000))
        #expect(!after.isLit && after.until == nil)
    }

    @Test("a wake-up that comes late makes nothing late that follows")
    func late() {
        let start = MonotonicTime(nanoseconds: 5)
        let player = PatternPlayer(.blinking(on: 500, off: 500), from: start)
        let state = player.state(at: start + 1_234_000_000)
        #expect(state.isLit)
        #expect(state.until == start + 1_500_000_000)
    }
}
