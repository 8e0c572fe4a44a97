import Capture
import Encoding
import Glibc
import Judges
import Linux
import MP4
import Media
import Testing

@testable import Recorder

@Suite("A signal that is lost while its last picture is held")
struct SignalHoldTests {
    private func deck(
        _ script: [ScriptedInput.Step], _ folder: TemporaryFolder, isUnplugged: Bool = false
    ) throws -> DeckRun {
        var plan = DeckPlan.pattern(
            isWarm: false,
            openVideo: { () throws(Failure) in
                try ScriptedInput(script, drawsSlate: false, isUnplugged: isUnplugged)
            })
        plan.signalLoss = .hold
        return try DeckRun(plan, folder)
    }

    @Test("goes on in the same file with picture and sound, and with a key frame when pictures come in again")
    func hold() throws {
        let folder = try TemporaryFolder()
        let run = try deck([.pictures(20), .loss(.noCable, 90), .pictures(15)], folder)
        _ = try run.start(1, "a.mp4")
        let result = try run.ended(1)
        #expect(result.end == .source && folder.names == ["a.mp4"] && result.failure == nil)
        let length = try Parts.length(result)
        let first = try #require(result.firstFrameTime)
        let last = try #require(result.lastFrameTime)
        #expect(abs(length - (last - first) - FrameRate.thirty.nanoseconds(of: 1)) < 1_000_000)
        #expect(length >= FrameRate.thirty.nanoseconds(of: 120))
        // Three seconds without a picture: one a second stands in, and none in between.
        #expect((2...5).contains(result.repeatedFrames), "\(result.repeatedFrames)")
        #expect(result.encodedFrames + result.droppedFrames == 35 + result.repeatedFrames)
        let pictures = try Parts.samples(try #require(result.paths.first))
        let longest = try #require(pictures.map(\.duration).max())
        #expect(longest <= 100_000, "ticks: a picture a second at least")
        if result.droppedFrames == 0 { #expect(pictures[pictures.count - 15].isSync) }
        let notices = run.notices
        #expect(notices.contains { $0.kind == .signalLost && $0.words.contains("last picture") }, "\(notices)")
        #expect(notices.contains { $0.kind == .signalFound && $0.words.contains("come in again") }, "\(notices)")
        #expect(!notices.contains { $0.kind == .encoderChanged }, "\(notices)")
        #expect(notices.contains { $0.kind == .information && $0.words.contains("encoded by") }, "\(notices)")
    }

    @Test("lets the picture go that is held, where a device comes back only once it has all of them")
    func unplugged() throws {
        let folder = try TemporaryFolder()
        let run = try deck([.pictures(20), .loss(.unplugged, 40), .pictures(15)], folder, isUnplugged: true)
        _ = try run.start(1, "a.mp4")
        let result = try run.ended(1)
        #expect(result.end == .source && folder.names == ["a.mp4"] && result.failure == nil)
        #expect(result.encodedFrames + result.droppedFrames == 35 + result.repeatedFrames)
        #expect(try Parts.length(result) >= FrameRate.thirty.nanoseconds(of: 74))
    }

    @Test("stands until the stop, is saved meanwhile, and begins parts in time")
    func stop() throws {
        let folder = try TemporaryFolder()
        let run = try deck([.pictures(20), .loss(.noSignal, 900)], folder)
        _ = try run.start(1, "a.mp4", splits: SplitLimits(byteCount: 0, nanoseconds: 1_500_000_000))
        try run.reach(3_600_000_000)
        let status = try #require(run.deck.status.recording)
        #expect(status.unsavedNanoseconds < 2_000_000_000 && status.signal == .noSignal)
        let stop = MonotonicTime.now
        run.deck.stop(take: 1, at: stop)
        let result = try run.ended(1)
        let first = try #require(result.firstFrameTime)
        #expect(try abs(Parts.length(result) - (stop - first)) < 25_000_000)
        #expect(result.paths.count == 3, "\(result.paths)")
        for path in result.paths { #expect(try Parts.samples(path).first?.isSync == true) }
    }

    @Test("can be paused and goes on with the picture that is held")
    func pause() throws {
        let folder = try TemporaryFolder()
        let run = try deck([.pictures(20), .loss(.noSignal, 900)], folder)
        _ = try run.start(1, "a.mp4")
        try run.reach(1_200_000_000)
        let pause = MonotonicTime.now
        run.deck.pause(take: 1, at: pause)
        usleep(500_000)
        let paused = try #require(run.deck.status.recording)
        run.deck.resume(take: 1)
        try run.reach(paused.nanoseconds + 500_000_000)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        let length = try Parts.length(result)
        let first = try #require(result.firstFrameTime)
        #expect(abs(paused.nanoseconds - (pause - first)) < 1_000_000)
        #expect(length >= paused.nanoseconds + 500_000_000 && abs(length - result.nanoseconds) < 1_000_000)
    }
}
