import Capture
import Encoding
import Glibc
import Judges
import Linux
import MP4
import Media
import Storage
import Synchronization
import Testing

@testable import Recorder

@Suite("A deck whose source stays open")
struct WarmDeckTests {
    private static let period = FrameRate.thirty.nanoseconds(of: 1)

    @Test("begins each of ten recordings with the first picture from the press on, and each is whole")
    func tenTakes() throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(), folder)
        try run.present()
        for number in 1...10 {
            let press = try run.start(number, "take\(number).mp4")
            try run.encoded(12)
            run.deck.stop(take: number)
            let result = try run.ended(number)
            #expect(result.failure == nil && result.end == .stopped && result.paths.count == 1)
            let first = try #require(result.firstFrameTime)
            #expect(first >= press, "no picture is from before the press")
            #expect(first - press < 12 * Self.period, "\((first - press) / 1_000_000) ms")
            let report = try Checker.check(path: try #require(result.paths.first))
            #expect(report.faults.isEmpty)
            #expect(report.tracks[0].sampleCount == result.encodedFrames)
            #expect(result.capturedFrames == result.encodedFrames + result.droppedFrames)
        }
        #expect(folder.names.count == 10)
        let words = run.events.compactMap { event -> String? in
            guard case .take(3, let told) = event else { return nil }
            switch told {
            case .began: return "began"
            case .durable: return "durable"
            case .ending: return "ending"
            case .ended: return "ended"
            case .unsaved, .saved: return nil
            }
        }
        #expect(words == ["began", "durable", "ending", "ended"])
    }

    @Test("begins to record while the encoder of the recording before is being replaced")
    func encoderNotReady() throws {
        let folder = try TemporaryFolder()
        let opened = Mutex(0)
        var encoding = EncodingPlan(preference: .software, bitrate: 500_000, preset: .fixed(.ultrafast), threads: 1)
        encoding.maker = FakeEncoders { (configuration) throws(Failure) in
            let count = opened.withLock { count in
                count += 1
                return count
            }
            // All but the first are late.
            if count > 1 { usleep(200_000) }
            return try SoftwareEncoder(configuration)
        }
        let run = try DeckRun(.pattern(encoding: encoding), folder)
        try run.present()
        _ = try run.start(1, "a.mp4")
        try run.encoded(5)
        run.deck.stop(take: 1)
        _ = try run.ended(1)
        let press = try run.start(2, "b.mp4")
        try run.encoded(15)
        run.deck.stop(take: 2)
        let result = try run.ended(2)
        let first = try #require(result.firstFrameTime)
        #expect(first >= press)
        #expect(first - press < 3 * Self.period + 20_000_000, "it waited in the source's buffers")
        #expect(try Checker.check(path: try #require(result.paths.first)).faults.isEmpty)
    }

    @Test("tells that its source is not there, refuses what is asked for meanwhile, and finds it again")
    func absent() throws {
        let folder = try TemporaryFolder()
        let isThere = Atomic<Bool>(false)
        let failure = Failure(.noSource, "cannot open the picture", because: "it is made so")
        let box = Shared(isThere)
        let run = try DeckRun(
            .pattern(openVideo: { () throws(Failure) in
                guard box.isThere.load(ordering: .acquiring) else { throw failure }
                return try TestPattern(width: 320, height: 240, rate: .thirty)
            }), folder)
        try run.wait { if case .source(.absent(failure)) = $0 { true } else { nil } }
        _ = try run.start(1, "a.mp4")
        #expect(try run.ended(1).failure == failure)
        #expect(folder.names.isEmpty)
        box.isThere.store(true, ordering: .releasing)
        try run.present()
        _ = try run.start(2, "b.mp4")
        _ = try run.durable(2)
        run.deck.stop(take: 2)
        #expect(try run.ended(2).failure == nil)
    }

    private final class Shared: Sendable {
        let isThere: Atomic<Bool>
        init(_ isThere: consuming Atomic<Bool>) { self.isThere = isThere }
    }

    @Test("follows its signal between recordings")
    func signal() throws {
        let folder = try TemporaryFolder()
        let script: [ScriptedInput.Step] = [.pictures(10), .loss(.noCable, 15), .size(640, 360), .pictures(9999)]
        let run = try DeckRun(
            .pattern(openVideo: { () throws(Failure) in try ScriptedInput(script, drawsSlate: true) }), folder)
        try run.present()
        try run.wait { if case .source(.silent(.noCable)) = $0 { true } else { nil } }
        for _ in 0..<3000 where run.deck.status.format?.width != 640 { usleep(10_000) }
        #expect(run.deck.status.format?.width == 640)
        let press = try run.start(1, "a.mp4")
        _ = try run.durable(1)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        #expect(try #require(result.firstFrameTime) >= press)
        let report = try Checker.check(path: try #require(result.paths.first))
        #expect(report.faults.isEmpty && report.tracks[0].width == 640)
    }

    @Test(
        "gives stills between recordings and in one, and closed sources are opened for them", arguments: [true, false])
    func stills(isWarm: Bool) throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(isWarm: isWarm), folder)
        run.deck.still(number: 1)
        run.deck.still(number: 2)
        for number in 1...2 { try check(try run.still(number), folder) }
        _ = try run.start(1, "a.mp4")
        _ = try run.durable(1)
        run.deck.still(number: 3)
        try check(try run.still(3), folder)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        #expect(try Checker.check(path: try #require(result.paths.first)).faults.isEmpty)
    }

    private func check(_ still: StillResult, _ folder: TemporaryFolder) throws {
        guard case .taken(let bytes) = still else {
            Issue.record("\(still)")
            return
        }
        let path = folder.file("still.jpg")
        try StillFile.write(bytes, at: path)
        defer { unlink(path) }
        let ending = try ChildProcess(
            "ffmpeg", ["-nostdin", "-v", "warning", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        ).wait()
        let pixels = ending.output
        try #require(pixels.count == 320 * 240 * 3)
        // The bars between the grey borders are 75 % white, yellow, cyan, green, magenta, red and blue.
        let colours = [
            (191, 191, 191), (191, 191, 0), (0, 191, 191), (0, 191, 0), (191, 0, 191), (191, 0, 0), (0, 0, 191),
        ]
        for (bar, colour) in colours.enumerated() {
            let place = (40 * 320 + 40 + (240 * bar + 120) / 7) * 3
            let seen = (Int(pixels[place]), Int(pixels[place + 1]), Int(pixels[place + 2]))
            let isClose = abs(seen.0 - colour.0) < 8 && abs(seen.1 - colour.1) < 8 && abs(seen.2 - colour.2) < 8
            #expect(isClose, "bar \(bar) is \(seen)")
        }
    }

    @Test("closes while it records, and what was recorded is whole")
    func closing() throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(), folder)
        _ = try run.start(1, "a.mp4")
        _ = try run.durable(1)
        run.deck.close()
        let result = try run.ended(1)
        #expect(result.failure == nil)
        #expect(try Checker.check(path: try #require(result.paths.first)).faults.isEmpty)
    }

    @Test("has the file finished although its device hangs, and says that it does not go round")
    func hanging() throws {
        let folder = try TemporaryFolder()
        let gate = try EventDescriptor()
        defer { gate.signal() }
        let run = try DeckRun(
            .pattern(openVideo: { () throws(Failure) in try HangingPicture(after: 60, gate) }), folder)
        try run.present()
        _ = try run.start(1, "a.mp4")
        let clip = try run.durable(1)
        var turn = run.deck.status.lastTurn
        for _ in 0..<1000 {
            usleep(10_000)
            let next = run.deck.status.lastTurn
            if next == turn { break }
            turn = next
        }
        run.deck.stop(take: 1)
        usleep(50_000)
        #expect(run.deck.status.lastTurn == turn, "the thread hangs")
        run.deck.abandon(take: 1)
        for _ in 0..<1000 where (try? Checker.check(path: clip.path).state) != .finished { usleep(10_000) }
        let report = try Checker.check(path: clip.path)
        #expect(report.state == .finished && report.faults.isEmpty && report.tracks[0].sampleCount > 0)
        gate.signal()
        #expect(try run.ended(1).paths == [clip.path])
    }

    @Test("says that it goes round, between recordings too")
    func health() throws {
        let folder = try TemporaryFolder()
        let run = try DeckRun(.pattern(isWarm: false), folder)
        usleep(100_000)
        let before = MonotonicTime.now
        #expect(run.deck.status.lastTurn >= before)
        #expect(run.deck.status.take == nil && run.deck.status.format == nil)
    }
}
