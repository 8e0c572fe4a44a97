import Linux
import Media
import Testing

@testable import Encoding

@Suite("The effort of the software encoder")
struct EffortTests {
    /// A machine that needs this share of a frame's time for the whole effort.
    private struct Machine {
        var governor = EffortGovernor(startingAt: .whole, rate: .thirty, capacity: 8)
        var changes: [(frame: Int, step: EffortStep)] = []
        var frame = 0

        mutating func run(seconds: Int, load: Double, waiting: Int = 0) {
            run(frames: seconds * 30, load: load, waiting: waiting)
        }

        mutating func run(frames: Int, load: Double, waiting: Int = 0) {
            for _ in 0..<frames {
                let time = Int64(33_333_333 * load * governor.step.cost)
                if let step = governor.note(nanoseconds: time, waiting: waiting) { changes.append((frame, step)) }
                frame += 1
            }
        }
    }

    @Test("a machine with time to spare is left alone")
    func calm() {
        var machine = Machine()
        machine.run(seconds: 600, load: 0.85)
        #expect(machine.changes.isEmpty)
    }

    @Test("one slow frame changes nothing")
    func singleFrame() {
        var machine = Machine()
        machine.run(seconds: 5, load: 0.5)
        #expect(machine.governor.note(nanoseconds: 90_000_000, waiting: 2) == nil)
        machine.run(seconds: 5, load: 0.5)
        #expect(machine.changes.isEmpty)
    }

    @Test("a machine that cannot keep up gets less work within a second, and no less than needed")
    func overloaded() {
        var machine = Machine()
        machine.run(seconds: 1, load: 1)
        #expect(machine.changes.map(\.step) == [.plain])
        machine.run(seconds: 60, load: 1)
        #expect(machine.changes.map(\.step) == [.plain])
    }

    @Test("a queue that fills is reason enough")
    func filling() {
        var machine = Machine()
        machine.run(seconds: 2, load: 0.8, waiting: 6)
        #expect(machine.changes.map(\.step) == [.plain, .coarse])
    }

    @Test("at the last step nothing more is taken, and none is left again")
    func last() {
        var machine = Machine()
        machine.run(seconds: 60, load: 5, waiting: 8)
        machine.run(seconds: 600, load: 0.1)
        #expect(machine.changes.map(\.step) == [.plain, .coarse])
    }

    @Test("effort comes back once the machine has been calm for ten seconds, and never beyond where it began")
    func back() throws {
        var machine = Machine()
        machine.run(seconds: 2, load: 1)
        #expect(machine.changes.map(\.step) == [.plain])
        let calm = machine.frame
        machine.run(seconds: 120, load: 0.4)
        #expect(machine.changes.map(\.step) == [.plain, .whole])
        #expect(try #require(machine.changes.last).frame - calm >= 299)
        var other = EffortGovernor(startingAt: .plain, rate: .thirty, capacity: 8)
        for _ in 0..<3000 { #expect(other.note(nanoseconds: 1000, waiting: 0) == nil) }
    }

    @Test("a load between two steps is tried ever more seldom")
    func between() {
        // Calm enough to try more, too much once it is tried: other work comes just then.
        var machine = Machine()
        machine.run(seconds: 1, load: 1)
        var tries: [Int] = []
        while machine.frame < 20_000 * 30 {
            let isMore = machine.governor.step == .whole
            machine.run(frames: 1, load: isMore ? 1 : 0.5)
            if !isMore && machine.governor.step == .whole { tries.append(machine.frame) }
        }
        let gaps = zip(tries, tries.dropFirst()).map { $1 - $0 }
        #expect(gaps.count > 3 && gaps[1] > gaps[0] && gaps[2] > gaps[1])
        #expect((gaps.max() ?? 0) <= 600 * 30 + 60)
        #expect(gaps.last == gaps.max())
    }

    @Test("all steps write streams with the same parameter sets")
    func parameterSets() throws {
        let format = SoftwareEncoderTests.format()
        var encoder = try X264Encoder(
            X264Parameters(SoftwareEncoderTests.configuration(format), effort: .superfast, threads: 1))
        let frame = VideoFrame(index: 0, width: 320, height: 240, pixelFormat: .nv12)
        TestPictures(format).draw(0, into: frame)
        for (number, step) in EffortStep.allCases.enumerated() {
            try encoder.apply(step)
            _ = try encoder.encode(frame, number: Int64(number), forcingKeyFrame: true, into: EncodedPacket())
            #expect(try encoder.presentParameterSets() == encoder.parameterSets)
        }
        #expect(try SequenceParameterSet(encoder.parameterSets.sequence).profile == 100)
    }

    @Test("steps on the way leave the stream whole, and its pictures what they were")
    func onTheWay() throws {
        let format = SoftwareEncoderTests.format(640, 360)
        let parameters = try X264Parameters(
            SoftwareEncoderTests.configuration(format, bitrate: 6_000_000), effort: .superfast, threads: 2)
        var encoder = try X264Encoder(parameters)
        let pictures = TestPictures(format, noise: 4)
        let frame = VideoFrame(index: 0, width: 640, height: 360, pixelFormat: .nv12)
        var samples: [[UInt8]] = []
        let steps: [Int: EffortStep] = [8: .plain, 16: .whole, 24: .plain, 32: .coarse]
        for number in 0..<45 {
            if let step = steps[number] { try encoder.apply(step) }
            pictures.draw(number, into: frame)
            let packet = EncodedPacket()
            #expect(
                try encoder.encode(frame, number: Int64(number), forcingKeyFrame: false, into: packet) == Int64(number))
            samples.append(Array(packet.bytes))
        }
        let decoded = try StreamFile(StreamFile.annexB(encoder.parameterSets, samples)).decoded()
        let count = 640 * 360 * 3 / 2
        try #require(decoded.count == 45 * count)
        for number in stride(from: 3, to: 45, by: 4) {
            let original = pictures.planar(number)
            var difference = 0
            for index in 0..<count { difference += abs(Int(decoded[number * count + index]) - Int(original[index])) }
            #expect(difference < 3 * count, "picture \(number) is not the one that went in")
        }
    }

    @Test("a step of effort and a picture that may cost more, between the same two pictures, are both heeded")
    func together() throws {
        let format = SoftwareEncoderTests.format(320, 240)
        let pictures = TestPictures(format, noise: 24)
        let frame = VideoFrame(index: 0, width: 320, height: 240, pixelFormat: .nv12)
        /// The pictures behind a change.
        func stream(_ change: (inout X264Encoder) throws -> Void) throws -> [UInt8] {
            var encoder = try X264Encoder(
                X264Parameters(
                    SoftwareEncoderTests.configuration(format, bitrate: 1_000_000), effort: .superfast, threads: 1))
            var bytes: [UInt8] = []
            for number in 0..<12 {
                if number == 4 { try change(&encoder) }
                pictures.draw(number, into: frame)
                let packet = EncodedPacket()
                _ = try encoder.encode(frame, number: Int64(number), forcingKeyFrame: number % 4 == 0, into: packet)
                if number >= 4 { bytes += packet.bytes }
            }
            return bytes
        }
        let stepFirst = try stream {
            try $0.apply(.coarse)
            try $0.spend(bitsOf: 4)
        }
        let spanFirst = try stream {
            try $0.spend(bitsOf: 4)
            try $0.apply(.coarse)
        }
        #expect(stepFirst == spanFirst)
        #expect(try stepFirst != stream { try $0.apply(.coarse) })
        #expect(try stepFirst != stream { try $0.spend(bitsOf: 4) })
    }

    @Test("an encoder that cannot keep up says so, once for each step, and goes on with the same stream")
    func told() throws {
        // No thread encodes five hundred of these a second.
        let format = SoftwareEncoderTests.format(1280, 720, try #require(FrameRate(500)))
        var configuration = SoftwareEncoder.Configuration(format: format)
        configuration.threads = 1
        let encoder = try SoftwareEncoder(
            configuration, start: MachineSpeed.Start(effort: .superfast, step: .whole))
        #expect(encoder.name == "x264 superfast")
        let stream = try EncodedStream(encoder, TestPictures(format, noise: 16), count: 300)
        #expect(stream.notices.count == 2 && stream.notices.allSatisfy { $0.contains("less effort") })
        #expect(encoder.name == "x264 superfast with coarse motion")
        #expect(stream.parameterSets.count == 1)
        #expect(try stream.decoded(encoder.parameterSets).count == 300 * 1280 * 720 * 3 / 2)
    }

    @Test("a source that waits for the encoder keeps its effort")
    func patient() throws {
        let format = SoftwareEncoderTests.format(1280, 720, try #require(FrameRate(500)))
        var configuration = SoftwareEncoder.Configuration(format: format)
        configuration.isLive = false
        let encoder = try SoftwareEncoder(
            configuration, start: MachineSpeed.Start(effort: .superfast, step: .whole))
        let stream = try EncodedStream(encoder, TestPictures(format, noise: 16), count: 150)
        #expect(stream.notices.isEmpty && encoder.name == "x264 superfast")
    }

    @Test("the start follows from what a macroblock takes")
    func start() {
        let format = SoftwareEncoderTests.format(1920, 1080)
        func start(_ nanoseconds: Double?) -> MachineSpeed.Start {
            MachineSpeed.choose(nanosecondsPerMacroblock: nanoseconds, format)
        }
        #expect(start(1500) == MachineSpeed.Start(effort: .superfast, step: .whole))
        #expect(start(2700) == MachineSpeed.Start(effort: .superfast, step: .plain))
        #expect(start(20_000) == MachineSpeed.Start(effort: .ultrafast))
        #expect(start(nil) == MachineSpeed.Start(effort: .ultrafast))
    }

    @Test("the automatic preset measures and encodes", arguments: [(160, 120), (1920, 1080)])
    func automatic(width: Int, height: Int) throws {
        let format = SoftwareEncoderTests.format(width, height)
        let encoder = try SoftwareEncoder(SoftwareEncoder.Configuration(format: format))
        #expect(encoder.name.hasPrefix("x264 superfast") || encoder.name == "x264 ultrafast")
        let stream = try EncodedStream(encoder, TestPictures(format), count: 5)
        #expect(try stream.decoded(encoder.parameterSets).count == 5 * width * height * 3 / 2)
    }

    @Test("key frames follow the frames' times")
    func keyFrames() {
        var clock = KeyFrameClock(seconds: 2, rate: .thirty)
        let start = MonotonicTime(nanoseconds: 5)
        #expect(clock.isDue(at: start))
        clock.note(start)
        #expect(!clock.isDue(at: start + 1_900_000_000))
        #expect(clock.isDue(at: start + 1_990_000_000))
    }
}
