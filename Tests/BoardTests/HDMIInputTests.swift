import Capture
import Glibc
import Judges
import Linux
import Media
import Testing
import V4L2

extension BoardTests {
    @Suite("HDMI input, as recordings use it")
    struct HDMIInputTests {
        static let paths = ["/dev/board/hdmi", "/dev/board/hdmi-planes"]

        /// A signal at an input.
        private static func show(_ mode: String, on path: String) throws {
            try Board.hdmi(path, "on", mode)
        }

        /// An input with frames in its own memory, and captured.
        private static func run(_ path: String, _ memory: FrameMemory = .device) throws -> InputRun<HDMIInput> {
            let input = try HDMIInput(opening: path)
            try input.prepare(memory)
            try input.start()
            return try InputRun(input)
        }

        private static func refusal(of path: String) -> Failure? {
            do throws(Failure) {
                _ = try HDMIInput(opening: path)
                return nil
            } catch {
                return error
            }
        }

        @Test(
            "without a signal an input is refused, and the reason is the true one",
            arguments: [
                (Vivid.Signal.none, SignalState.noCable), (.noLock, .noLock), (.outOfRange, .outOfRange),
            ])
        func refused(signal: Vivid.Signal, state: SignalState) throws {
            for path in Self.paths {
                try Vivid.set(signal, on: path)
                defer { try? Self.show("1280x720@60", on: path) }
                let failure = Self.refusal(of: path)
                #expect(failure?.kind == .noSignal)
                let name = try V4L2Device(opening: path).name
                #expect(failure == state.failure(of: name))
            }
        }

        @Test("another size that is gone again before it was taken over has not been")
        func shortVisit() throws {
            let path = Self.paths[0]
            try Self.show("1280x720@60", on: path)
            let run = try Self.run(path)
            #expect(try run.take(3))
            try Self.show("640x480@59", on: path)
            #expect(try run.go(until: { run.reshapes == 1 }))
            let slates = run.slates.count
            try Self.show("1280x720@60", on: path)
            #expect(try run.go(until: { run.returns == 1 }))
            #expect(try run.take(3))
            #expect(run.slates.count > slates)
            #expect(run.disorder.isEmpty)
        }

        @Test("a size that has gone when it is to be taken over: what comes in instead is taken over", arguments: paths)
        func goneBeforeAdoption(path: String) throws {
            try Self.show("1280x720@60", on: path)
            let run = try Self.run(path)
            #expect(try run.take(3))
            try Self.show("640x480@59", on: path)
            #expect(try run.go(until: { run.reshapes == 1 }))
            try Self.show("1280x720@60", on: path)
            #expect(try run.go(until: { run.returns == 1 }))
            // Its reader has put the encoder away, and all of its memory.
            #expect(throws: Failure.self) { try run.input.adopt() }
            #expect(try run.go(until: { run.reshapes == 2 }))
            try run.input.adopt()
            _ = try run.input.choose(try #require(try run.input.offers().first))
            try run.input.prepare(.device)
            try run.input.start()
            #expect(run.input.format.width == 1280)
            #expect(try run.take(3))
            #expect(run.disorder.isEmpty)
        }

        @Test("an interlaced picture is known as one, and refused; one that comes later is lost", arguments: paths)
        func interlaced(path: String) throws {
            let mode = try Board.shell(
                "v4l2-ctl -d \(path) -L | sed -n 's/^[[:space:]]*\\([0-9]*\\): 1920x1080i25$/\\1/p'")
            func show() throws {
                let number = mode.prefix { !$0.isWhitespace }
                try Board.shell("v4l2-ctl -d \(path) -c dv_timings=\(number),dv_timings_signal_mode=4")
            }
            let shape = SignalShape(width: 1920, height: 1080, rate: try #require(FrameRate(25)), isInterlaced: true)
            try show()
            #expect(Self.refusal(of: path)?.cause == "its pictures are interlaced")
            try Self.show("1280x720@60", on: path)
            let run = try Self.run(path)
            #expect(try run.take(3))
            try show()
            #expect(try run.go(until: { run.input.signal == .locked(shape) }))
            #expect(run.losses.last == .locked(shape) && run.reshapes == 0)
            let slates = run.slates.count
            #expect(try run.go(until: { run.slates.count >= slates + 3 }))
            try Self.show("1280x720@60", on: path)
            #expect(try run.take(3))
            #expect(run.returns == 1)
            #expect(run.disorder.isEmpty)
        }

        @Test("what comes in is known, and recorded as it is", arguments: paths, ["640x480@59", "1280x720@60"])
        func shape(path: String, mode: String) throws {
            try Self.show(mode, on: path)
            let input = try HDMIInput(opening: path)
            let isSmall = mode.hasPrefix("640")
            let rate = try #require(isSmall ? FrameRate(60000, 1001) : FrameRate(60))
            let shape = SignalShape(
                width: isSmall ? 640 : 1280, height: isSmall ? 480 : 720, rate: rate, isInterlaced: false)
            #expect(input.signal == .locked(shape))
            #expect(input.format.rate == rate && input.format.width == shape.width)
            let offers = try input.offers()
            #expect(offers.allSatisfy { $0.width == shape.width && $0.height == shape.height })
            #expect(offers.count >= 8)
            for offer in offers { #expect(try input.choose(offer) == offer) }
        }

        @Test("frames in the device's own memory have their pieces and no other address", arguments: paths)
        func shared(path: String) throws {
            try Self.show("1280x720@60", on: path)
            let run = try Self.run(path)
            let pieces = try run.input.offers()[0].planes.count
            var others = 0
            let isDone = try run.go(
                each: { if !$0.planes.isEmpty || $0.buffers.count != pieces { others += 1 } },
                until: { run.taken.count == 120 })
            #expect(isDone && others == 0)
            run.input.stop()
            #expect(run.changes.isEmpty && run.slates.isEmpty)
            #expect(run.disorder.isEmpty)
            #expect(run.input.trustsDriverTimes)
        }

        @Test(
            "lost and back, again and again: each told, nothing but true pictures and slates",
            arguments: [("/dev/board/hdmi", 100), ("/dev/board/hdmi-planes", 10)])
        func lostAndBack(path: String, times: Int) throws {
            try Self.show("1280x720@60", on: path)
            let run = try Self.run(path)
            for round in 1...times {
                #expect(try run.take(3))
                try Vivid.set(.none, on: path)
                #expect(try run.go(until: { run.losses.count == round && run.taken.last?.isSlate == true }))
                try Vivid.set(.selected, on: path)
                #expect(try run.go(until: { run.returns == round }))
            }
            #expect(try run.take(3))
            run.input.stop()
            #expect(run.losses.count == times && run.returns == times && run.reshapes == 0)
            #expect(Set(run.losses) == [.noCable])
            #expect(run.disorder.isEmpty)
            try checkGaps(run)
        }

        @Test("what an input sends while it has no signal is never taken for a picture", arguments: paths)
        func noise(path: String) throws {
            try Self.show("640x480@59", on: path)
            // Without a signal the driver sends noise; with one this picture is white all over.
            try Board.shell("v4l2-ctl -d \(path) -c test_pattern=6,osd_text_mode=2,timestamp_source=1")
            defer { _ = try? Board.shell("v4l2-ctl -d \(path) -c test_pattern=0,osd_text_mode=0,timestamp_source=0") }
            let input = try HDMIInput(opening: path, layout: .nv12)
            try input.prepare(.process)
            try input.start()
            let run = try InputRun(input)
            var noisy = 0
            func look(_ frame: VideoFrame) {
                guard !frame.isSlate else { return }
                let luma = frame.planes[0]
                let isWhite = (0..<640).allSatisfy {
                    luma.base.load(fromByteOffset: 240 * luma.bytesPerLine + $0, as: UInt8.self) >= 230
                }
                if !isWhite { noisy += 1 }
            }
            for round in 1...20 {
                let count = run.pictures.count + 3
                #expect(try run.go(each: look, until: { run.pictures.count >= count }))
                try Vivid.set(round % 2 == 0 ? .none : .noLock, on: path)
                // The reader is late: noise and the news of the loss wait for it together.
                usleep(20_000 * UInt32(round % 4))
                #expect(try run.go(each: look, until: { run.losses.count == round }))
                try Vivid.set(.selected, on: path)
                #expect(try run.go(each: look, until: { run.returns == round }))
            }
            #expect(noisy == 0)
        }

        /// Between a loss and a return there are slates alone, and nowhere else; and no picture was captured between.
        private func checkGaps(_ run: InputRun<HDMIInput>) throws {
            var isLost = false
            var (lostAt, place) = (MonotonicTime(nanoseconds: 0), 0)
            for (change, count) in zip(run.changes, run.takenBefore) {
                for taken in run.taken[place..<count] {
                    #expect(taken.isSlate == isLost)
                    if !taken.isSlate && lostAt.nanoseconds > 0 { #expect(taken.time > lostAt) }
                }
                place = count
                switch change {
                case .lost(_, let moment):
                    isLost = true
                    lostAt = moment
                    #expect(run.taken[..<count].allSatisfy { $0.time <= moment })
                case .returned: isLost = false
                case .reshaped: break
                }
            }
        }

        @Test("a signal that flaps stays lost until it holds still")
        func flapping() throws {
            let path = Self.paths[0]
            try Self.show("1280x720@60", on: path)
            let run = try Self.run(path)
            #expect(try run.take(3))
            for _ in 0..<20 {
                try Vivid.set(.none, on: path)
                let half = MonotonicTime.now + 60_000_000
                _ = try run.go(until: { MonotonicTime.now > half })
                try Vivid.set(.selected, on: path)
                let whole = MonotonicTime.now + 60_000_000
                _ = try run.go(until: { MonotonicTime.now > whole })
            }
            #expect(run.losses.count == 1 && run.returns == 0)
            #expect(try run.go(until: { run.returns == 1 }))
            #expect(try run.take(3))
            #expect(run.losses.count <= 2 && run.reshapes == 0)
            try checkGaps(run)
        }

        @Test("without slates nothing comes while the signal is lost")
        func withoutSlates() throws {
            let path = Self.paths[0]
            try Self.show("1280x720@60", on: path)
            let input = try HDMIInput(opening: path, drawsSlate: false)
            try input.prepare(.device)
            try input.start()
            let run = try InputRun(input)
            #expect(try run.take(3))
            try Vivid.set(.noLock, on: path)
            #expect(try run.go(until: { run.losses == [.noLock] }))
            let count = run.taken.count
            let end = MonotonicTime.now + 500_000_000
            _ = try run.go(until: { MonotonicTime.now > end })
            #expect(run.taken.count == count)
            try Vivid.set(.selected, on: path)
            #expect(try run.take(3))
            #expect(run.slates.isEmpty && run.returns == 1)
        }

        @Test("another size is told, nothing comes before it was taken over, and then it comes", arguments: paths)
        func otherSize(path: String) throws {
            try Self.show("1280x720@60", on: path)
            let run = try Self.run(path)
            #expect(try run.take(3))
            for (round, size) in [(640, "640x480@59"), (1920, "1920x1080@30"), (1280, "1280x720@60")].enumerated() {
                try Self.show(size.1, on: path)
                #expect(try run.go(until: { run.reshapes == round + 1 }))
                let count = run.taken.count
                let end = MonotonicTime.now + 300_000_000
                _ = try run.go(until: { MonotonicTime.now > end })
                #expect(run.taken.count == count)
                try run.input.adopt()
                #expect(run.input.format.width == size.0)
                let chosen = try run.input.choose(try run.input.offers()[0])
                #expect(chosen.width == size.0)
                try run.input.prepare(round == 1 ? .process : .device)
                try run.input.start()
                #expect(try run.take(3))
            }
            #expect(run.losses == [.noLock, .noLock, .noLock] && run.returns == 0)
            #expect(run.disorder.isEmpty)
        }
    }
}
