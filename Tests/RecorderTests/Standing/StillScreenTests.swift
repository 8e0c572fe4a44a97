import Capture
import Encoding
import Glibc
import Judges
import Linux
import MP4
import Media
import Testing

@testable import Recorder

@Suite("A source that gives a picture only when something changes")
struct StillScreenTests {
    private static let period = (FrameRate(60) ?? .thirty).nanoseconds(of: 1)
    private let log = StillScreen.Log()

    private func deck(
        _ folder: TemporaryFolder, isWarm: Bool = true, dies: UInt64 = .max, encoding: EncodingPlan? = nil,
        changes: @escaping @Sendable (UInt64) -> Bool = { _ in false }
    ) throws -> DeckRun {
        let log = log
        return try DeckRun(
            .pattern(
                isWarm: isWarm, encoding: encoding,
                openVideo: { () throws(Failure) in try StillScreen(log, dies: dies, changes: changes) }), folder)
    }

    /// Ticks of the file and the movement of a part's start count as nothing.
    private func isClose(_ one: Int64, _ other: Int64, within tolerance: Int64 = 1_000_000) -> Bool {
        abs(one - other) <= tolerance
    }

    @Test(
        "is as long as it was recorded, with at most a picture a second while it stands still",
        arguments: [true, false])
    func still(isWarm: Bool) throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder, isWarm: isWarm)
        if isWarm { try run.present() }
        let press = try run.start(1, "a.mp4")
        _ = try run.durable(1)
        usleep(3_000_000)
        let status = try #require(run.deck.status.recording)
        let stop = MonotonicTime.now
        run.deck.stop(take: 1, at: stop)
        let result = try run.ended(1)
        let first = try #require(result.firstFrameTime)
        #expect(first >= press && result.end == .stopped)
        #expect(try isClose(Parts.length(result), stop - first), "until the stop")
        #expect(isClose(result.nanoseconds, stop - first), "and so it is told")
        let second: Int64 = 1_000_000_000
        // One to begin with, and one soon after that, so that something is safe.
        #expect(result.encodedFrames <= (stop - first) / second + 2)
        #expect(status.nanoseconds > 2 * second && status.unsavedNanoseconds < 2 * second)
        #expect(result.droppedFrames == 0 && result.failure == nil)
        var lastKey: Int64?
        for sample in try Parts.samples(try #require(result.paths.first)) {
            let time = rescale(sample.time, by: 1_000_000_000, over: 90_000)
            if sample.isSync { lastKey = time }
            #expect(try time - #require(lastKey) < 2 * second, "a key frame is due by the clock, not by the pictures")
        }
        #expect(try #require(lastKey) > 0)
    }

    @Test("begins at once with a picture from after the press, and tells that it is safe before the next would come")
    func first() throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder)
        try run.present()
        for number in 1...5 {
            let press = try run.start(number, "a\(number).mp4")
            _ = try run.durable(number)
            run.deck.stop(take: number)
            let result = try run.ended(number)
            let first = try #require(result.firstFrameTime)
            #expect(first >= press && first - press < 20 * Self.period, "\((first - press) / 1_000_000) ms")
            _ = try Parts.length(result)
        }
    }

    /// Encoding by an encoder of the test's.
    private func encoding(
        _ make: @escaping @Sendable (SoftwareEncoder.Configuration) throws(Failure) -> any VideoEncoder
    ) -> EncodingPlan {
        var encoding = EncodingPlan(preference: .software, bitrate: 500_000, preset: .fixed(.ultrafast), threads: 1)
        encoding.maker = FakeEncoders(software: make)
        return encoding
    }

    /// Encoding that keeps the newest picture.
    private func keeping(_ log: KeepingEncoder.Log) -> EncodingPlan {
        encoding { configuration throws(Failure) in try KeepingEncoder(configuration, log) }
    }

    @Test("is not pushed out of an encoder that is slow, but at work on it")
    func slow() throws {
        let folder = try TemporaryFolder()
        // Longer than an encoder is waited for that may keep a picture, shorter than until the next one is due.
        let slow = encoding { configuration throws(Failure) in try SlowEncoder(configuration, time: 150_000_000) }
        let run = try deck(folder, encoding: slow)
        try run.present()
        _ = try run.start(1, "a.mp4")
        _ = try run.durable(1)
        try run.reach(3_000_000_000)
        let stop = MonotonicTime.now
        run.deck.stop(take: 1, at: stop)
        let result = try run.ended(1)
        let first = try #require(result.firstFrameTime)
        #expect(result.encodedFrames <= (stop - first) / 1_000_000_000 + 2, "\(log.given)")
        #expect(try isClose(Parts.length(result), stop - first))
    }

    @Test("is pushed out of an encoder that keeps the newest picture, by one picture more for each of its own")
    func kept() throws {
        let folder = try TemporaryFolder()
        let pictures = KeepingEncoder.Log()
        let run = try deck(folder, encoding: keeping(pictures))
        try run.present()
        _ = try run.start(1, "a.mp4")
        _ = try run.durable(1)
        let before = log.given.count
        try run.reach(5_000_000_000)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        _ = try Parts.length(result)
        #expect(pictures.kept.allSatisfy { $0 <= 1 } && result.droppedFrames == 0)
        // Its own come once a second, and soon after each of them one more.
        let times = log.given[before...]
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        let isPush = steps.map { $0 < StillScreen.interval / 2 }
        let pushes = isPush.filter { $0 }.count
        #expect(pushes >= 3 && 3 * pushes >= steps.count, "\(steps)")
        // What pushed one out is not pushed itself.
        #expect(!zip(isPush, isPush.dropFirst()).contains { $0 && $1 }, "\(steps)")
    }

    @Test("has each change where it was, and nothing between")
    func changes() throws {
        let folder = try TemporaryFolder()
        // It moves for a second, then now and then.
        let run = try deck(folder) { (60..<120).contains($0) || $0 % 37 == 0 }
        try run.present()
        _ = try run.start(1, "a.mp4")
        try run.reach(3_500_000_000)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        _ = try Parts.length(result)
        let first = try #require(result.firstFrameTime)
        let last = try #require(result.lastFrameTime)
        let given = log.given.filter { $0 >= first && $0 <= last }
        let path = try #require(result.paths.first)
        let seen = try Parts.samples(path).map { rescale($0.time, by: 1_000_000_000, over: 90_000) }
        try #require(Int64(seen.count) + result.droppedFrames == Int64(given.count))
        if result.droppedFrames == 0 {
            for (picture, time) in zip(seen, given) { #expect(isClose(picture, time - first, within: 100_000)) }
        }
        #expect(seen.count > 40)
    }

    @Test("stands as long as it was seen before a pause, and goes on behind it at once")
    func pause() throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder)
        try run.present()
        _ = try run.start(1, "a.mp4")
        try run.reach(600_000_000)
        let pause = MonotonicTime.now
        run.deck.pause(take: 1, at: pause)
        usleep(700_000)
        let paused = try #require(run.deck.status.recording)
        #expect(paused.unsavedNanoseconds == 0, "what was before is safe")
        let resumption = MonotonicTime.now
        run.deck.resume(take: 1, at: resumption)
        try run.reach(paused.nanoseconds + 500_000_000)
        let stop = MonotonicTime.now
        run.deck.stop(take: 1, at: stop)
        let result = try run.ended(1)
        let first = try #require(result.firstFrameTime)
        let again = try #require(log.given.first { $0 >= resumption })
        #expect(again - resumption < 20 * Self.period, "\((again - resumption) / 1_000_000) ms")
        #expect(try isClose(Parts.length(result), (pause - first) + (stop - again)))
        #expect(isClose(paused.nanoseconds, pause - first))
    }

    @Test("is whole around a pause when the encoder keeps a picture of before until the first one behind it")
    func keptInPause() throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder, encoding: keeping(KeepingEncoder.Log()))
        try run.present()
        _ = try run.start(1, "a.mp4")
        try run.reach(1_600_000_000)
        let pause = MonotonicTime.now
        run.deck.pause(take: 1, at: pause)
        // Longer than anybody waits for what is inside.
        usleep(1_000_000)
        let paused = try #require(run.deck.status.recording)
        let resumption = MonotonicTime.now
        run.deck.resume(take: 1, at: resumption)
        try run.reach(paused.nanoseconds + 1_000_000_000)
        let stop = MonotonicTime.now
        run.deck.stop(take: 1, at: stop)
        let result = try run.ended(1)
        let first = try #require(result.firstFrameTime)
        let again = try #require(log.given.first { $0 >= resumption })
        #expect(try isClose(Parts.length(result), (pause - first) + (stop - again)))
        let path = try #require(result.paths.first)
        let before = log.given.filter { $0 >= first && $0 < pause }.map { $0 - first }
        let seen = try Parts.samples(path).map { rescale($0.time, by: 1_000_000_000, over: 90_000) }
        #expect(zip(seen, before).allSatisfy { isClose($0, $1, within: 100_000) }, "\(seen) \(before)")
    }

    @Test("begins parts in time, with pictures that need no other")
    func split() throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder)
        try run.present()
        let interval: Int64 = 1_500_000_000
        _ = try run.start(1, "a.mp4", splits: SplitLimits(byteCount: 0, nanoseconds: interval))
        try run.reach(3_600_000_000)
        let request = MonotonicTime.now
        run.deck.split(take: 1)
        try run.reach(4_200_000_000)
        let stop = MonotonicTime.now
        run.deck.stop(take: 1, at: stop)
        let result = try run.ended(1)
        let first = try #require(result.firstFrameTime)
        #expect(try isClose(Parts.length(result), stop - first, within: 30_000_000))
        // A busy machine may stop late, when one more is due.
        let dues = ([request - first] + stride(from: 0, to: stop - first, by: Int64.Stride(interval))).sorted()
        #expect(dues.count >= 4 && dues.count - result.paths.count <= 1, "\(result.paths)")
        var begin: Int64 = 0
        for (number, path) in result.paths.enumerated() {
            let pictures = try Parts.samples(path)
            #expect(pictures.first?.isSync == true)
            let due = dues.indices.contains(number) ? dues[number] : .max
            #expect(begin >= due - 12_000_000 && begin - due < 40 * Self.period, "part \(number): \(begin - due)")
            begin += try Checker.check(path: path).tracks[0].duration
        }
    }

    @Test("ends after its duration, and is as long")
    func duration() throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder, isWarm: false)
        _ = try run.start(1, "a.mp4", duration: 1_700_000_000)
        let result = try run.ended(1)
        #expect(try result.end == .duration && isClose(Parts.length(result), 1_700_000_000))
    }

    @Test("gives a still at once", arguments: [true, false])
    func stills(isWarm: Bool) throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder, isWarm: isWarm)
        if isWarm { try run.present() }
        for number in 1...3 {
            run.deck.still(number: number)
            guard case .taken = try run.still(number) else {
                Issue.record("there is no still")
                return
            }
        }
        #expect(log.wishes >= 2 && log.given.count >= 3)
    }

    @Test("gives a still of what is shown after it was asked for, though an older picture lies there")
    func freshStills() throws {
        let folder = try TemporaryFolder()
        let log = log
        let run = try DeckRun(
            .pattern(openVideo: { () throws(Failure) in try StillScreen(log, keepsAnswer: true) }), folder)
        try run.present()
        for number in 1...3 {
            usleep(1_400_000)
            let request = MonotonicTime.now
            run.deck.still(number: number)
            guard case .taken = try run.still(number) else {
                Issue.record("there is no still")
                return
            }
            #expect(log.given.contains { $0 >= request }, "what lay there was from before")
        }
    }

    @Test("is hardly looked at in a pause, however much it changes, and goes on at once")
    func restingInPause() throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder) { _ in true }
        try run.present()
        _ = try run.start(1, "a.mp4")
        try run.encoded(30)
        run.deck.pause(take: 1)
        usleep(700_000)
        let before = log.given.count
        usleep(2_000_000)
        #expect(log.given.count - before < 20, "sixty a second changed")
        let paused = try #require(run.deck.status.recording)
        let resumption = MonotonicTime.now
        run.deck.resume(take: 1)
        try run.reach(paused.nanoseconds + 500_000_000)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        let again = try #require(log.given.first { $0 >= resumption })
        #expect(again - resumption < 20 * Self.period, "\((again - resumption) / 1_000_000) ms")
        #expect(result.end == .stopped && result.failure == nil)
        _ = try Parts.length(result)
    }

    @Test("is hardly looked at while nothing is recorded, however much it changes, and is there at once")
    func resting() throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder) { _ in true }
        try run.present()
        usleep(2_000_000)
        let idle = log.given.count
        #expect(idle < 20, "sixty a second changed")
        let press = try run.start(1, "a.mp4")
        try run.encoded(60)
        run.deck.stop(take: 1)
        let result = try run.ended(1)
        let first = try #require(result.firstFrameTime)
        #expect(first >= press && first - press < 20 * Self.period, "\((first - press) / 1_000_000) ms")
        _ = try Parts.length(result)
        usleep(1_500_000)
        let after = log.given.count
        usleep(1_000_000)
        #expect(log.given.count - after < 10)
    }

    @Test(
        "that was taken before it was drawn, or was scaled coarsely, is told of once, with the number of its pictures",
        arguments: [true, false])
    func hasty(isHasty: Bool) throws {
        let folder = try TemporaryFolder()
        let log = log
        let run = try DeckRun(
            .pattern(openVideo: { () throws(Failure) in try StillScreen(log, isHasty: isHasty) }), folder)
        try run.present()
        for number in 1...2 {
            _ = try run.start(number, "a\(number).mp4")
            _ = try run.durable(number)
            run.deck.stop(take: number)
            let result = try run.ended(number)
            for blemish in ["may be torn", "nearest pixel"] {
                let told = run.notices.map(\.words).filter { $0.contains(blemish) }
                try #require(told.count == (isHasty ? number : 0), "\(run.events)")
                guard isHasty, let words = told.last else { continue }
                let count = words.split(separator: " ").compactMap { Int64($0) }.first ?? 1
                #expect(count >= result.encodedFrames && count < result.encodedFrames + 5, "\(words)")
            }
        }
    }

    @Test("that gives nothing any more is told from one that stands still")
    func dead() throws {
        let folder = try TemporaryFolder()
        let run = try deck(folder, isWarm: false, dies: 60)
        _ = try run.start(1, "a.mp4")
        let result = try run.ended(1)
        #expect(result.failure?.kind == .noSignal, "\(result)")
        _ = try Parts.length(result)
        #expect(result.nanoseconds > 5_000_000_000)
    }
}
