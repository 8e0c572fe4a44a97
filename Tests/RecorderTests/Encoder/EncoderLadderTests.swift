import Capture
import Encoding
import Glibc
import Linux
import Media
import Testing
import V4L2

@testable import Recorder

@Suite("An encoder that fails")
struct EncoderLadderTests {
    private let period = FrameRate.thirty.nanoseconds(of: 1)

    private func ladder(_ machine: FakeMachine, _ source: any VideoSource) throws -> EncoderLadder {
        var plan = EncodingPlan()
        plan.maker = machine
        return try EncoderLadder(for: source, plan, rate: nil)
    }

    private func input() throws -> ScriptedInput { try ScriptedInput([.pictures(1)], drawsSlate: true) }

    /// Submits pictures as a recording does, one a turn.
    /// - Returns: the times of the packets, in periods.
    private func feed(_ ladder: EncoderLadder, _ numbers: Range<Int64>) throws -> [Int64] {
        var times: [Int64] = []
        var out: [VideoFrame] = []
        for number in numbers {
            let frame = VideoFrame(index: Int(number % 4), planes: [])
            frame.time = MonotonicTime(nanoseconds: period * (number + 1))
            if try ladder.submit(frame, forcingKeyFrame: false) { out.append(frame) }
            while let packet = try ladder.nextPacket() {
                times.append(packet.time.nanoseconds / period - 1)
                ladder.recycle(packet)
            }
            while let frame = ladder.nextReleasedFrame() {
                let place = try #require(out.firstIndex { $0 === frame }, "a frame comes back once")
                out.remove(at: place)
            }
            if ladder.needsMending {
                #expect(out.isEmpty, "all frames are back before another encoder is opened")
                try ladder.mend()
            }
        }
        return times
    }

    private func notices(_ ladder: EncoderLadder) -> [String] {
        var list: [String] = []
        while let notice = ladder.nextNotice() {
            #expect(notice.kind == .failure && DeckNotice(notice).kind == .encoderChanged, "\(notice)")
            list.append(notice.words)
        }
        return list
    }

    @Test("the first way that opens is taken, and it is said why those before it were not")
    func first() throws {
        let machine = FakeMachine(
            [FakeMachine.way("one", .shared), FakeMachine.way("two", .lent), FakeMachine.way("three", .processor)],
            [.missing])
        let input = try input()
        let ladder = try ladder(machine, input)
        #expect(machine.opened == ["one imported", "two lent"] && ladder.name == "two")
        guard case .lent = input.prepared.last else {
            Issue.record("prepared for \(input.prepared)")
            return
        }
        #expect(notices(ladder).contains { $0.contains("one") && $0.contains("it is not there") })
    }

    @Test("none that opens is a failure with the last one's reason")
    func none() throws {
        let machine = FakeMachine([FakeMachine.way("one", .shared)], [.missing])
        #expect(throws: Failure(.encoderFailed, "cannot open one", because: "it is not there")) {
            _ = try ladder(machine, input())
        }
    }

    @Test("a device that stops giving pictures is opened once more, and what was in it is counted")
    func once() throws {
        let machine = FakeMachine([FakeMachine.way("one", .shared)], [.failing(after: 10)])
        let ladder = try ladder(machine, input())
        let times = try feed(ladder, 0..<30)
        #expect(times == Array(0..<10) + Array(11..<30), "the eleventh was in it")
        #expect(ladder.lostFrames == 1 && ladder.framesInside == 0 && ladder.pendingCount == 0)
        #expect(machine.opened == ["one imported", "one imported"])
        #expect(notices(ladder) == ["one failed (it stands still) and was opened again"])
    }

    @Test("a device that fails twice is given up, and the processor encodes what the source converts for it")
    func twice() throws {
        let machine = FakeMachine(
            [FakeMachine.way("one", .shared)], [.failing(after: 10), .failing(after: 5)])
        let input = try input()
        let ladder = try ladder(machine, input)
        let times = try feed(ladder, 0..<30)
        #expect(times == Array(0..<10) + Array(11..<16) + Array(17..<30))
        #expect(ladder.lostFrames == 2 && ladder.name == "x264")
        #expect(machine.opened == ["one imported", "one imported", "software"])
        guard case .process = input.prepared.last else {
            Issue.record("prepared for \(input.prepared)")
            return
        }
        #expect(notices(ladder).last?.contains("the processor encodes from here on") == true)
    }

    @Test("a device that cannot be opened again is given up at once")
    func gone() throws {
        let machine = FakeMachine([FakeMachine.way("one", .shared)], [.failing(after: 10), .missing])
        let ladder = try ladder(machine, input())
        #expect(try feed(ladder, 0..<30).count == 29)
        #expect(machine.opened == ["one imported", "one imported", "software"])
    }

    @Test("a device that never takes a picture gives way to the next way with the same layout")
    func refused() throws {
        let other = V4L2Format(width: 320, height: 240, fourcc: 0x5659_5559)
        let machine = FakeMachine(
            [
                FakeMachine.way("one", .shared), FakeMachine.way("other", .shared, other),
                FakeMachine.way("two", .processor),
            ],
            [.refusing])
        let ladder = try ladder(machine, input())
        let times = try feed(ladder, 0..<20)
        #expect(times == Array(1..<20), "a running source keeps its layout")
        #expect(machine.opened == ["one imported", "two written"])
    }

    @Test("pictures that a device leaves out are counted, and do not stay expected")
    func skipped() throws {
        let machine = FakeMachine([FakeMachine.way("one", .shared)], [.skipping(every: 10)])
        let ladder = try ladder(machine, input())
        #expect(try feed(ladder, 0..<35).count == 32)
        #expect(ladder.lostFrames == 3 && ladder.pendingCount == 0)
    }

    @Test("while a device is being opened the rest goes on, and may end the wait", arguments: [true, false])
    func late(waits: Bool) throws {
        let machine = FakeMachine([FakeMachine.way("one", .shared)], [.failing(after: 10), .late])
        let ladder = try ladder(machine, input())
        var turns = 0
        ladder.meanwhile = {
            turns += 1
            return waits || turns < 3
        }
        #expect(try feed(ladder, 0..<30).count == 29)
        #expect(waits ? turns > 3 && ladder.name == "one" : turns == 3 && ladder.name == "x264")
    }

    @Test("a packet of a dead encoder does not go back to the next one")
    func stray() throws {
        let machine = FakeMachine([FakeMachine.way("one", .shared)], [.failing(after: 1)])
        let ladder = try ladder(machine, input())
        let frame = VideoFrame(index: 0, planes: [])
        frame.time = MonotonicTime(nanoseconds: 1)
        _ = try ladder.submit(frame, forcingKeyFrame: false)
        let packet = try #require(try ladder.nextPacket())
        #expect(ladder.nextReleasedFrame() === frame)
        _ = try feed(ladder, 1..<2)
        let second = try #require(ladder.current as? FakeDeviceEncoder)
        ladder.recycle(packet)
        #expect(second.recycled == 0)
        #expect(try feed(ladder, 2..<5).count == 3 && second.recycled == 3)
    }

    @Test("at the end a device that fails is drained, and what was in it is counted")
    func draining() throws {
        let machine = FakeMachine([FakeMachine.way("one", .shared)], [.failing(after: 0)])
        let ladder = try ladder(machine, input())
        let frame = VideoFrame(index: 0, planes: [])
        frame.time = MonotonicTime(nanoseconds: 1)
        _ = try ladder.submit(frame, forcingKeyFrame: false)
        try ladder.drain()
        #expect(try ladder.nextPacket() == nil)
        #expect(ladder.isDrained && !ladder.needsMending && ladder.lostFrames == 1)
        #expect(ladder.nextReleasedFrame() === frame)
    }

    /// Drains an encoder and has the next one opened.
    private func renew(_ ladder: EncoderLadder) throws {
        try ladder.drain()
        while let packet = try ladder.nextPacket() { ladder.recycle(packet) }
        try ladder.renew()
        #expect(!ladder.isReady && ladder.room == 0)
        for _ in 0..<1000 where !ladder.isReady {
            while ladder.nextReleasedFrame() != nil {}
            try ladder.completeRenewal(isWhole: true)
            usleep(5000)
        }
        #expect(ladder.isReady && ladder.room > 0 && ladder.framesInside == 0)
    }

    @Test(
        "behind a recording the next encoder is opened in the same way, and shown its memory where that is its own",
        arguments: [VideoPath.Transfer.shared, .lent])
    func renewal(transfer: VideoPath.Transfer) throws {
        let machine = FakeMachine([FakeMachine.way("one", transfer)])
        let input = try input()
        let ladder = try ladder(machine, input)
        _ = try feed(ladder, 0..<10)
        try renew(ladder)
        #expect(machine.opened.count == 2 && !ladder.hasFallen)
        #expect(input.prepared.count == (transfer == .lent ? 2 : 1))
        #expect(try feed(ladder, 10..<20) == Array(10..<20) && ladder.lostFrames == 0)
    }

    @Test(
        "an encoder that is not there for the next recording is tried again, and then the processor encodes",
        arguments: [VideoPath.Transfer.shared, .lent])
    func lateForRenewal(transfer: VideoPath.Transfer) throws {
        let good = FakeMachine.Fate.failing(after: .max)
        for (fates, name) in [([good, .missing], "one"), ([good, .missing, .missing], "x264")] {
            let machine = FakeMachine([FakeMachine.way("one", transfer)], fates)
            let ladder = try ladder(machine, input())
            _ = try feed(ladder, 0..<10)
            try renew(ladder)
            #expect(ladder.name == name && ladder.hasFallen)
            #expect(try feed(ladder, 10..<20) == Array(10..<20))
        }
    }
}
