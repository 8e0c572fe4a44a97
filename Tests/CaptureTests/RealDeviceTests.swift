import Glibc
import Linux
import Media
import Testing
import V4L2

@testable import Capture

/// The kernel's own video test driver (vivid) and loopback sound card (snd-aloop), where they are: on the virtual board.
private enum Board {
    static let cameras = DeviceList.video().filter { $0.card == "vivid" }
    /// v4l2loopback's camera, while a program sends pictures into it.
    static let webcam = DeviceList.video().first { $0.card == "Webcam" }
    static let loopback = DeviceList.audio().first { $0.argument.hasPrefix("hw:CARD=Loopback,DEV=1") }
    static let absent: Comment = "there is no such device here: run it on the virtual board"

    static func wait(_ descriptor: Int32, milliseconds: Int32 = 5000) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }
}

@Suite("Capture from vivid", .enabled(if: !Board.cameras.isEmpty, Board.absent), .serialized)
struct VividTests {
    static let layouts: [PixelFormat] = [
        .nv12, .yuv420, .nv16, .yuyv, .uyvy, .rgb24, .bgr24, .xrgb32, .bgrx32, .rgbx32,
    ]

    /// Takes frames, each given to `body` and back.
    private func take(_ count: Int, from input: HDMIInput, _ body: (VideoFrame) -> Void) throws {
        try input.start()
        defer { input.stop() }
        var taken = 0
        while taken < count {
            try #require(Board.wait(input.descriptor), "a picture comes within five seconds")
            while taken < count, let frame = try input.nextFrame() {
                body(frame)
                input.release(frame)
                taken += 1
            }
        }
    }

    @Test("a device is listed by its name and place, and can be opened by its place")
    func listed() throws {
        for camera in Board.cameras {
            #expect(camera.location.hasPrefix("platform:vivid"))
            #expect(!camera.formats.isEmpty)
            _ = try HDMIInput(opening: camera.argument)
        }
    }

    @Test("each layout shows the same bars", arguments: Board.cameras.indices, layouts)
    func colors(camera: Int, layout: PixelFormat) throws {
        let (width, height) = (640, 360)
        let path = try DeviceList.path(ofVideo: Board.cameras[camera].argument)
        let device = try V4L2Device(opening: path)
        let type = try #require(device.captureType)
        guard device.layouts(type).contains(where: { V4L2Layout.of($0)?.pixelFormat == layout }) else { return }
        let input = try HDMIInput(opening: path, size: (width, height), layout: layout)
        try input.prepare(.process)
        #expect(input.format.pixelFormat == (layout == .yuv420 ? .yuv420 : .nv12))
        var last: [[Int]] = []
        try take(3, from: input) { frame in
            last = (0..<8).map { bar in
                let (x, y) = ((2 * bar + 1) * width / 16, height * 9 / 10)
                let chroma = frame.planes[1]
                let isInterleaved = input.format.pixelFormat == .nv12
                let place = y / 2 * chroma.bytesPerLine + (isInterleaved ? x / 2 * 2 : x / 2)
                let red = isInterleaved ? chroma.base + 1 : frame.planes[2].base
                return [
                    Int(
                        frame.planes[0].base.load(fromByteOffset: y * frame.planes[0].bytesPerLine + x, as: UInt8.self)),
                    Int(chroma.base.load(fromByteOffset: place, as: UInt8.self)),
                    Int(red.load(fromByteOffset: place, as: UInt8.self)),
                ]
            }
        }
        // Back to R'G'B' by what the input says of its samples: the bars are 75 % (vivid's first pattern).
        let color = input.format.color
        let (kr, kb) = color.matrix == 1 ? (0.2126, 0.0722) : (0.299, 0.114)
        for (bar, bits) in [7, 6, 3, 2, 5, 4, 1, 0].enumerated() {
            let offset = color.isFullRange ? 0.0 : 16
            let luma = (Double(last[bar][0]) - offset) / (color.isFullRange ? 255 : 219)
            let scale = color.isFullRange ? 255.0 : 224
            let red = luma + (2 - 2 * kr) * (Double(last[bar][2]) - 128) / scale
            let blue = luma + (2 - 2 * kb) * (Double(last[bar][1]) - 128) / scale
            let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
            for (value, bit) in [(red, 4), (green, 2), (blue, 1)] {
                #expect(abs(value - (bits & bit != 0 ? 0.75 : 0)) < 0.03, "bar \(bar): \(last[bar]), \(color)")
            }
        }
    }

    @Test("pictures come at their rate, with times and numbers that grow evenly", arguments: Board.cameras.indices)
    func pace(camera: Int) throws {
        let input = try HDMIInput(opening: Board.cameras[camera].argument, size: (640, 360))
        try input.prepare(.process)
        var (times, numbers): ([MonotonicTime], [UInt64]) = ([], [])
        try take(60, from: input) { frame in
            times.append(frame.time)
            numbers.append(frame.sequence)
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(input.trustsDriverTimes)
        let missing = (numbers[59] - numbers[0]) - 59
        #expect(input.lostFrames == missing)
        let expected = input.format.rate.nanoseconds(of: Int64(numbers[59] - numbers[0]))
        #expect(abs(times[59] - times[0] - expected) < 2 * input.format.rate.nanoseconds(of: 1))
    }

    @Test("what was captured before the stop still comes, and nothing after", arguments: Board.cameras.indices)
    func stop(camera: Int) throws {
        let input = try HDMIInput(opening: Board.cameras[camera].argument, size: (640, 360))
        try input.prepare(.process)
        try input.start()
        // Long enough for three pictures to wait in the queue.
        usleep(200_000)
        let end = MonotonicTime.now
        input.stop()
        var count = 0
        while !input.isFinished {
            guard let frame = try input.nextFrame() else { continue }
            #expect(frame.time < end + input.format.rate.nanoseconds(of: 1))
            count += 1
            input.release(frame)
        }
        #expect(count >= 3)
        #expect(try input.nextFrame()?.sequence == nil)
    }

    @Test("a device that another program uses is busy, and says so")
    func busy() throws {
        let camera = Board.cameras[0]
        let input = try HDMIInput(opening: camera.argument, size: (640, 360))
        try input.prepare(.process)
        try input.start()
        defer { input.stop() }
        #expect(DeviceList.video().first { $0.argument == camera.argument }?.state == .busy)
        #expect {
            try HDMIInput(opening: camera.argument).prepare(.process)
        } throws: { error in
            (error as? Failure)?.cause == "another program is using it"
        }
    }
}

@Suite("Capture from a webcam", .enabled(if: Board.webcam != nil, Board.absent), .serialized)
struct WebcamTests {
    @Test("the numbers in its pictures come in order, whole or not at all")
    func numbers() throws {
        let webcam = try #require(Board.webcam)
        let input = try HDMIInput(opening: webcam.argument)
        try input.prepare(.process)
        let format = input.format
        try input.start()
        defer { input.stop() }
        var numbers: [UInt32] = []
        while numbers.count < 40 {
            try #require(Board.wait(input.descriptor), "a picture comes within five seconds")
            while let frame = try input.nextFrame() {
                let number = FrameNumberStrip.read(frame, width: format.width, height: format.height)
                numbers.append(try #require(number))
                input.release(frame)
            }
        }
        // v4l2loopback may write the next picture into a buffer that its reader still has: then that one comes twice.
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }, "\(numbers)")
        if webcam.formats.contains(where: { $0.hasPrefix("MJPG") }) { #expect(format.color.isFullRange) }
    }
}

@Suite("Capture from the loopback sound card", .enabled(if: Board.loopback != nil, Board.absent), .serialized)
struct LoopbackTests {
    @Test("sound comes as long as time passes, and an overrun comes as silence")
    func overrun() throws {
        let device = try #require(Board.loopback)
        #expect(device.state == .ready)
        let input = try ALSAInput(opening: device.argument)
        #expect(input.format == .standard)
        var buffer = [Int16](repeating: 1, count: 4096 * 2)
        var (first, end): (MonotonicTime?, MonotonicTime?) = (nil, nil)
        var frames = 0
        func readAll(_ milliseconds: Int64) throws {
            let limit = MonotonicTime.now + milliseconds * 1_000_000
            while MonotonicTime.now < limit {
                _ = Board.wait(input.descriptors[0], milliseconds: 100)
                while let span = try buffer.withUnsafeMutableBufferPointer({ try input.read(into: $0, before: .now) }) {
                    if first == nil { first = span.time }
                    end = span.time + input.format.nanoseconds(of: Int64(span.frames))
                    frames += span.frames
                }
            }
        }
        try input.start(origin: .now)
        try readAll(500)
        #expect(input.silenceInserted == 0)
        #expect(
            DeviceList.audio().first { $0.argument == device.argument }?.state == .ready, "the card has two streams")
        // More than the device's buffer holds.
        usleep(1_000_000)
        try readAll(500)
        #expect(input.interruptions == 1)
        #expect(input.silenceInserted > 24_000)
        let span = try #require(end) - (try #require(first))
        #expect(abs(Int64(frames) - input.format.samples(in: span)) < 960, "\(frames) samples in \(span) ns")
        input.stop()
    }

    @Test("a card that is not there is named")
    func absent() {
        #expect {
            try ALSAInput(opening: "hw:CARD=NoSuchCard,DEV=0")
        } throws: { error in
            (error as? Failure)?.kind == .noSource
        }
    }
}
