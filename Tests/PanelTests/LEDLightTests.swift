import Glibc
import Linux
import Media
import Testing

@testable import Panel

@Suite("Lights of the kernel")
struct LEDLightTests {
    private func led(
        triggers: String, full: Int = 1, percent: Int = 100, afterDeath: LightPattern = .dark,
        in folder: TemporaryFolder
    ) throws -> LEDLight {
        try folder.write("red:record/brightness", "0\n")
        try folder.write("red:record/max_brightness", "\(full)\n")
        try folder.write("red:record/trigger", triggers)
        return try LEDLight("red:record", percent: percent, afterDeath: afterDeath, root: folder.path)
    }

    private func names(_ writes: [LastWill.Write]?) -> [String]? {
        writes?.map { "\($0.path.split(separator: "/").last ?? "") = \($0.text)" }
    }

    private let allTriggers = "none timer oneshot [heartbeat] pattern\n"

    @Test("a steady light needs no trigger")
    func steady() throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: allTriggers, full: 255, in: folder)
        #expect(names(light.writes(for: .steady)) == ["trigger = none", "brightness = 255"])
        #expect(names(light.writes(for: .dark)) == ["trigger = none", "brightness = 0"])
    }

    @Test("a light is dimmed, but never so far that it is dark", arguments: [(255, 50, 127), (255, 1, 2), (1, 10, 1)])
    func dimmed(full: Int, percent: Int, level: Int) throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: allTriggers, full: full, percent: percent, in: folder)
        #expect(names(light.writes(for: .steady))?.last == "brightness = \(level)")
    }

    @Test("the kernel's patterns blink, with hard edges, and as often as is wanted")
    func pattern() throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: allTriggers, in: folder)
        #expect(
            names(light.writes(for: .blinking(on: 2900, off: 100)))
                == ["trigger = none", "trigger = pattern", "pattern = 1 2900 1 0 0 100 0 0"])
        #expect(
            names(light.writes(for: .flashes(1, on: 250, off: 250, pause: 1500, repeats: 3)))
                == ["trigger = none", "trigger = pattern", "repeat = 3", "pattern = 1 250 1 0 0 1500 0 0"])
    }

    @Test("where there are no patterns the kernel's timer does what it can, and nothing does what it cannot")
    func timer() throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: "[none] timer\n", in: folder)
        #expect(
            names(light.writes(for: .blinking(on: 100, off: 100)))
                == ["trigger = none", "trigger = timer", "delay_on = 100", "delay_off = 100"])
        #expect(light.writes(for: .flashes(2, on: 150, off: 150, pause: 1050)) == nil)
        #expect(light.writes(for: .flashes(1, on: 250, off: 250, pause: 1500, repeats: 3)) == nil)
        let bare = try led(triggers: "[none]\n", in: TemporaryFolder())
        #expect(bare.writes(for: .blinking(on: 100, off: 100)) == nil)
    }

    @Test("the last will is dark first, then six blinks where the kernel can")
    func will() throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: allTriggers, afterDeath: LightGrammar.abandoned, in: folder)
        let will = light.lastWill
        #expect(names(will.writes)?.prefix(2) == ["trigger = none", "brightness = 0"])
        #expect(names(will.writes)?.dropFirst(2) == names(light.writes(for: LightGrammar.abandoned)).map { $0[...] })
        #expect(will.locks.count == 1 && will.lines.isEmpty)
        let bare = try led(triggers: "[none]\n", afterDeath: LightGrammar.abandoned, in: TemporaryFolder())
        #expect(names(bare.lastWill.writes) == ["trigger = none", "brightness = 0"])
    }

    @Test("a light is one program's, and free again afterwards")
    func taken() throws {
        let folder = try TemporaryFolder()
        do {
            let first = try led(triggers: allTriggers, in: folder)
            #expect(throws: Failure.self) {
                try LEDLight("red:record", percent: 100, afterDeath: .dark, root: folder.path)
            }
            #expect(first.writes(for: .dark) != nil)
        }
        _ = try LEDLight("red:record", percent: 100, afterDeath: .dark, root: folder.path)
    }

    @Test("a light that is not there is named")
    func absent() throws {
        let folder = try TemporaryFolder()
        let failure = #expect(throws: Failure.self) {
            try LEDLight("green:none", percent: 100, afterDeath: .dark, root: folder.path)
        }
        #expect("\(try #require(failure))".contains("green:none"))
    }
}
