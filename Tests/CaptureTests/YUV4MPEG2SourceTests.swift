import Capture
import Glibc
import Linux
import Media
import Testing

@Suite("Pictures from a YUV4MPEG2 stream")
struct YUV4MPEG2SourceTests {
    private let size = (width: 64, height: 48)

    /// A stream whose samples are all the frame's number times 10, Cb one more, Cr two more.
    private func stream(frames: Int, layout: String = "420", frameLine: String = "FRAME\n") -> [UInt8] {
        var bytes = Array("YUV4MPEG2 W\(size.width) H\(size.height) F25:1 Ip C\(layout)\n".utf8)
        let luma = size.width * size.height
        let chroma = layout == "444" ? luma : layout == "422" ? luma / 2 : luma / 4
        for frame in 0..<frames {
            bytes += frameLine.utf8
            bytes += Array(repeating: UInt8(frame * 10), count: luma)
            bytes += Array(repeating: UInt8(frame * 10 + 1), count: chroma)
            bytes += Array(repeating: UInt8(frame * 10 + 2), count: chroma)
        }
        return bytes
    }

    private struct Pipe: ~Copyable {
        let reading: FileDescriptor
        let writer: Linux.Thread

        consuming func join() { writer.join() }
    }

    /// A pipe that somebody else fills and closes.
    private func pipe(_ bytes: [UInt8], piece: Int = 1000) throws -> Pipe {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        let writing = ends[1]
        let thread = try Linux.Thread("writer") {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.prefix(piece).withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
                rest = rest.dropFirst(max(count, 1))
            }
            close(writing)
        }
        return Pipe(reading: FileDescriptor(owning: ends[0]), writer: thread)
    }

    /// A file that has lost its name.
    private func file(_ bytes: [UInt8]) throws -> FileDescriptor {
        var path = Array("/tmp/kinebox-stream-XXXXXX".utf8CString)
        let raw = mkstemp(&path)
        try #require(raw >= 0)
        unlink(path)
        let descriptor = FileDescriptor(owning: raw)
        try bytes.withUnsafeBytes { try descriptor.write($0, at: 0) }
        lseek(raw, 0, SEEK_SET)
        return descriptor
    }

    private func readAll(_ source: YUV4MPEG2Source, _ body: (VideoFrame) -> Void) throws {
        try source.start()
        while !source.isFinished {
            if let frame = try source.nextFrame() {
                body(frame)
                source.release(frame)
            } else if !source.isFinished {
                isReadable(source.descriptor, milliseconds: -1)
            }
        }
    }

    @discardableResult
    private func isReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }

    private func expect(_ frame: VideoFrame, number: Int) {
        #expect(frame.sequence == UInt64(number))
        for (index, plane) in frame.planes.enumerated() {
            let samples = UnsafeRawBufferPointer(start: plane.base, count: plane.bytesPerLine * plane.lines)
            #expect(samples.allSatisfy { $0 == UInt8(number * 10 + index) })
        }
    }

    @Test("every frame of a pipe comes once and in order", arguments: [1, 7, 1000, 1 << 20])
    func fromPipe(piece: Int) throws {
        let pipe = try pipe(stream(frames: 20), piece: piece)
        let source = try YUV4MPEG2Source(reading: pipe.reading.raw, buffers: 2)
        #expect(source.format.color == .bt601)
        var (count, first) = (0, MonotonicTime(nanoseconds: 0))
        try readAll(source) { frame in
            expect(frame, number: count)
            if count == 0 { first = frame.time }
            #expect(frame.time - first == Int64(count) * 40_000_000)
            count += 1
        }
        #expect(count == 20)
        #expect(source.lostFrames == 0)
        pipe.join()
    }

    @Test("a regular file works as a pipe does")
    func fromFile() throws {
        let reading = try file(stream(frames: 20))
        let source = try YUV4MPEG2Source(reading: reading.raw)
        var count = 0
        try readAll(source) { frame in
            expect(frame, number: count)
            count += 1
        }
        #expect(count == 20)
    }

    @Test("lines of frames may carry parameters")
    func parameters() throws {
        let reading = try file(stream(frames: 5, frameLine: "FRAME Ip Xabc\n"))
        var count = 0
        try readAll(try YUV4MPEG2Source(reading: reading.raw)) { frame in
            expect(frame, number: count)
            count += 1
        }
        #expect(count == 5)
    }

    @Test("richer chroma is reduced", arguments: ["422", "444"])
    func chroma(layout: String) throws {
        let reading = try file(stream(frames: 5, layout: layout))
        let source = try YUV4MPEG2Source(reading: reading.raw)
        #expect(source.format.pixelFormat == .yuv420)
        var count = 0
        try readAll(source) { frame in
            expect(frame, number: count)
            count += 1
        }
        #expect(count == 5)
    }

    @Test("a last frame that is broken off is dropped and counted", arguments: [1, 5, 100, 4607])
    func truncated(missing: Int) throws {
        let pipe = try pipe(Array(stream(frames: 3).dropLast(missing)))
        let source = try YUV4MPEG2Source(reading: pipe.reading.raw)
        var count = 0
        try readAll(source) { _ in count += 1 }
        #expect(count == 2)
        #expect(source.lostFrames == 1)
        pipe.join()
    }

    @Test("while every buffer is out nothing is read, and the descriptor is silent")
    func backPressure() throws {
        let reading = try file(stream(frames: 3))
        let source = try YUV4MPEG2Source(reading: reading.raw, buffers: 1)
        try source.start()
        #expect(isReadable(source.descriptor, milliseconds: 0))
        let frame = try #require(try source.nextFrame())
        #expect(!isReadable(source.descriptor, milliseconds: 0))
        #expect(try source.nextFrame()?.sequence == nil)
        #expect(!source.isFinished)
        source.release(frame)
        #expect(isReadable(source.descriptor, milliseconds: 0))
        #expect(try source.nextFrame()?.sequence == 1)
    }

    @Test("a stream that loses its frames is a failure", arguments: ["FRAMF\n", "frame\n", "FRAME!", "\0\0\0\0\0\0"])
    func lostAlignment(frameLine: String) throws {
        let reading = try file(stream(frames: 2, frameLine: frameLine))
        let source = try YUV4MPEG2Source(reading: reading.raw)
        try source.start()
        #expect(throws: Failure.self) { try source.nextFrame() }
    }

    @Test("nothing, silence and other files are refused", arguments: ["", "YUV4MPEG2 W64", "\u{7F}ELF\n"])
    func refusals(text: String) throws {
        let pipe = try pipe(Array(text.utf8))
        #expect(throws: Failure.self) { try YUV4MPEG2Source(reading: pipe.reading.raw) }
        pipe.join()
    }

    @Test("a first line without an end is refused")
    func endless() throws {
        let reading = try file(Array(repeating: UInt8(ascii: "A"), count: 1 << 20))
        #expect(throws: Failure.self) { try YUV4MPEG2Source(reading: reading.raw) }
    }

    @Test("who sends nothing is not waited for without end")
    func patience() throws {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(throws: Failure.self) { try YUV4MPEG2Source(reading: ends[0], patience: 20) }
    }

    @Test("what the writer writes is what the source reads")
    func writer() throws {
        let rate = try #require(FrameRate(30))
        for pixelFormat in [PixelFormat.nv12, .yuv420] {
            let written = try file([])
            let pattern = try TestPattern(
                width: 320, height: 240, rate: rate, pixelFormat: pixelFormat, pace: .onDemand, frameCount: 12)
            try pattern.start()
            let writer = try YUV4MPEG2Writer(to: written.raw, format: pattern.format)
            while let frame = try pattern.nextFrame() {
                try writer.write(frame)
                pattern.release(frame)
            }
            lseek(written.raw, 0, SEEK_SET)
            var numbers: [UInt32?] = []
            try readAll(try YUV4MPEG2Source(reading: written.raw)) { frame in
                numbers.append(FrameNumberStrip.read(frame, width: 320, height: 240))
            }
            #expect(numbers == (0..<12).map { UInt32($0) })
        }
    }
}
