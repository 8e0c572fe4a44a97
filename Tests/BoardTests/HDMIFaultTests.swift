import CKernel
import Capture
import Glibc
import Judges
import Linux
import Media
import Testing
import V4L2

extension BoardTests {
    @Suite("HDMI input whose driver errs")
    struct HDMIFaultTests {
        private static let path = "/dev/board/hdmi"
        private static let planes = "/dev/board/hdmi-planes"

        private static func open(
            _ memory: FrameMemory = .device, path: String = path, mode: String = "1280x720@60"
        ) throws -> InputRun<HDMIInput> {
            try Board.shell(
                "boardctl hdmi \(path.hasSuffix("planes") ? "--planes" : "") on \(mode); v4l2-ctl -d \(path) -c timestamp_source=1"
            )
            let input = try HDMIInput(opening: path)
            try input.prepare(memory)
            return try InputRun(input)
        }

        @Test("frames that the driver drops are counted as lost, each")
        func dropped() throws {
            let run = try Self.open()
            try Vivid.set(Vivid.droppedPercentage, to: 20, on: Self.path)
            defer { try? Vivid.set(Vivid.droppedPercentage, to: 0, on: Self.path) }
            try run.input.start()
            #expect(try run.take(200))
            let numbers = run.pictures.map(\.sequence)
            let missing = (numbers.last ?? 0) - (numbers.first ?? 0) + 1 - UInt64(numbers.count)
            #expect(missing > 10 && run.input.lostFrames == missing)
            #expect(run.changes.isEmpty)
        }

        @Test("damaged frames do not come, and count as lost")
        func damaged() throws {
            let run = try Self.open()
            try run.input.start()
            #expect(try run.take(10))
            let before = run.input.lostFrames
            for _ in 0..<5 {
                try Vivid.set(Vivid.damagedBuffer, on: Self.path)
                #expect(try run.take(5))
            }
            #expect(run.input.lostFrames >= before + 5)
            #expect(run.changes.isEmpty)
            #expect(run.disorder.isEmpty)
        }

        @Test("numbers and times that start again at 0 are no gaps and no jumps", arguments: [1, 2] as [Int32])
        func wrapped(timestamps: Int32) throws {
            try Vivid.set(Vivid.wrapSequence, on: Self.path)
            try Vivid.set(Vivid.wrapTimestamp, to: timestamps, on: Self.path)
            defer {
                try? Vivid.set(Vivid.wrapSequence, to: 0, on: Self.path)
                try? Vivid.set(Vivid.wrapTimestamp, to: 0, on: Self.path)
            }
            let run = try Self.open()
            try run.input.start()
            let start = MonotonicTime.now
            #expect(try run.take(300))
            let end = MonotonicTime.now
            #expect(run.changes.isEmpty)
            #expect(run.disorder.isEmpty)
            #expect(!run.input.trustsDriverTimes)
            #expect(run.pictures.allSatisfy { $0.time > start && $0.time < end })
            let numbers = run.pictures.map(\.sequence)
            let missing = (numbers.last ?? 0) - (numbers.first ?? 0) + 1 - UInt64(numbers.count)
            #expect(missing < 10_000 && run.input.lostFrames == missing)
        }

        @Test("a request that fails at the start is told, and the next start succeeds")
        func failingStart() throws {
            for control in [Vivid.reqbufsError, Vivid.streamonError] {
                var failure: Failure?
                do throws(any Error) {
                    let input = try HDMIInput(opening: Self.path)
                    try Vivid.set(control, on: Self.path)
                    try input.prepare(.device)
                    try input.start()
                } catch {
                    failure = error as? Failure
                }
                #expect(failure?.kind == .noSource)
                #expect(failure?.thing.contains("vivid") == true)
                let run = try Self.open()
                try run.input.start()
                #expect(try run.take(3))
            }
        }

        @Test("a device that takes its time to stop is not waited for")
        func slowStop() throws {
            // No input of the board is slow; its encoder can be.
            let slow = "/sys/module/vh264enc/parameters/hang_streamoff_ms"
            try Board.shell("echo 2000 >\(slow)")
            defer { _ = try? Board.shell("echo 0 >\(slow)") }
            let device = try V4L2Device(opening: "/dev/board/encoder")
            let format = try device.set(V4L2Format(width: 64, height: 64, fourcc: CKERNEL_FOURCC_NV12), .output)
            let queue = try V4L2Queue(device, .output, format, count: 2)
            try queue.start()
            let stop = try queue.beginStop()
            #expect(!stop.hasEnded && !queue.isStreaming)
            #expect(!stop.wait(milliseconds: 1) && stop.wait(milliseconds: 20_000) && stop.hasEnded)
            try queue.start()
            try queue.stop()
        }

        @Test("requests that fail while pictures come cost a moment, and no more")
        func failingRequests() throws {
            let run = try Self.open()
            try run.input.start()
            #expect(try run.take(10))
            for _ in 0..<20 {
                try Vivid.set(Vivid.qbufError, on: Self.path)
                #expect(try run.take(2))
            }
            #expect(run.changes.isEmpty)
            #expect(run.disorder.isEmpty)
            try Vivid.set(Vivid.fatalError, on: Self.path)
            #expect(try run.go(until: { run.returns == 1 }))
            #expect(try run.take(10))
            #expect(run.losses.count == 1)
            #expect(run.disorder.isEmpty)
            // The first try to go on fails too.
            try Vivid.set(Vivid.streamonError, on: Self.path)
            try Vivid.set(Vivid.fatalError, on: Self.path)
            #expect(try run.go(until: { run.returns == 2 }))
            #expect(try run.take(10))
        }

        @Test(
            "a device that goes and comes back under another number is found again",
            arguments: [path, planes], [false, true])
        func anotherNumber(path: String, isMapped: Bool) throws {
            let run = try Self.open(isMapped ? .process : .device, path: path)
            try run.input.start()
            #expect(try run.take(10))
            let number = try Board.shell("readlink -f \(path)")
            // Whoever has a device open keeps its number.
            let holder = try V4L2Device(opening: path)
            try Board.control("hdmi", "unplug")
            #expect(try run.go(until: { run.slates.count >= 5 }))
            #expect(run.losses == [.unplugged] && run.input.signal == .unplugged)
            try Board.control("hdmi", "plug")
            try Vivid.set(.selected, on: path)
            let mode = path.hasSuffix("planes") ? "--planes" : ""
            try Board.shell("boardctl hdmi \(mode) on 1280x720@60; test $(readlink -f \(path)) != \(number)")
            #expect(try run.go(until: { run.returns == 1 }))
            #expect(try run.take(10))
            #expect(run.reshapes == 0 && run.input.path != holder.path)
            #expect(run.disorder.isEmpty)
        }

        @Test("a device that comes back with another signal is told to be another")
        func anotherShape() throws {
            let run = try Self.open(mode: "640x480@59")
            try run.input.start()
            #expect(try run.take(10))
            try Board.control("hdmi", "unplug")
            #expect(try run.go(until: { run.losses == [.unplugged] }))
            try Board.control("hdmi", "plug")
            #expect(try run.go(until: { run.reshapes == 1 }))
            try run.input.adopt()
            #expect(run.input.format.height == 720)
            try run.input.prepare(.device)
            try run.input.start()
            #expect(try run.take(10))
            #expect(run.returns == 0)
            #expect(run.disorder.isEmpty)
        }

        @Test("a device that is disconnected for a moment is opened anew")
        func disconnected() throws {
            let run = try Self.open()
            try run.input.start()
            #expect(try run.take(10))
            try Vivid.set(Vivid.disconnect, on: Self.path)
            #expect(try run.go(until: { run.losses == [.unplugged] }))
            #expect(try run.go(until: { run.returns == 1 }))
            #expect(try run.take(10))
            #expect(run.reshapes == 0)
            #expect(run.disorder.isEmpty)
        }
    }
}
