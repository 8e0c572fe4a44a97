import Linux
import Testing

@testable import Recorder

@Suite("What a person should look at while it records")
struct TakeWarningsTests {
    private func look(
        _ second: Int64, lost: Int64 = 0, loud: Int64? = nil, free: Int64? = nil, bytes: Int64 = 0
    ) -> TakeWarnings.Look {
        TakeWarnings.Look(
            time: MonotonicTime(nanoseconds: second * 1_000_000_000), lostFrames: lost,
            lastLoud: loud.map { MonotonicTime(nanoseconds: $0 * 1_000_000_000) }, roomByteCount: free,
            byteCount: bytes, nanoseconds: second * 1_000_000_000)
    }

    private func told(_ warnings: inout TakeWarnings, _ look: TakeWarnings.Look) -> [String] {
        warnings.take(look).map { "\($0.0) \($0.isOn)" }
    }

    @Test("lost pictures are told of, and for ten seconds after the last one")
    func drops() {
        var warnings = TakeWarnings()
        #expect(told(&warnings, look(1)).isEmpty)
        #expect(told(&warnings, look(2, lost: 1)) == ["drops true"])
        #expect(told(&warnings, look(9, lost: 2)).isEmpty)
        #expect(told(&warnings, look(18, lost: 2)).isEmpty)
        #expect(told(&warnings, look(20, lost: 2)) == ["drops false"])
    }

    @Test("silence is told of after ten seconds, where there is sound at all")
    func silence() {
        var warnings = TakeWarnings()
        #expect(told(&warnings, look(30)).isEmpty)
        #expect(told(&warnings, look(40, loud: 35)).isEmpty)
        #expect(told(&warnings, look(46, loud: 35)) == ["silence true"])
        #expect(told(&warnings, look(47, loud: 47)) == ["silence false"])
    }

    @Test("ten minutes of room are told of by the rate so far")
    func space() {
        var warnings = TakeWarnings()
        // A megabyte a second: 600 MB are ten minutes.
        #expect(told(&warnings, look(2, free: 1_000_000, bytes: 2_000_000)).isEmpty, "too early to tell")
        #expect(told(&warnings, look(10, free: 601_000_000, bytes: 10_000_000)).isEmpty)
        #expect(told(&warnings, look(20, free: 599_000_000, bytes: 20_000_000)) == ["space true"])
        #expect(warnings.isOn == [.space])
        #expect(told(&warnings, look(30, free: 900_000_000, bytes: 30_000_000)) == ["space false"])
    }

    @Test("it is looked at once a second")
    func interval() {
        var warnings = TakeWarnings()
        #expect(warnings.isDue(at: MonotonicTime(nanoseconds: 0)))
        _ = warnings.take(look(1))
        #expect(!warnings.isDue(at: MonotonicTime(nanoseconds: 1_900_000_000)))
        #expect(warnings.isDue(at: MonotonicTime(nanoseconds: 2_000_000_000)))
    }
}
