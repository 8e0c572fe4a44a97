import Capture
import Encoding
import Glibc
import Judges
import Linux
import MP4
import Media
import Storage
import Testing

@testable import Recorder

@Suite("A recording from start to end")
struct RecordingTests {
    private func plan(
        _ folder: TemporaryFolder, frames: Int64? = nil, pace: Pace = .onDemand, tracks: Int = 1
    ) throws -> RecordingPlan {
        let tone: @Sendable () throws(Failure) -> any AudioSource = { () throws(Failure) in TestTone(rate: .thirty) }
        return RecordingPlan(
            openVideo: { () throws(Failure) in
                try TestPattern(width: 320, height: 240, rate: .thirty, pace: pace, frameCount: frames)
            },
            openAudio: Array(repeating: tone, count: tracks),
            encoding: EncodingPlan(preference: .software, bitrate: 500_000, preset: .fixed(.ultrafast), threads: 1),
            name: try folder.name())
    }

    @Test("has every picture of its source, and sound that covers them", arguments: [0, 1, 2])
    func whole(tracks: Int) throws {
        let folder = try TemporaryFolder()
        let result = try Recording(plan(folder, frames: 95, tracks: tracks)).wait()
        #expect(result.end == .sourceEnded)
        let part = try #require(result.parts.first)
        #expect(result.parts.count == 1 && folder.names == ["a.mp4"])
        #expect(part.tracks.map(\.isVideo) == [true] + Array(repeating: false, count: tracks))
        #expect(part.tracks[0].sampleCount == 95)
        for sound in part.tracks.dropFirst() {
            // 95 pictures are 152 000 samples.
            #expect(sound.sampleCount == (152_000 + 1023) / 1024)
        }
        #expect(result.status.encodedFrames == 95 && result.status.droppedFrames == 0)
        #expect(result.status.unsavedNanoseconds == 0)
    }

    @Test("ends with the last picture that was captured before the stop")
    func exactStop() throws {
        // On a busy machine the encoder may be late with the very last pictures; some run is undisturbed.
        var hasBeenExact = false
        for _ in 0..<10 where !hasBeenExact {
            let folder = try TemporaryFolder()
            let recording = try Recording(plan(folder, pace: .live))
            while recording.status.encodedFrames < 10 { usleep(1000) }
            let stop = MonotonicTime.now
            recording.stop(at: stop)
            let result = recording.wait()
            #expect(result.end == .stopped)
            let last = try #require(result.lastFrameTime)
            let first = try #require(result.firstFrameTime)
            #expect(last <= stop)
            guard result.status.droppedFrames + result.status.lostFrames == 0 else { continue }
            let period = FrameRate.thirty.nanoseconds(of: 1)
            #expect(stop - last < period + 1)
            let pictures = (last - first + 1_000_000) / period + 1
            #expect(result.parts.first.map { Int64($0.tracks[0].sampleCount) } == pictures)
            hasBeenExact = true
        }
        #expect(hasBeenExact)
    }

    @Test("goes on in a new part when the encoder changes its parameter sets")
    func parameterSets() throws {
        let folder = try TemporaryFolder()
        var plan = try plan(folder, frames: 60)
        plan.encoding.maker = FakeEncoders { (configuration) throws(Failure) in
            try ChangingEncoder(configuration.format, changeAt: 25)
        }
        let result = try Recording(plan).wait()
        #expect(result.parts.map { $0.tracks[0].sampleCount } == [25, 35])
        #expect(folder.names == ["a.mp4", "a_part02.mp4"])
        // No sound packet is lost or doubled: 60 pictures are 96 000 samples.
        #expect(result.parts.reduce(0) { $0 + $1.tracks[1].sampleCount } == (96_000 + 1023) / 1024)
    }

    @Test("keeps what was recorded when the source breaks")
    func brokenSource() throws {
        let folder = try TemporaryFolder()
        var plan = try plan(folder)
        plan.openVideo = { () throws(Failure) in try BreakingPicture(after: 40) }
        let result = try Recording(plan).wait()
        guard case .failed(let failure) = result.end else {
            Issue.record("the end is \(result.end)")
            return
        }
        #expect(failure.kind == .noSource && failure.cause == BreakingPicture.cause)
        #expect(result.parts.first?.tracks[0].sampleCount == 40)
        #expect(try Recovery.recover(path: try #require(result.parts.first).path) == .alreadyFinal)
    }

    @Test("goes on in silence when a sound device breaks, and says so")
    func brokenSound() throws {
        let folder = try TemporaryFolder()
        var plan = try plan(folder, pace: .live)
        let open: @Sendable () throws(Failure) -> any AudioSource = { () throws(Failure) in Self.breakingSound() }
        plan.openAudio = [open]
        plan.duration = 1_000_000_000
        let result = try Recording(plan).wait()
        #expect(result.end == .durationReached)
        #expect(result.notices.contains { $0.contains("breaking sound is lost") })
        let tracks = try #require(result.parts.first).tracks
        #expect(tracks[1].nanoseconds >= tracks[0].nanoseconds)
        #expect(tracks[1].nanoseconds - tracks[0].nanoseconds < 1024 * 1_000_000_000 / 48_000)
    }

    @Test("saves the sound once a second while no picture comes")
    func stalledPicture() throws {
        let folder = try TemporaryFolder()
        var plan = try plan(folder)
        plan.openVideo = { () throws(Failure) in try StallingPicture(after: 15) }
        let open: @Sendable () throws(Failure) -> any AudioSource = { () throws(Failure) in
            Self.breakingSound(after: 9999)
        }
        plan.openAudio = [open]
        let recording = try Recording(plan)
        let begun = MonotonicTime.now
        usleep(3_500_000)
        recording.stop()
        let result = recording.wait()
        let seconds = Int((MonotonicTime.now - begun) / 1_000_000_000)
        #expect(result.end == .stopped)
        let report = try Checker.check(path: try #require(result.parts.first).path)
        #expect((3...(seconds + 3)).contains(report.records), "a fragment a second, of \(seconds) s")
        #expect(report.faults.isEmpty, "the last picture stands while the sound goes on")
    }

    private static func breakingSound(after spans: Int = 20) -> any AudioSource {
        do { return try BreakingSound(after: spans) } catch { preconditionFailure("no descriptor is left") }
    }

    @Test("leaves nothing behind when it cannot start", arguments: ["picture", "sound", "encoder"])
    func cannotStart(what: String) throws {
        let folder = try TemporaryFolder()
        var plan = try plan(folder)
        let failure = Failure(.noSource, "cannot open the \(what)", because: "it is made so")
        let noSound: @Sendable () throws(Failure) -> any AudioSource = { () throws(Failure) in throw failure }
        switch what {
        case "picture": plan.openVideo = { () throws(Failure) in throw failure }
        case "sound": plan.openAudio = [noSound]
        default: plan.encoding.maker = FakeEncoders { (_) throws(Failure) in throw failure }
        }
        let result = try Recording(plan).wait()
        #expect(result.end == .failed(failure))
        #expect(folder.names.isEmpty && result.parts.isEmpty)
    }

    @Test("leaves nothing behind when the source has no picture")
    func noPicture() throws {
        let folder = try TemporaryFolder()
        let result = try Recording(plan(folder, frames: 0)).wait()
        #expect(result.end == .sourceEnded && result.firstFrameTime == nil)
        #expect(folder.names.isEmpty && result.parts.isEmpty)
    }

    @Test("splits without losing or doubling a picture or a sound packet")
    func splits() throws {
        let folder = try TemporaryFolder()
        var plan = try plan(folder, frames: 300)
        plan.splits = SplitLimits(byteCount: 0, nanoseconds: 2_000_000_000)
        let result = try Recording(plan).wait()
        #expect(result.parts.count == 5)
        #expect(result.parts.reduce(0) { $0 + $1.tracks[0].sampleCount } == 300)
        #expect(result.parts.reduce(0) { $0 + $1.tracks[1].sampleCount } == (480_000 + 1023) / 1024)
        #expect(folder.names == ["a.mp4"] + (2...5).map { "a_part0\($0).mp4" })
        for part in result.parts {
            #expect(abs(part.tracks[0].nanoseconds - part.tracks[1].nanoseconds) < 22_000_000)
        }
    }

    @Test("begins a new part by hand, without losing or doubling a picture")
    func splitByHand() throws {
        let folder = try TemporaryFolder()
        let recording = try Recording(plan(folder, pace: .live))
        while recording.status.encodedFrames < 10 { usleep(1000) }
        recording.split()
        while recording.status.parts < 2 { usleep(1000) }
        recording.stop()
        let result = recording.wait()
        #expect(result.end == .stopped)
        #expect(result.parts.count == 2 && folder.names == ["a.mp4", "a_part02.mp4"])
        #expect(result.parts.reduce(0) { $0 + $1.tracks[0].sampleCount } == Int(result.status.encodedFrames))
        #expect(result.unsavedFrames == 0)
    }

    @Test("keeps every picture of the present part when the next one's file cannot be made")
    func noNextPart() throws {
        let folder = try TemporaryFolder()
        let elsewhere = folder.path + "-elsewhere"
        defer { rename(elsewhere, folder.path) }
        var plan = try plan(folder, tracks: 0)
        plan.splits = SplitLimits(byteCount: 0, nanoseconds: 4_900_000_000)
        let path = folder.path
        plan.openVideo = { () throws(Failure) in
            try BreakingPicture(after: 1000) { rename(path, elsewhere) }
        }
        let result = try Recording(plan).wait()
        guard case .failed(let failure) = result.end else {
            Issue.record("the end is \(result.end)")
            return
        }
        #expect(failure.kind == .noMedium)
        #expect(result.parts.count == 1 && result.unfinished.isEmpty)
        // The failure may be told only after the next part was begun: its pictures have no file.
        let present = min(result.status.encodedFrames, 147)
        #expect(present > 0 && result.parts.first.map { Int64($0.tracks[0].sampleCount) } == present)
    }

    @Test("takes the next name of a folder when another recording was quicker, and says so")
    func takenFolderName() throws {
        let folder = try TemporaryFolder()
        var plan = try plan(folder, frames: 5)
        plan.name = try RecordingName(for: folder.path, at: 0, isSynchronised: true)
        close(open(plan.name.path(ofPart: 1), O_CREAT | O_WRONLY, 0o644))
        let result = try Recording(plan).wait()
        #expect(result.end == .sourceEnded)
        let part = try #require(result.parts.first)
        #expect(part.path == plan.name.path(ofPart: 1).replacing("_0001.mp4", with: "_0002.mp4"))
        #expect(result.notices.contains { $0.contains(part.path) })
    }

    @Test("never makes a part larger than its limit")
    func sizeLimit() throws {
        let folder = try TemporaryFolder()
        var plan = try plan(folder, frames: 900)
        plan.splits = SplitLimits(byteCount: 600_000, nanoseconds: 0)
        let result = try Recording(plan).wait()
        #expect(result.parts.count > 1)
        #expect(result.parts.reduce(0) { $0 + $1.tracks[0].sampleCount } == 900)
        for part in result.parts { #expect(part.byteCount <= 600_000) }
    }

    @Test("uses the next free name for a part whose name is taken")
    func takenName() throws {
        let folder = try TemporaryFolder()
        close(open("\(folder.path)/a_part02.mp4", O_CREAT | O_WRONLY, 0o644))
        var plan = try plan(folder, frames: 90)
        plan.splits = SplitLimits(byteCount: 0, nanoseconds: 2_000_000_000)
        let result = try Recording(plan).wait()
        #expect(result.parts.map { String($0.path.dropFirst(folder.path.count + 1)) } == ["a.mp4", "a_part03.mp4"])
    }
}
