import Capture
import Glibc
import Linux
import Media
import Pixels
import Testing

@Suite("Test picture")
struct TestPatternTests {
    /// Frames of a picture that is made as fast as it is taken, each given to `body` and back.
    private func frames(of pattern: TestPattern, _ body: (VideoFrame) throws -> Void) throws {
        try pattern.start()
        while let frame = try pattern.nextFrame() {
            try body(frame)
            pattern.release(frame)
        }
        #expect(pattern.isFinished)
    }

    private func luma(_ frame: VideoFrame, _ x: Int, _ y: Int) -> UInt8 {
        frame.planes[0].base.load(fromByteOffset: y * frame.planes[0].bytesPerLine + x, as: UInt8.self)
    }

    @Test(
        "each frame carries its number and its exact time",
        arguments: [(160, 120), (640, 480), (1366, 768), (360, 640)])
    func numbersAndTimes(width: Int, height: Int) throws {
        let rate = try #require(FrameRate(30_000, 1001))
        let pattern = try TestPattern(width: width, height: height, rate: rate, pace: .onDemand, frameCount: 70)
        var count: Int64 = 0
        try frames(of: pattern) { frame in
            #expect(FrameNumberStrip.read(frame, width: width, height: height) == UInt32(count))
            #expect(frame.sequence == UInt64(count))
            #expect(frame.time - pattern.origin == rate.nanoseconds(of: count))
            count += 1
        }
        #expect(count == 70)
        #expect(pattern.lostFrames == 0)
    }

    @Test("the bars have the code values of BT.709 at 75 %", arguments: [PixelFormat.nv12, .yuv420])
    func bars(pixelFormat: PixelFormat) throws {
        let known: [SampleValue] = [
            SampleValue(y: 180, cb: 128, cr: 128), SampleValue(y: 168, cb: 44, cr: 136),
            SampleValue(y: 145, cb: 147, cr: 44), SampleValue(y: 133, cb: 63, cr: 52),
            SampleValue(y: 63, cb: 193, cr: 204), SampleValue(y: 51, cb: 109, cr: 212),
            SampleValue(y: 28, cb: 212, cr: 120),
        ]
        let pattern = try TestPattern(
            width: 1280, height: 720, rate: .thirty, pixelFormat: pixelFormat, pace: .onDemand, frameCount: 1)
        #expect(pattern.format.color == .bt709)
        try frames(of: pattern) { frame in
            for (index, value) in known.enumerated() {
                let (x, y) = (160 + 960 * (2 * index + 1) / 14, 100)
                #expect(luma(frame, x, y) == value.y)
                let chroma = frame.planes[1]
                let place = y / 2 * chroma.bytesPerLine + (pixelFormat == .nv12 ? x / 2 * 2 : x / 2)
                #expect(chroma.base.load(fromByteOffset: place, as: UInt8.self) == value.cb)
                let red = pixelFormat == .nv12 ? chroma.base + 1 : frame.planes[2].base
                #expect(red.load(fromByteOffset: place, as: UInt8.self) == value.cr)
            }
        }
    }

    @Test("a large area is white in the first frame of each second and in no other")
    func flashes() throws {
        let pattern = try TestPattern(width: 320, height: 240, rate: .thirty, pace: .onDemand, frameCount: 95)
        var flashes: [UInt64] = []
        try frames(of: pattern) { frame in
            let white = (0..<(240 * 320)).filter { luma(frame, $0 % 320, $0 / 320) == 235 }.count
            let isFlash = white > 320 * 240 / 4
            if isFlash { flashes.append(frame.sequence) }
        }
        #expect(flashes == [0, 30, 60, 90])
    }

    @Test("the picture is the same in whichever buffer it is drawn")
    func independentOfBuffers() throws {
        func sums(buffers: Int) throws -> [Int] {
            let pattern = try TestPattern(
                width: 320, height: 240, rate: try #require(FrameRate(10)), pace: .onDemand, frameCount: 33,
                buffers: buffers)
            var sums: [Int] = []
            try frames(of: pattern) { frame in
                var sum = 0
                for (index, shape) in PixelFormat.nv12.planes(width: 320, height: 240).enumerated() {
                    for place in 0..<(shape.bytesPerLine * shape.lines) {
                        let (line, column) = (place / shape.bytesPerLine, place % shape.bytesPerLine)
                        let offset = line * frame.planes[index].bytesPerLine + column
                        sum = sum &* 31 &+ Int(frame.planes[index].base.load(fromByteOffset: offset, as: UInt8.self))
                    }
                }
                sums.append(sum)
            }
            return sums
        }
        let one = try sums(buffers: 1)
        let three = try sums(buffers: 3)
        #expect(one == three)
        #expect(Set(one).count == 33, "something moves in each frame")
    }

    @Test("a live picture comes at its pace, and frames without a buffer are lost and counted")
    func live() throws {
        let rate = try #require(FrameRate(100))
        let pattern = try TestPattern(width: 160, height: 120, rate: rate, buffers: 2)
        try pattern.start()
        var taken: [VideoFrame] = []
        while taken.count < 2 {
            if let frame = try pattern.nextFrame() { taken.append(frame) } else { wait(pattern.descriptor) }
        }
        // Both buffers are out: what comes due until one is back is lost.
        while MonotonicTime.now < pattern.origin + rate.nanoseconds(of: 8) { usleep(1000) }
        #expect(try pattern.nextFrame()?.sequence == nil)
        #expect(taken.map(\.sequence) == [0, 1])
        for frame in taken { pattern.release(frame) }
        var next: VideoFrame?
        while next == nil {
            next = try pattern.nextFrame()
            if next == nil { wait(pattern.descriptor) }
        }
        let frame = try #require(next)
        #expect(frame.sequence >= 9)
        #expect(pattern.lostFrames == frame.sequence - 2)
        #expect(frame.time == pattern.origin + rate.nanoseconds(of: Int64(frame.sequence)))
        pattern.release(frame)
    }

    @Test("a size that cannot be is refused", arguments: [(159, 120), (160, 118), (1281, 720), (100_000, 2), (0, 0)])
    func refusals(width: Int, height: Int) {
        #expect(throws: Failure.self) { try TestPattern(width: width, height: height, rate: .thirty) }
    }

    private func wait(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, -1)
    }
}
