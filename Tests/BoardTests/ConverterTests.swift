import Capture
import Glibc
import Judges
import Linux
import Media
import Testing
import V4L2

extension BoardTests {
    @Suite("Converter")
    struct ConverterTests {
        private static let (width, height) = (640, 480)

        @Test("the board's converter is found by what it can, and nothing else is taken for one")
        func list() throws {
            let converters = ConverterDescription.list()
            #expect(converters.map(\.card) == ["vim2m"])
            let names = converters.first.map {
                (inputs: $0.inputs.map(V4L2Layout.name), outputs: $0.outputs.map(V4L2Layout.name))
            }
            #expect(names?.inputs == ["RGB3", "BGR3"] && names?.outputs == ["RGB3", "BGR3", "YUYV"])
        }

        @Test("pictures come out as the converter makes them, with their times and numbers", arguments: [false, true])
        func convert(isLent: Bool) throws {
            try Board.control("hdmi", "feed", "BGR3", "640x480@59")
            defer { _ = try? Board.control("hdmi", "unfeed") }
            let converter = try #require(ConverterDescription.list().first)
            let source = try ConvertedSource(HDMIInput(opening: "/dev/board/hdmi", layout: .bgr24))
            let captured = try source.choose(try #require(try source.offers().first))
            let output = try #require(
                converter.tryingOutput(
                    V4L2Format(width: Self.width, height: Self.height, fourcc: 0x5659_5559),
                    V4L2Trial(converter.path, through: .kernel)))
            try source.convert(
                ConvertedSource.Setting(path: converter.path, input: captured, output: output, isLent: isLent))
            #expect(source.format.pixelFormat == .yuyv)
            try source.prepare(.device)
            try source.start()
            let epoll = try Epoll()
            try epoll.add(source.descriptor, for: .readable, token: 0)
            var (seen, wrong) = (0, 0)
            var last = (time: MonotonicTime(nanoseconds: 0), sequence: UInt64(0))
            let end = MonotonicTime.now + 20_000_000_000
            while seen < 60 && MonotonicTime.now < end {
                try epoll.wait(milliseconds: 1000) { _, _ in }
                guard let frame = try source.nextFrame() else { continue }
                seen += 1
                #expect(frame.time > last.time && (seen == 1 || frame.sequence > last.sequence))
                last = (frame.time, frame.sequence)
                let map = try SharedMap(try #require(frame.buffers.first))
                try map.begin(.reading)
                if !Self.isAsFed(UnsafeRawBufferPointer(map.bytes)) { wrong += 1 }
                try map.end(.reading)
                source.release(frame)
            }
            source.stop()
            #expect(seen == 60 && wrong == 0)
        }

        @Test(
            "a recording of what only the converter can bring to the encoder shows what it makes, bit by bit",
            arguments: ["/dev/board/hdmi", "/dev/board/hdmi-planes"], ["RGB3", "BGR3"])
        func record(input: String, code: String) throws {
            try Board.hdmi(input, "feed", code, "640x480@59")
            defer { try? Board.hdmi(input, "unfeed") }
            let file = "/tmp/converted.mp4"
            defer { unlink(file) }
            let ending = try Kinebox.run(
                "record", "--video", input, "--audio", "none", "--encoder", "hardware", "--pixel-format", code,
                "--duration", "1", file)
            try #require(ending.exitCode == 0, "\(ending)")
            #expect(ending.errors.contains("converted by vim2m"), "\(ending.errors)")
            let check = try Kinebox.run("check", file)
            #expect(check.exitCode == 0, "\(check)")
            let fed = try FedPicture(code, width: Self.width, height: Self.height, isConvertedByBoard: true)
            let found = try RecordedPictures(of: file, fed)
            #expect(
                found.wrong == 0 && found.numbers.count >= 10 && found.numbers == found.numbers.sorted(), "\(found)")
        }

        @Test("a converter that stands still is left, and the recording goes on without it")
        func standstill() throws {
            let parameter = "/sys/module/vim2m/parameters/default_transtime"
            try Board.shell("echo 4000 >\(parameter)")
            defer { _ = try? Board.shell("echo 1 >\(parameter)") }
            try Board.control("hdmi", "on", "640x480@59")
            let file = "/tmp/standstill.mp4"
            defer { unlink(file) }
            let ending = try Kinebox.run(
                "record", "--video", "/dev/board/hdmi", "--audio", "none", "--encoder", "hardware", "--pixel-format",
                "RGB3", "--duration", "5", file)
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(ending.errors.contains("stood still"), "\(ending)")
            let check = try Kinebox.run("check", file)
            #expect(check.exitCode == 0, "\(check)")
            #expect((try Judge.ffprobe.verdict(on: file, audioTracks: 0).pictures ?? 0) >= 10)
        }

        /// Whether a picture below its changing rows is what `board-feed` draws (its comment), made YUYV as `vim2m.c` does:
        /// in whole numbers, of each two pixels the first one's chroma.
        private static func isAsFed(_ bytes: UnsafeRawBufferPointer) -> Bool {
            for y in stride(from: 96, to: height, by: 7) {
                for x in stride(from: 0, to: width, by: 2) {
                    let (one, two) = (pixel(x, y), pixel(x + 1, y))
                    let u = (-4878 * one.red - 9578 * one.green + 14456 * one.blue + 4_210_688) >> 15
                    let v = (14456 * one.red - 12105 * one.green - 2351 * one.blue + 4_210_688) >> 15
                    let expected = [luma(one), u, luma(two), v].map { UInt8(truncatingIfNeeded: $0) }
                    let start = (y * width + x) * 2
                    if !bytes[start..<start + 4].elementsEqual(expected) { return false }
                }
            }
            return true
        }

        private typealias Pixel = (red: Int, green: Int, blue: Int)

        private static func pixel(_ x: Int, _ y: Int) -> Pixel {
            ((x + y) % 256, (2 * x + y) % 256, (x + 2 * y) % 256)
        }

        private static func luma(_ pixel: Pixel) -> Int {
            (8453 * pixel.red + 16594 * pixel.green + 3223 * pixel.blue + 524_288) >> 15
        }
    }
}
