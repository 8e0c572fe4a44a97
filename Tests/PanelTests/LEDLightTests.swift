import Glibc
import Linux
import Media
import Testing

@testable import Panel

@Suite("Lights of the kernel")
struct LEDLightTests {
    /// A light as the kernel shows it, in ordinary files. Where it has patterns, so has its folder their files.
    private func led(
        triggers: String, full: Int = 1, percent: Int = 100, afterDeath: LightPattern = .dark,
        in folder: TemporaryFolder
    ) throws -> LEDLight {
        try folder.write("red:record/brightness", "")
        try folder.write("red:record/max_brightness", "\(full)\n")
        try folder.write("red:record/trigger", triggers)
        if triggers.contains("pattern") {
            try folder.write("red:record/pattern", "")
            try folder.write("red:record/repeat", "")
        }
        return try LEDLight("red:record", percent: percent, afterDeath: afterDeath, root: folder.path)
    }

    private func names(_ writes: [LastWill.Write]?) -> [String]? {
        writes?.map { "\($0.path.split(separator: "/").last ?? "") = \($0.text)" }
    }

    private let allTriggers = "none timer oneshot [heartbeat] pattern\n"

    @Test("the kernel's patterns show everything, with hard edges, and what stands still as well")
    func pattern() throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: allTriggers, full: 255, in: folder)
        #expect(folder.text("red:record/trigger")?.hasPrefix("pattern") == true)
        #expect(folder.text("red:record/pattern")?.hasPrefix("0 3600000 0 0") == true)
        #expect(names(light.inPatterns(.steady)) == ["pattern = 255 3600000 255 0"])
        #expect(names(light.inPatterns(.blinking(on: 2900, off: 100))) == ["pattern = 255 2900 255 0 0 100 0 0"])
    }

    @Test("a count is written behind its pattern, and taken back behind the next one")
    func counts() throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: allTriggers, in: folder)
        let thrice = LightPattern.flashes(1, on: 250, off: 250, pause: 1500, repeats: 3)
        #expect(names(light.inPatterns(thrice)) == ["pattern = 1 250 1 0 0 1500 0 0", "repeat = 3"])
        #expect(try light.show(thrice))
        #expect(names(light.inPatterns(.steady)) == ["pattern = 1 3600000 1 0", "repeat = -1"])
        #expect(try light.show(.steady))
        #expect(names(light.inPatterns(.dark)) == ["pattern = 0 3600000 0 0"])
    }

    @Test("a light is dimmed, but never so far that it is dark", arguments: [(255, 50, 127), (255, 1, 2), (1, 10, 1)])
    func dimmed(full: Int, percent: Int, level: Int) throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: allTriggers, full: full, percent: percent, in: folder)
        #expect(names(light.still(true))?.last == "brightness = \(level)")
        #expect(names(light.inPatterns(.steady)) == ["pattern = \(level) 3600000 \(level) 0"])
    }

    @Test("where there are no patterns the kernel's timer does what it can, and our own the rest")
    func timer() throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: "[none] timer\n", in: folder)
        try folder.write("red:record/delay_on", "")
        try folder.write("red:record/delay_off", "")
        #expect(try light.show(.blinking(on: 100, off: 300)))
        #expect(folder.text("red:record/delay_on") == "100" && folder.text("red:record/delay_off") == "300")
        #expect(try light.show(.steady))
        #expect(folder.text("red:record/brightness") == "1")
        #expect(try !light.show(.flashes(2, on: 150, off: 150, pause: 1050)))
        #expect(folder.text("red:record/brightness") == "0")
        try light.set(true)
        #expect(folder.text("red:record/brightness") == "1")
    }

    @Test("where this user may write no trigger's files our own timer does all of it")
    func refused() throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: "[none] timer\n", in: folder)
        // The files that the trigger would bring are missing.
        #expect(try !light.show(.blinking(on: 100, off: 100)))
        #expect(folder.text("red:record/trigger")?.hasPrefix("none") == true)
        #expect(try light.show(.steady))
    }

    @Test("the last will: six blinks that begin with the dark, and dark where the kernel has no patterns")
    func will() throws {
        let folder = try TemporaryFolder()
        let light = try led(triggers: allTriggers, afterDeath: LightGrammar.abandoned, in: folder)
        let blink = "0 250 0 0 1 250 1 0"
        let expected = ["0 1500 0 0", "1 250 1 0"] + Array(repeating: blink, count: 5)
        #expect(names(light.lastWill.writes) == ["pattern = \(expected.joined(separator: " "))", "repeat = -1"])
        #expect(light.lastWill.locks.count == 1 && light.lastWill.lines.isEmpty)
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
            first.giveBack()
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
