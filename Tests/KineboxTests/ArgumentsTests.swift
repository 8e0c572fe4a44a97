import Media
import Recorder
import Testing

@testable import kinebox

@Suite("What a person types")
struct ArgumentsTests {
    private func parse(_ arguments: String...) throws(Failure) -> RecordArguments {
        try RecordArguments(Options(arguments, of: "record", declared: RecordArguments.declared))
    }

    private func refusal(_ arguments: [String]) -> Failure? {
        do throws(Failure) {
            _ = try RecordArguments(Options(arguments, of: "record", declared: RecordArguments.declared))
            return nil
        } catch {
            return error
        }
    }

    @Test("a value stands behind its option or behind an equals sign")
    func bothForms() throws {
        let apart = try parse("--video", "test", "--size", "640x480", "a.mp4")
        #expect(try parse("--size=640x480", "a.mp4", "--video=test") == apart)
        #expect(apart.video == .testPattern)
        #expect(apart.size == RecordArguments.Size(width: 640, height: 480))
        #expect(apart.output == "a.mp4")
    }

    @Test("defaults: automatic sources, splits at 4 GB and 30 minutes, no end")
    func defaults() throws {
        let arguments = try parse("folder")
        #expect(arguments.video == .automatic)
        #expect(arguments.audio == [.automatic])
        #expect(arguments.splits == SplitLimits(byteCount: 4_000_000_000, nanoseconds: 1_800_000_000_000))
        #expect(arguments.duration == nil)
    }

    @Test(
        "rates are exact",
        arguments: [("30", 30, 1), ("30000/1001", 30_000, 1001), ("29.97", 30_000, 1001), ("60/2", 30, 1)])
    func rates(text: String, numerator: Int64, denominator: Int64) throws {
        #expect(try parse("--rate", text, "a.mp4").rate == FrameRate(numerator, denominator))
    }

    @Test("a screen is asked for by itself or by its connector, and has a size of its own")
    func screen() throws {
        #expect(try parse("--video", "screen", "a.mp4").video == .screen(nil))
        #expect(try parse("--video", "screen:HDMI-A-1", "a.mp4").video == .screen("HDMI-A-1"))
        #expect(try parse("--video", "screenshots", "a.mp4").video == .device("screenshots"))
        for wrong in ["screen:", "screen:a b", "screen:../x"] {
            #expect(throws: Failure.self) { try parse("--video", wrong, "a.mp4") }
        }
        #expect(throws: Failure.self) { try parse("--video", "screen", "--size", "640x480", "a.mp4") }
        #expect(try parse("a.mp4").screenTurn == nil && parse("--screen-turn", "90", "a.mp4").screenTurn == .quarter)
        #expect(throws: Failure.self) { try parse("--screen-turn", "45", "a.mp4") }
        #expect(try parse("--signal-loss", "hold", "a.mp4").signalLoss == .hold)
    }

    @Test("tracks come in the order in which they are named")
    func tracks() throws {
        #expect(try parse("--audio", "tone", "--audio", "hw:1", "a.mp4").audio == [.tone, .device("hw:1")])
        #expect(try parse("--audio", "none", "a.mp4").audio.isEmpty)
    }

    @Test("numbers may be written short")
    func short() throws {
        #expect(try parse("--bitrate", "6M", "a.mp4").bitrate == 6_000_000)
        #expect(try parse("--split-size", "4G", "--split-duration", "0", "a.mp4").splits == SplitLimits(nanoseconds: 0))
        #expect(try parse("--duration", "0.5", "a.mp4").duration == 500_000_000)
    }

    @Test("a dash alone is standard input, and what follows two dashes is a name")
    func dashes() throws {
        #expect(try parse("--video", "-", "--", "--odd.mp4").output == "--odd.mp4")
    }

    @Test(
        "wrong values are refused with the option's name",
        arguments: [
            ["--size", "0x0"], ["--size", "641x480"], ["--size", "100000x2"], ["--size", "1280"], ["--size", "-2x4"],
            ["--size", "16384x16384"], ["--rate", "0"], ["--rate", "1/0"], ["--rate", "abc"], ["--rate", "1000"],
            ["--bitrate", "0"], ["--bitrate", "99999999999999999999"], ["--duration", "-1"], ["--duration", "abc"],
            ["--duration", "0"], ["--duration", "nan"], ["--split-size", "5"], ["--split-duration", "x"],
            ["--preset", "warp"], ["--threads", "-1"], ["--encoder", "magic"], ["--video", ""],
        ])
    func refusals(option: [String]) throws {
        let failure = try #require(refusal(option + ["a.mp4"]))
        #expect(failure.kind == .invalidValue)
        #expect(failure.thing.contains(option[0]))
        #expect(!failure.mend.isEmpty)
    }

    @Test("an unknown option is refused, with the nearest right one")
    func unknown() throws {
        let failure = try #require(refusal(["--vidoe", "test", "a.mp4"]))
        #expect(failure.kind == .invalidValue)
        #expect(failure.description.contains("--video"))
    }

    @Test(
        "missing, doubled and superfluous things are refused",
        arguments: [
            [], ["a.mp4", "b.mp4"], ["a.mp4", "--size"], ["a.mp4", "--rate", "30", "--rate", "25"], ["-x", "a.mp4"],
        ])
    func shape(arguments: [String]) {
        #expect(refusal(arguments)?.kind == .invalidValue)
    }

    @Test("a name that would make a terminal do things is shown without its control characters")
    func controlCharacters() {
        #expect(Terminal.plain("a\u{1B}[2Jb\r\u{9B}c\n") == "a?[2Jb??c\n")
        #expect(Terminal.plain("größe — 10 s") == "größe — 10 s")
    }

    @Test("a name whose bytes are no text is refused")
    func noText() {
        #expect(Command.run(["check", "bad\u{FFFD}.mp4"]) == 2)
    }
}
