import Capture
import Encoding
import Judges
import Linux
import MP4
import Media
import Testing

@testable import Recorder

@Suite("A signal that is lost while it is recorded")
struct SignalLossTests {
    private func record(
        _ script: [ScriptedInput.Step], _ policy: SignalLossPolicy, _ folder: TemporaryFolder,
        _ encoding: EncodingPlan = SignalLossTests.software
    ) throws -> RecordingResult {
        let tone: @Sendable () throws(Failure) -> any AudioSource = { () throws(Failure) in TestTone(rate: .thirty) }
        return try Recording(
            RecordingPlan(
                openVideo: { () throws(Failure) in try ScriptedInput(script, drawsSlate: policy == .slate) },
                openAudio: [tone], encoding: encoding, name: try folder.name(), signalLoss: policy)
        ).wait()
    }

    private static let software = EncodingPlan(
        preference: .software, bitrate: 500_000, preset: .fixed(.ultrafast), threads: 1)

    /// The numbers of the pictures at which decoding can begin.
    private func keyFrames(_ path: String) throws -> [Int64] {
        let movie = try MovieReader(path: path)
        var cursor = try movie.samples(ofTrack: 0)
        var numbers: [Int64] = []
        while let sample = try cursor.next() {
            if sample.isSync { numbers.append(sample.index) }
        }
        return numbers
    }

    private static let period = FrameRate.thirty.nanoseconds(of: 1)

    @Test("slates go on in the same file, with a key frame where they begin and where they end")
    func slate() throws {
        let folder = try TemporaryFolder()
        let result = try record([.pictures(20), .loss(.noCable, 10), .pictures(15)], .slate, folder)
        #expect(result.end == .sourceEnded && folder.names == ["a.mp4"])
        let part = try #require(result.parts.first)
        let missing = Int(result.status.droppedFrames + result.status.lostFrames)
        #expect(part.tracks[0].sampleCount == 45 - missing)
        let gap = try #require(result.gaps.first)
        #expect(result.gaps.count == 1 && gap.state == .noCable)
        if missing == 0 {
            #expect(gap.start == FrameRate.thirty.nanoseconds(of: 19))
            #expect(gap.end == FrameRate.thirty.nanoseconds(of: 30))
            #expect(try keyFrames(part.path) == [0, 20, 30])
        }
        #expect(part.tracks[1].nanoseconds >= part.tracks[0].nanoseconds)
        #expect(result.notices.contains { $0.contains("no cable") })
        #expect(try Checker.check(path: part.path).faults.isEmpty)
    }

    @Test("with the policy split a part ends at the loss, and nothing is recorded until pictures come in again")
    func split() throws {
        let folder = try TemporaryFolder()
        let result = try record([.pictures(20), .loss(.noSignal, 45), .pictures(15)], .split, folder)
        #expect(result.end == .sourceEnded && folder.names == ["a.mp4", "a_part02.mp4"])
        let missing = Int(result.status.droppedFrames + result.status.lostFrames)
        #expect(result.parts.reduce(0) { $0 + $1.tracks[0].sampleCount } == 35 - missing)
        for part in result.parts {
            #expect(abs(part.tracks[0].nanoseconds - part.tracks[1].nanoseconds) < 25_000_000, "\(part)")
            #expect(try Checker.check(path: part.path).faults.isEmpty)
        }
        #expect(result.gaps.map(\.state) == [.noSignal])
        let gap = try #require(result.gaps.first)
        #expect(gap.end - gap.start >= 45 * Self.period)
    }

    @Test("a picture that the encoder keeps until the signal is back is in no part, and is told as dropped")
    func kept() throws {
        let folder = try TemporaryFolder()
        var encoding = Self.software
        encoding.maker = FakeEncoders { configuration throws(Failure) in
            try KeepingEncoder(configuration, KeepingEncoder.Log())
        }
        let result = try record([.pictures(20), .loss(.noSignal, 45), .pictures(15)], .split, folder, encoding)
        #expect(result.end == .sourceEnded && folder.names == ["a.mp4", "a_part02.mp4"])
        #expect(result.status.discardedFrames == 0 && result.status.droppedFrames >= 1)
        let missing = Int(result.status.droppedFrames + result.status.lostFrames)
        #expect(result.parts.reduce(0) { $0 + $1.tracks[0].sampleCount } == 35 - missing)
        for part in result.parts {
            // The gap is in neither.
            #expect(part.tracks[0].nanoseconds <= 20 * Self.period + 1_000_000, "\(part)")
            #expect(abs(part.tracks[0].nanoseconds - part.tracks[1].nanoseconds) < 25_000_000, "\(part)")
            #expect(try Checker.check(path: part.path).faults.isEmpty)
        }
    }

    @Test("with the policy stop the recording ends at the loss, and says so")
    func stop() throws {
        let folder = try TemporaryFolder()
        let result = try record([.pictures(20), .loss(.noLock, 10), .pictures(15)], .stop, folder)
        #expect(result.end == .signalLost(.noLock))
        let part = try #require(result.parts.first)
        let missing = Int(result.status.droppedFrames + result.status.lostFrames)
        #expect(result.parts.count == 1 && part.tracks[0].sampleCount == 20 - missing)
    }

    @Test("before the first picture it is no recording", arguments: SignalLossPolicy.allCases)
    func noPicture(policy: SignalLossPolicy) throws {
        let folder = try TemporaryFolder()
        let result = try record([.loss(.noCable, 10), .pictures(15)], policy, folder)
        guard case .failed(let failure) = result.end else {
            Issue.record("the end is \(result.end)")
            return
        }
        #expect(failure.kind == .noSignal)
        #expect(folder.names.isEmpty && result.parts.isEmpty)
    }

    @Test("pictures of another size begin a new part, and no sound is lost or doubled")
    func reshape() throws {
        let folder = try TemporaryFolder()
        let result = try record(
            [.pictures(20), .loss(.noSignal, 10), .size(640, 360), .pictures(25)], .slate, folder)
        #expect(result.end == .sourceEnded && folder.names == ["a.mp4", "a_part02.mp4"])
        let reports = try result.parts.map { try Checker.check(path: $0.path) }
        #expect(reports.map { $0.tracks[0].width } == [320, 640] && reports.map { $0.tracks[0].height } == [240, 360])
        for report in reports { #expect(report.faults.isEmpty) }
        let missing = Int(result.status.droppedFrames + result.status.lostFrames)
        #expect(result.parts.reduce(0) { $0 + $1.tracks[0].sampleCount } == 55 - missing)
        let (first, last) = try (#require(result.firstFrameTime), #require(result.lastFrameTime))
        let samples = AudioFormat.standard.samples(in: last - first + Self.period)
        #expect(result.parts.reduce(0) { $0 + $1.tracks[1].sampleCount } == Int(samples + 1023) / 1024)
        #expect(result.gaps.map(\.state) == [.noSignal])
    }

    @Test(
        "a shape that cannot be recorded does not end the recording, however long it stays", arguments: [false, true])
    func misfit(givesOnlyChanges: Bool) throws {
        let folder = try TemporaryFolder()
        let script: [ScriptedInput.Step] = [.pictures(20), .misfit]
        let recording = try Recording(
            RecordingPlan(
                openVideo: { () throws(Failure) in
                    try ScriptedInput(script, drawsSlate: true, givesOnlyChanges: givesOnlyChanges)
                }, openAudio: [], encoding: Self.software, name: try folder.name()))
        var notices: [String] = []
        while !notices.contains(where: { $0.contains("interlaced") }) {
            notices += recording.takeNotices()
            sleep(milliseconds: 5)
        }
        // Longer than a source may be silent that tells nothing of its signal.
        sleep(milliseconds: 5600)
        recording.stop()
        let result = recording.wait()
        #expect(result.end == .stopped && result.parts.count == 1)
    }

    private func sleep(milliseconds: Int32) {
        _ = try? EventDescriptor().wait(milliseconds: milliseconds)
    }
}
